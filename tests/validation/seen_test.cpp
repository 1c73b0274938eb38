// SPDX-License-Identifier: Apache-2.0
// What results call outside what was seen are the bounds of what the cases measured: no case lies
// beyond one, and none lies beyond all cases.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/unseen.h"
#include "tests/support/validation_cases.h"

using namespace gpufeed;

namespace {

std::vector<Warning> warnings_of(Scenario scenario) {
  scenario.run.once();
  scenario.run.max_steps = 50;  // how fast it is, is of no matter here
  return unseen_in(simulate(scenario));
}

/// Of a job that lies beyond one bound.
Warning warning_of(const std::string& text) {
  const auto all =
      warnings_of(parse_scenario("title = \"t\"\n" + text, "test.toml", own_catalog()));
  REQUIRE(all.size() == 1);
  return all.front();
}

/// The greatest of what `value` says of the cases of which `of` holds.
template <class Of, class Value>
std::int64_t most(Of&& of, Value&& value) {
  std::int64_t most = 0;
  for (const LoadedCase& one : loaded_cases())
    if (of(*one.scenario)) most = std::max(most, std::int64_t{value(*one.scenario)});
  return most;
}

template <class Kind>
bool holds_kind(const Scenario& scenario) {
  return scenario.workload.find<Kind>() != nullptr;
}

std::int64_t nodes_together(const Scenario& scenario) { return scenario.nodes; }
std::int64_t gpus_in_node(const Scenario& scenario) { return gpus_per_node(scenario); }

std::string training(const std::string& keys) {
  return keys +
         "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
         "batch_per_gpu = 64\nsamples = 100_000\ncompute = [{ gpu = \"nvidia-v100-sxm2-16gb\", "
         "precision "
         "= \"fp16\", batch = 64, rate = \"700 samples/s\", source = \"made up\", basis = "
         "\"estimate\" }]\n[loader]\ndecode = \"none\"\n";
}

std::string emulated(std::int64_t nodes, std::int64_t gpus, const std::string& store,
                     const std::string& protocol) {
  return fmt::format(
      "system = \"nvidia-dgx-h100\"\nnodes = {}\ndata = {{ at = \"nas\" }}\nstore = {{ nas = {{ "
      "model = \"{}\", protocol = \"{}\" }} }}\n[workload]\nkind = \"emulated\"\njob = "
      "\"mlperf-resnet50-h100\"\ngpus = {}\nsamples = 500_000\n",
      nodes, store, protocol, gpus);
}

std::string lustre(std::int64_t nodes, std::int64_t gpus) {
  return emulated(nodes, gpus, "lustre-oakforest-pacs", "lustre");
}

/// Whether it tells of what was seen: reads of one cluster of servers each are no jobs, and each of
/// a family of its own.
bool is_seen(const LoadedCase& one) {
  return one.one->mechanism != "clusters of stores, large reads";
}

}  // namespace

TEST_CASE("no case lies outside what was seen") {
  std::size_t looked_at = 0;
  for (const LoadedCase& one : loaded_cases()) {
    const Scenario& scenario = *one.scenario;
    if (!holds_kind<kind::Training>(scenario) && !holds_kind<kind::Emulated>(scenario) &&
        !holds_kind<kind::Checkpointing>(scenario) && !holds_kind<kind::Loader>(scenario))
      continue;
    if (!is_seen(one)) continue;
    ++looked_at;
    CAPTURE(one.one->title);
    CHECK(warnings_of(scenario).empty());
  }
  CHECK(looked_at > 300);
}

TEST_CASE("nodes and GPUs beyond what was seen are those beyond the largest of a case") {
  const auto nodes = most(holds_kind<kind::Training>, nodes_together);
  CHECK(
      warning_of(training(fmt::format("system = \"nvidia-dgx1-v100\"\nnodes = {}\n", nodes + 1))) ==
      fact<WarningCode::nodes_unseen>(nodes + 1, nodes));
  const auto gpus = most(holds_kind<kind::Training>, gpus_in_node);
  std::string many;
  for (std::int64_t i = 0; i <= gpus; ++i)
    many += fmt::format(
        "{{ id = \"gpu{}\", model = \"nvidia-v100-sxm2-16gb\", at = \"cpu0\", lanes = 4 }},", i);
  const Warning large =
      warning_of(training("data = { at = \"d\" }\n") +
                 "[system]\ntitle = \"many\"\nsocket = [{ id = \"cpu0\", model = "
                 "\"amd-epyc-7302\", memory = \"1 TiB\" }]\ndrive = [{ id = \"d\", model = "
                 "\"samsung-pm1733-15.36tb\", at = \"cpu0\" }]\ngpu = [" +
                 many + "]\n");
  CHECK(large == fact<WarningCode::gpus_of_node_unseen>(gpus + 1, gpus));
}

