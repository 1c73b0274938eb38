// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

namespace gpufeed {
namespace {

const std::string kText =
    "system = \"nvidia-dgx-h100\"\n"
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

std::string own(const std::string& product, const std::string& key, const std::string& value) {
  return "[[own]]\nproduct = \"" + product + "\"\nkey = \"" + key + "\"\nvalue = \"" + value +
         "\"\n";
}

const Drive& drive_of(const Scenario& scenario) { return *scenario.system->drives.front().model; }

std::string error_with(const std::string& tables) {
  return refusal_of([&] { parse_scenario(kText + tables, "x.toml", own_catalog()); });
}

}  // namespace

TEST_CASE("a user's own value stands in all parts that are the product, and is marked as such") {
  const Catalog catalog = own_catalog().remembering();
  const Scenario before = parse_scenario(kText, "x.toml", catalog);
  const Scenario after = parse_scenario(
      kText + own("kioxia-cm6-r-3.84tb", "read_bandwidth", "1.5 GB/s"), "x.toml", catalog);
  CHECK(drive_of(before).read_bandwidth.value == 6.9e9);
  for (const auto& drive : after.system->drives) CHECK(drive.model->read_bandwidth.value == 1.5e9);
  CHECK(drive_of(after).capacity.value == drive_of(before).capacity.value);
  // What was remembered of the catalog is as it was.
  CHECK(drive_of(parse_scenario(kText, "x.toml", catalog)).read_bandwidth.value == 6.9e9);
}

TEST_CASE("scenarios with the same own values read an entry once, those with others their own") {
  const Catalog catalog = own_catalog().remembering();
  const auto with = [&](int gigabytes) {
    const std::string value = std::to_string(gigabytes) + " GB/s";
    return parse_scenario(kText + own("kioxia-cm6-r-3.84tb", "read_bandwidth", value), "x.toml",
                          catalog);
  };
  const Scenario one = with(1);
  for (int gigabytes = 1; gigabytes <= 6; ++gigabytes)  // more than are kept
    CHECK(drive_of(with(gigabytes)).read_bandwidth.value == gigabytes * 1e9);
  CHECK(&drive_of(with(6)) == &drive_of(with(6)));
  CHECK(drive_of(with(1)).read_bandwidth.value == 1e9);
  CHECK(drive_of(one).read_bandwidth.value == 1e9);
}

TEST_CASE("a value that the user has set is known as such, however it was set") {
  const auto stated = [](const std::string& text, const std::vector<Override>& overrides) {
    const Scenario scenario = parse_scenario(text, "x.toml", own_catalog(), overrides);
    return is_stated(scenario.system->sockets.front().model->provenance_of("smt_speedup"));
  };
  CHECK_FALSE(stated(kText, {}));
  CHECK(stated(kText, {parse_override("system.socket[*].model.smt_speedup=130 %")}));
  Override of_a_sweep = parse_override("system.socket[*].model.smt_speedup=130 %");
  of_a_sweep.option = "sweep.toml axis 1";  // named by its place
  CHECK(stated(kText, {of_a_sweep}));
  CHECK(stated(kText + own("intel-xeon-platinum-8480c", "smt_speedup", "130 %"), {}));
  Override calibrated = of_a_sweep;
  calibrated.provenance = Provenance{"a guess", Basis::estimate};
  CHECK_FALSE(stated(kText, {calibrated}));
  // What another key was set to says nothing of this one.
  CHECK_FALSE(stated(kText, {parse_override("system.socket[*].model.cores=24")}));
}

TEST_CASE("own values are told with the result, and lead to the same result again") {
  const Scenario scenario =
      parse_scenario(kText + own("imagenet-1k", "decode_time", "20 ms"), "x.toml", own_catalog());
  const std::string told = to_toml(scenario);
  CHECK(told.find("imagenet-1k") != std::string::npos);
  const Scenario again = parse_scenario(told, "x.toml", own_catalog());
  CHECK(simulate(again).throughput_samples_per_s == simulate(scenario).throughput_samples_per_s);
  CHECK(simulate(scenario).throughput_samples_per_s <
        simulate(parse_scenario(kText, "x.toml", own_catalog())).throughput_samples_per_s);
}

TEST_CASE("--set of another number of a product leaves the user's own as it is") {
  const std::string text =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n" +
      own("sata-ssd-1.92tb", "read_bandwidth", "300 MB/s");
  const Scenario scenario =
      parse_scenario(text, "x.toml", own_catalog(),
                     {parse_override("system.drive[ssd0].model.read_latency=0.5 ms")});
  for (const auto& drive : scenario.system->drives)
    CHECK(drive.model->read_bandwidth.value == 300e6);
  CHECK(drive_of(scenario).read_latency.value == 0.5e-3);
}

TEST_CASE("own values of what is not there, or that cannot be, are refused where they stand") {
  CHECK(error_with(own("kioxia-cm6-r-3.84t", "read_bandwidth", "1 GB/s")) ==
        "x.toml:5:1: error: own: the catalog has no \"kioxia-cm6-r-3.84t\"; did you mean "
        "\"kioxia-cm6-r-3.84tb\"?\n");
  CHECK(error_with(own("kioxia-cm6-r-3.84tb", "read_bandwith", "1 GB/s")) ==
        "x.toml:5:1: error: own: kioxia-cm6-r-3.84tb has no key \"read_bandwith\"; did you mean "
        "\"read_bandwidth\"?\n");
  CHECK(error_with(own("kioxia-cm6-r-3.84tb", "read_bandwidth", "1 km")).starts_with("x.toml:5"));
}

TEST_CASE("own values are set by --set as in the file") {
  const std::string one = own("kioxia-cm6-r-3.84tb", "read_bandwidth", "1.5 GB/s");
  const auto set = [](const std::string& text, const std::string& assignment) {
    return parse_scenario(text, "x.toml", own_catalog(), {parse_override(assignment)});
  };
  const Bandwidth wanted{1.5e9};
  CHECK(drive_of(parse_scenario(kText + one, "x.toml", own_catalog())).read_bandwidth == wanted);
  CHECK(drive_of(set(kText,
                     "own=[{product='kioxia-cm6-r-3.84tb', key='read_bandwidth', "
                     "value='1.5 GB/s'}]"))
            .read_bandwidth == wanted);
  CHECK(drive_of(set(kText + own("kioxia-cm6-r-3.84tb", "read_bandwidth", "1 GB/s"),
                     "own[0].value=1.5 GB/s"))
            .read_bandwidth == wanted);
  CHECK(refusal_of([&] {
          set(kText, "own=[{product='kioxia-cm6-r-3.84t', key='read_bandwidth', value='1 GB/s'}]");
        }).find("own: the catalog has no \"kioxia-cm6-r-3.84t\"; did you mean") !=
        std::string::npos);
}

}  // namespace gpufeed
