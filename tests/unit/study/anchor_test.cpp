// SPDX-License-Identifier: Apache-2.0
// A run made with a known number must give that number back.
#include "reports/study/anchor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

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

TEST_CASE("a key that is no number of the scenario is refused with the nearest") {
  const ScenarioSource source = source_of(shared("2 GB/s"));
  const std::string refused =
      refusal_of([&] { anchor(source, seen(1000), {.key = "store.nas.model.read_bandwith"}); });
  CHECK(refused.find("did you mean \"store.nas.model.read_bandwidth\"?") != std::string::npos);
}