TEST_CASE("hosts and accelerators beyond what was seen are those beyond the largest of a case") {
  const auto hosts = most(holds_kind<kind::Emulated>, nodes_together);
  CHECK(warning_of(lustre(hosts + 1, 2)) == fact<WarningCode::hosts_unseen>(hosts + 1, hosts));
  const auto accelerators = most(holds_kind<kind::Emulated>, gpus_in_node);
  CHECK(warning_of(lustre(1, accelerators + 1)) ==
        fact<WarningCode::accelerators_of_host_unseen>(accelerators + 1, accelerators));
  const auto savers = most(holds_kind<kind::Checkpointing>, nodes_together);
  CHECK(warning_of(fmt::format("system = \"nvidia-dgx-h100\"\nnodes = {}\ndata = {{ at = \"nas\" "
                               "}}\nstore = {{ nas = {{ model = \"weka-wekapod-nitro-8-servers\", "
                               "protocol = \"weka\" }} }}\n[workload]\nkind = \"checkpointing\"\n"
                               "model = \"llama3-1t\"\n",
                               2 * savers)) ==
        fact<WarningCode::checkpointing_hosts_unseen>(2 * savers, savers));
}

TEST_CASE("protocols outside what was seen are those of no case") {
  std::set<std::string> families;
  for (const LoadedCase& one : loaded_cases()) {
    const Scenario& scenario = *one.scenario;
    if (!holds_kind<kind::Training>(scenario) && !holds_kind<kind::Emulated>(scenario) &&
        !holds_kind<kind::Loader>(scenario))
      continue;
    if (!is_seen(one)) continue;
    const Store* store = find_store(scenario, scenario.data.at);
    if (store && store->protocol && !(*store->protocol)->family.empty())
      families.insert((*store->protocol)->family);
  }
  CHECK(warning_of(emulated(1, 2, "netapp-aff-a90", "smb-3")) ==
        fact<WarningCode::protocol_unseen>(
            "smb", std::vector<std::string>(families.begin(), families.end())));
}

TEST_CASE("page caches smaller than what was seen are smaller than those of all cases") {
  double least = 1e18;
  for (const LoadedCase& one : loaded_cases())
    if (const auto& memory = one.scenario->loader.cache_memory; memory && memory->value > 0)
      least = std::min(least, memory->value);
  const double mebibytes = least / 1048576;
  CHECK(warning_of(
            fmt::format(
                "system = \"nvidia-dgx1-v100\"\n[workload]\nkind = \"loader\"\nbatch_per_gpu = 4\n"
                "epochs = 3\ndataset = {{ title = \"d\", samples = 4000, sample_size = \"128 KiB\" "
                "}}\n"
                "[loader]\ndecode = \"none\"\nworkers_per_gpu = 2\ncache_memory = \"{} MiB\"\n",
                mebibytes - 1))
            .arguments.at(1) == FactValue(FactQuantity{least, FactUnit::bytes}));
}

TEST_CASE("collectives beyond what they were seen for are those beyond the largest of a case") {
  const auto mebibytes = most(holds_kind<kind::Collective>, [](const Scenario& scenario) {
    return static_cast<std::int64_t>(scenario.workload.get<kind::Collective>().to.value) >> 20;
  });
  CHECK(warning_of("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"collective\"\n"
                   "to = \"32 GiB\"\n") ==
        fact<WarningCode::collectives_unseen_size>(Bytes{static_cast<double>(mebibytes << 20)}));
}

TEST_CASE("products unlike those that were timed lie beyond the shapes of all cases") {
  using Size = std::int64_t ProductShape::*;
  const auto greatest = [](Size size) {
    return most(holds_kind<kind::Matmul>, [size](const Scenario& scenario) {
      std::int64_t found = 0;
      for (const ProductShape& shape : scenario.workload.get<kind::Matmul>().products)
        found = std::max(found, shape.*size);
      return found;
    });
  };
  const auto products = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return warnings_of(parse_scenario(
        fmt::format("title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n"
                    "precision = \"bf16\"\nproduct = [{{ m = {}, n = {}, k = {} }}]\n",
                    m, n, k),
        "test.toml", own_catalog()));
  };
  const auto m = greatest(&ProductShape::m), n = greatest(&ProductShape::n),
             k = greatest(&ProductShape::k);
  CHECK(products(m, 256, 256).empty());
  CHECK(products(64, n, 256).empty());
  CHECK(products(64, 256, k).empty());
  CHECK(products(m + 1, 256, 256).size() == 1);
  CHECK(products(64, n + 1, 256).size() == 1);
  CHECK(products(64, 256, k + 1).size() == 1);
}
