// SPDX-License-Identifier: Apache-2.0
// A run made with a known number must give that number back.
#include "reports/study/anchor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/load/study/observed.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kSample = 200e3;

/// GPUs could take 1900 samples a second, 380 MB/s of them.
std::string shared(const std::string& bandwidth) {
  return "title = 't'\nsystem = 'nvidia-dgx1-p100'\n"
         "[store.nas.model]\ntitle = 's'\nsource = 's'\nbasis = 'datasheet'\n"
         "capacity = '100 TB'\nread_rate = '1 MIOPS'\nread_latency = '300 us'\n"
         "read_bandwidth = '" +
         bandwidth +
         "' # of all\n[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-200kb-10m'\n"
         "[data]\nat = 'nas'\n";
}

ScenarioSource source_of(const std::string& text) { return {text, "shared.toml", own_catalog()}; }

/// The pace of a run, within 2 %.
Observed seen(double rate) {
  Observed observed;
  observed.where = {"seen.toml", 1, 1};
  auto& one = observed.samples_per_s.emplace();
  one.value = {rate};
  one.spread = Rate{0.02 * rate};
  return observed;
}

double rate_of(const ScenarioSource& source) {
  return simulate(source.load()).throughput_samples_per_s;
}

/// Two hosts of MLPerf Storage's checkpointing, whose links carry far more than the store.
std::string saving(const std::string& read, const std::string& write) {
  return "title = 't'\nnodes = 2\n[system]\ntitle = 'a host'\n"
         "[[system.socket]]\nid = 'cpu0'\nmodel = 'amd-epyc-9355'\nmemory = '256 GiB'\n"
         "[[system.nic]]\nid = 'net0'\nmodel = 'nvidia-connectx-7-ndr-400g'\nat = 'cpu0'\n"
         "[store.s.model]\ntitle = 's'\nsource = 's'\nbasis = 'estimate'\ncapacity = '100 TB'\n"
         "read_rate = '1 MIOPS'\nread_latency = '10 us'\nread_bandwidth = '" +
         read + "'\nwrite_bandwidth = '" + write +
         "'\n[data]\nat = 's'\n[workload]\nkind = 'checkpointing'\n";
}

/// Rates of saving and loading, within a percent.
Observed seen(Bandwidth saved, Bandwidth loaded) {
  Observed observed;
  observed.where = {"seen.toml", 1, 1};
  observed.save_bandwidth.emplace().value = saved;
  observed.save_bandwidth->spread = saved * 0.01;
  observed.load_bandwidth.emplace().value = loaded;
  observed.load_bandwidth->spread = loaded * 0.01;
  return observed;
}

}  // namespace

TEST_CASE("a run on a store gives its bandwidth back, whatever the sheet says") {
  const double real = 200e6;
  const double rate = rate_of(source_of(shared("200 MB/s")));
  CHECK(rate == approx(real / kSample).epsilon(0.03));  // the store binds
  for (const char* sheet : {"100 MB/s", "300 MB/s"}) {
    CAPTURE(sheet);
    const ScenarioSource source = source_of(shared(sheet));
    const Anchored found = anchor(source, seen(rate), {.key = "store.nas.model.read_bandwidth"});
    const AnchorNumber& number = found.report.number;
    REQUIRE(number.value);
    CHECK(std::abs(std::log(*number.value / real)) < *number.deviation);
    CHECK(*number.value == approx(rate * kSample).epsilon(0.03));
    // All of what was seen, to the power 1, by the 2 % of it and the 1 % of the simulation.
    CHECK(*number.deviation == approx(std::hypot(0.02, 0.01)).epsilon(0.15));
  }
}

TEST_CASE("the run itself names the store's bandwidth, and the file takes it with its comments") {
  const std::string text = shared("300 MB/s");
  const Anchored found = anchor(source_of(text), seen(1000), {});
  CHECK(found.report.number.path == "store.nas.model.read_bandwidth");
  const std::string changed = anchored_text(text, found.number, found.factor, "a run");
  CHECK(changed.find("# of all") != std::string::npos);
  CHECK(rate_of(source_of(changed)) == approx(1000).epsilon(0.01));
}

TEST_CASE("a run that GPUs bound determines nothing of the store") {
  const ScenarioSource source = source_of(shared("2 GB/s"));
  const std::string refused = refusal_of([&] { anchor(source, seen(rate_of(source)), {}); });
  CHECK(
      refused.starts_with("seen.toml:1:1: error: this run determines no open number: it is bound "
                          "by GPU compute, which none of them moves"));
  CHECK(refused.find("store.nas.model.read_bandwidth at least") != std::string::npos);
}

TEST_CASE("what one number attains beyond a bound is not refused as out of reach") {
  // At 2 GB/s the GPUs bind, at 300 MB/s the store. Of a run in which they did, the bandwidth may
  // be anything beyond a bound, though no other number explains it alone.
  const double busy = simulate(source_of(shared("2 GB/s")).load()).accelerator_utilization;
  Observed observed;
  observed.where = {"seen.toml", 1, 1};
  observed.gpu_utilization.emplace().value = Ratio{busy};
  observed.gpu_utilization->spread = Ratio{0.03};
  const std::string refused =
      refusal_of([&] { anchor(source_of(shared("300 MB/s")), observed, {}); });
  CAPTURE(refused);
  CHECK(
      refused.starts_with("seen.toml:1:1: error: this run determines no open number: it is bound "
                          "by GPU compute, which none of them moves, and gpu_utilization would be "
                          "the same; it says no more than store.nas.model.read_bandwidth at "
                          "least "));
}

