// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Scenario told_of(const std::string& text, const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  overrides.reserve(sets.size());
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(text, "told.toml", own_catalog(), overrides);
}

/// What a result tells of its scenario must be a scenario that gives it again.
void check_told(const std::string& text, const std::vector<std::string>& sets) {
  const Scenario scenario = told_of(text, sets);
  const std::string told = to_toml(scenario);
  CAPTURE(told);
  const Scenario again = told_of(told, scenario.set_within);
  CHECK(to_toml(again) == told);
  const Result first = simulate(scenario);
  const Result second = simulate(again);
  CHECK(first.throughput_samples_per_s == second.throughput_samples_per_s);
  CHECK(first.time_to_result_s == second.time_to_result_s);
  CHECK(first.price_USD == second.price_USD);
  CHECK(first.range->throughput_samples_per_s.p10 == second.range->throughput_samples_per_s.p10);
}

const std::string kTrained =
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nsamples = 100_000\n";

}  // namespace

TEST_CASE("what a result tells of its scenario holds values that were set within products") {
  const std::string text = "system = \"nvidia-dgx1-p100\"\n" + kTrained;
  const std::vector<std::string> sets{"system.drive[*].model.read_bandwidth=90 MB/s",
                                      "workload.dataset.sample_size=1 MB",
                                      "loader.workers_per_gpu=4"};
  check_told(text, sets);
  const std::string told = to_toml(told_of(text, sets));
  const std::string end =
      "\n# What was set within products and machines that are named above:\n"
      "#   --set 'workload.dataset.sample_size=1 MB'\n"
      "#   --set 'system.drive[*].model.read_bandwidth=90 MB/s'\n";
  CHECK(told.ends_with(end));
  CHECK(told.find("workers_per_gpu = 4\n") != std::string::npos);
  CHECK(to_toml(told_of(text, {})).find("--set") == std::string::npos);
}

TEST_CASE("what a result tells of its scenario holds machines and products given as tables") {
  check_told(
      "system = \"nvidia-dgx1-p100\"\n"
      "workload = { model = \"resnet-50\", dataset = { title = \"own\", samples = 100_000, "
      "sample_size = \"2 MB\", decode_time = \"1 ms\" }, samples = 100_000 }\n"
      "[data]\nat = \"nas\"\n[store.nas]\nvia = [\"ib*\"]\nmodel = { title = \"NAS\", "
      "capacity = \"1 PB\", read_bandwidth = \"1 GB/s\", read_latency = \"1 ms\", "
      "read_rate = \"100 k/s\" }\n",
      {"store.nas.model.read_latency=3 ms"});
  check_told(
      "[system]\ntitle = \"box\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
      "\"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[[system.gpu]]\nid = \"gpu0\"\nmodel = "
      "\"nvidia-a100-pcie-40gb\"\nat = \"cpu0\"\n" +
          kTrained + "[data]\nat = \"ssd0\"\n",
      {"system.drive[ssd0].model.read_bandwidth=100 MB/s"});
}

TEST_CASE("what a result tells of a machine made of a chassis is the chassis and its parts") {
  check_told(
      "[system]\nchassis = \"dell-r760xa\"\ncpu = \"2 x intel-xeon-gold-6548y-plus\"\n"
      "memory = \"512 GB\"\ngpu = \"4 x nvidia-l40s\"\ndrives = "
      "\"8 x kioxia-cm7-r-7.68tb\"\n" +
          kTrained,
      {"system.drive[*].model.read_bandwidth=100 MB/s"});
}

TEST_CASE("what a result tells of a benchmark given as a table holds its data set once") {
  check_told(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"emulated\"\n[workload.job]\ntitle = "
      "\"own\"\naccelerator = \"a timer\"\nbatch = 4\ncompute_time = \"20 ms\"\nread_threads = 2\n"
      "threshold = \"90 %\"\n[workload.job.dataset]\ntitle = \"own\"\nsamples = 4000\n"
      "sample_size = \"1 MB\"\ndecode_time = \"1 ms\"\n",
      {});
}

TEST_CASE("what is set of a socket's memory is told as it was given") {
  const std::string text = "system = \"nvidia-dgx1-p100\"\n" + kTrained;
  const std::vector<std::string> sets{"system.socket[*].model.memory_bandwidth=50 GB/s"};
  check_told(text, sets);
  CHECK(to_toml(told_of(text, sets)).ends_with("above:\n#   --set '" + sets.front() + "'\n"));
}