TEST_CASE("a run that is known too loosely is told so, and not that something else binds") {
  const ScenarioSource source = source_of(shared("200 MB/s"));  // whose bandwidth binds
  const auto refused = [&](double spread) {
    Observed observed = seen(rate_of(source));
    observed.samples_per_s->spread = Rate{spread * rate_of(source)};
    return refusal_of([&] { anchor(source, observed, {.key = "store.nas.model.read_bandwidth"}); });
  };
  const std::string none =
      "seen.toml:1:1: error: this run determines no open number: samples_per_s ";
  CHECK(refused(5) == none +
                          "may be off by so much that store.nas.model.read_bandwidth may have any "
                          "plausible value\n");
  // The GPUs would take 1.9 times as much, two deviations or less off: only a least one is known.
  CHECK(refused(0.35).starts_with(
      "seen.toml:1:1: error: this run determines no open number: within what samples_per_s may be "
      "off, it says no more than store.nas.model.read_bandwidth at least "));
}

TEST_CASE("a key that is no number of the scenario is refused with the nearest") {
  const ScenarioSource source = source_of(shared("2 GB/s"));
  const std::string refused =
      refusal_of([&] { anchor(source, seen(1000), {.key = "store.nas.model.read_bandwith"}); });
  CHECK(refused.find("did you mean \"store.nas.model.read_bandwidth\"?") != std::string::npos);
}

TEST_CASE("numbers that would explain the run as well are named, each with its value") {
  const Anchored found = anchor(source_of(shared("300 MB/s")), seen(1000), {});
  const auto as_well = [&](const std::string& path) {
    const auto& all = found.report.as_well;
    const auto one = std::ranges::find(all, path, &AnchorNumber::path);
    REQUIRE(one != all.end());
    return *one->value;
  };
  // All ports of the store together carry what is read. A file is opened for each sample: by the
  // law of stores 1000^-4 = 1500^-4 + opens^-4.
  CHECK(as_well("store.nas.model.front_end_bandwidth") == approx(1000 * kSample).epsilon(0.03));
  CHECK(as_well("store.nas.model.metadata_rate") ==
        approx(std::pow(std::pow(1000, -4) - std::pow(1500, -4), -0.25)).epsilon(0.03));
}

TEST_CASE("rates of loading set what a store reads; what that leaves unexplained is told") {
  const ScenarioSource source = source_of(saving("5 GB/s", "1 GB/s"));
  const Anchored reads = anchor(source, seen({1e9}, {2e9}), {});
  CHECK(reads.report.number.path == "store.s.model.read_bandwidth");
  CHECK(*reads.report.number.value == approx(2e9).epsilon(0.02));
  CHECK(reads.report.left.empty());
  const Anchored both = anchor(source, seen({0.7e9}, {2e9}), {});
  CHECK(both.report.number.path == "store.s.model.read_bandwidth");
  REQUIRE(both.report.left.size() == 1);
  CHECK(both.report.left.front().name == "save_bandwidth");
}

TEST_CASE("observations that contradict each other are refused, each with what it asks for") {
  Observed both = seen(1000);
  both.read_bandwidth.emplace().value = {100e6};  // half of what 1000 samples of 200 kB are
  both.read_bandwidth->spread = Bandwidth{1e6};
  CHECK(refusal_of([&] {
          anchor(source_of(shared("300 MB/s")), both, {.key = "store.nas.model.read_bandwidth"});
        })
            .starts_with("seen.toml:1:1: error: what was seen contradicts itself: no one number "
                         "explains all of samples_per_s, read_bandwidth; of "
                         "store.nas.model.read_bandwidth, which comes nearest, samples_per_s alone "
                         "asks for 200"));
}

TEST_CASE("what a benchmark's rules say is not open") {
  for (const OpenNumber& number :
       numbers_of(parse_scenario("title = 't'\nsystem = 'nvidia-dgx1-p100'\n[workload]\n"
                                 "kind = 'emulated'\njob = 'mlperf-unet3d-h100'\ngpus = 1\n"
                                 "dataset_samples = 1000\n",
                                 "t.toml", own_catalog())))
    if (number.path().is_within("workload.job")) CHECK_FALSE(number.open);
}

TEST_CASE("every number is set by the path that it is printed with") {
  const ScenarioSource source = source_of(shared("2 GB/s"));
  constexpr double kMore = 1.05;
  const auto values = uncertain_values(source.load());
  std::size_t set = 0;
  for (const OpenNumber& number : numbers_of(source.load())) {
    if (!number.is_stated || number.key.empty() || number.key_most < kMore) continue;
    std::map<std::string, double> now;
    for (const UncertainValue& value : uncertain_values(source.load(overrides_at(number, kMore))))
      for (const ValuePlace& place : value.places) now[place.path] = place.value;
    for (const ValuePlace& place :
         std::ranges::find(values, number.name, &UncertainValue::name)->places) {
      CAPTURE(place.path);
      CHECK(now[place.path] == doctest::Approx(kMore * place.value).epsilon(1e-3));
      ++set;
    }
  }
  CHECK(set > 30);
}
