// SPDX-License-Identifier: Apache-2.0
// Speed, as JSON. Machines differ, so times also stand as ratios to others of the same run: to a
// bare priority queue, to the other engine, to fewer nodes. Figures, not tests: nothing here fails.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "reports/study/sweep_run.h"
#include "sim/base/numbers/statistics.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/range/effects.h"
#include "sim/simulate.h"
#include "tests/bench/clusters.h"
#include "tests/bench/engine_events.h"
#include "tests/bench/seconds.h"
#include "tests/bench/window.h"

using namespace gpufeed;
using Json = nlohmann::ordered_json;

namespace {

double peak_memory_MB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

const std::string kSource = GPUFEED_SOURCE_DIR;

const Catalog& catalog() {
  static const Catalog known({kSource + "/hw_catalog", kSource + "/workloads"});
  return known;
}

Scenario scenario_of(const std::string& text, const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(text, "bench.toml", catalog(), overrides);
}

Scenario dgx1_epoch(const std::vector<std::string>& sets) {
  return scenario_of(
      "system = \"nvidia-dgx1-p100\"\n"
      "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
      sets);
}

Json timed(const std::string& name, const Scenario& scenario, std::size_t runs = 5) {
  Result result;
  const double time = seconds_of([&] { result = simulate(scenario); }, runs);
  return {{"scenario", name},
          {"steps", result.simulated.steps},
          {"simulated_nodes", result.simulated.folded.simulated_nodes},
          {"time_s", time}};
}

Json scenario_times() {
  Json out = Json::array();
  const auto add = [&](const std::string& name, const std::vector<std::string>& sets) {
    for (const std::string engine : {"fluid", "simgrid"}) {
      auto all = sets;
      all.push_back("run.engine=" + engine);
      out.push_back(timed(fmt::format("{}, {}", name, engine), dgx1_epoch(all)));
    }
  };
  add("DGX-1, ImageNet epoch, to 0.5 %", {});
  add("DGX-1, ImageNet epoch, every step", {"run.extrapolate=false"});
  add("DGX-1, storage-bound, to 0.5 %", {"workload.model=alexnet", "workload.batch_per_gpu=512",
                                         "workload.dataset=imagenet-200kb-10m"});
  return out;
}

/// Each example on its own, then the median and the slowest.
Json example_times() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource + "/examples"))
    if (entry.path().extension() == ".toml" && entry.path().filename() != "sweep.toml" &&
        !entry.path().stem().string().starts_with("observed") &&
        !entry.path().stem().string().starts_with("cluster") &&
        !entry.path().stem().string().starts_with("goal"))
      files.insert(entry.path());
  Json each = Json::object();
  std::vector<double> times;
  for (const auto& file : files) {
    const Scenario scenario = load_scenario(file, catalog());
    times.push_back(seconds_of([&] { simulate(scenario); }, 3));
    each[std::filesystem::relative(file, kSource + "/examples").string()] = times.back();
  }
  return {{"median_s", median(times)}, {"slowest_s", std::ranges::max(times)}, {"each_s", each}};
}

/// Nodes of eight GPUs on a store that all share; with 256 and more it holds all up.
Scenario cluster(std::int64_t nodes, const std::vector<std::string>& sets) {
  const std::string text = fmt::format(
      "system = \"nvidia-dgx1-p100\"\nnodes = {}\n"
      "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-200kb-10m\"\nbatch_per_gpu = 64\n"
      "[data]\nat = \"nas\"\n[store.nas]\nmodel = \"pure-flashblade-15-blade\"\n"
      "protocol = \"none\"\n",
      nodes);
  std::vector<std::string> all{fmt::format("workload.dataset.samples={}", 512'000 * nodes)};
  all.insert(all.end(), sets.begin(), sets.end());
  return scenario_of(text, all);
}

/// By nodes: the time, and how much more of it a node costs than the one node alone.
Json growth() {
  Json out = Json::array();
  double alone = 0;
  for (const std::int64_t nodes : {1, 4, 16, 64, 256, 1024, 4096}) {
    Json row = timed(fmt::format("{} nodes", nodes), cluster(nodes, {}), nodes > 64 ? 1 : 3);
    const double time = row.at("time_s");
    if (nodes == 1) alone = time;
    row["time_per_node_over_one_node"] = time / (static_cast<double>(nodes) * alone);
    row["peak_memory_MB_so_far"] = peak_memory_MB();
    out.push_back(std::move(row));
  }
  return out;
}

/// By nodes: the time of the effects of a scenario's values, each of which makes plans. Over that
/// of one node, it grows by the kinds of nodes alone. Ranges only scale a result: any will do.
Json ranges() {
  Json out = Json::array();
  const Result result = simulate(cluster(1, {"run.range_samples=0"}));
  double alone = 0;
  for (const std::string mode : {"synchronous", "asynchronous"})
    for (const std::int64_t nodes : {1, 16, 256, 4096}) {
      const Scenario scenario = cluster(nodes, {"exchange.mode=" + mode});
      const double time = seconds_of([&] { effects_of(scenario, result); }, 3);
      if (nodes == 1) alone = time;
      out.push_back({{"scenario", fmt::format("range, {} nodes, {}", nodes, mode)},
                     {"time_s", time},
                     {"time_over_one_node", time / alone}});
    }
  return out;
}

/// What an answer with its interval costs, over one without.
Json intervals() {
  Json out = Json::array();
  const auto add = [&](const std::string& name, const auto& scenario_with) {
    const Scenario asked = scenario_with({});
    const Scenario not_asked = scenario_with({"run.range_samples=0"});
    const double with = seconds_of([&] { simulate(asked); }, 5);
    const double without = seconds_of([&] { simulate(not_asked); }, 5);
    out.push_back({{"scenario", name},
                   {"time_s", with},
                   {"time_over_no_interval", with / without},
                   {"peak_memory_MB_so_far", peak_memory_MB()}});
  };
  using Sets = std::vector<std::string>;
  add("DGX-1, ImageNet epoch", [](const Sets& sets) { return dgx1_epoch(sets); });
  for (const std::int64_t nodes : {64, 4096})
    add(fmt::format("{} nodes on a busy store", nodes),
        [&](const Sets& sets) { return cluster(nodes, sets); });
  add("64 nodes, unlike shares of a busy store", [](const Sets& sets) {
    Sets all{"store.nas.protocol=nfs-tcp"};
    all.insert(all.end(), sets.begin(), sets.end());
    return cluster(64, all);
  });
  add("8 nodes, unlike shares of a store", [](const Sets& sets) {
    Sets all{"store.nas.protocol=nfs-tcp", "workload.epochs=20"};
    all.insert(all.end(), sets.begin(), sets.end());
    return cluster(8, all);
  });
  return out;
}

/// What an answer costs that tells which defaults decide, over one that does not.
Json defaults() {
  Json out = Json::array();
  const auto add = [&](const std::string& name, Scenario scenario) {
    scenario.run.range_samples = 0;
    const double with = seconds_of([&] { simulate(scenario); }, 3);
    scenario.run.deciding = false;
    const double without = seconds_of([&] { simulate(scenario); }, 3);
    out.push_back(
        {{"scenario", name}, {"time_s", with}, {"time_over_no_defaults", with / without}});
  };
  add("DGX-1, ImageNet epoch", dgx1_epoch({}));
  add("DGX-1, small batches", dgx1_epoch({"workload.batch_per_gpu=2"}));
  add("8 nodes, unlike shares of a store", cluster(8, {"store.nas.protocol=nfs-tcp"}));
  return out;
}

/// Every node simulated, on a store that they overload: what a node costs in a step, over what it
/// costs of 16. At most twice, up to 256.
Json each_node() {
  Json out = Json::array();
  double of_16 = 0;
  for (const std::int64_t nodes : {16, 64, 256}) {
    Json row = timed(fmt::format("{} nodes, each simulated", nodes),
                     cluster(nodes, {"run.fold=false"}), 1);
    const double time = row.at("time_s");
    const double steps = row.at("steps");
    const double cost = time / (static_cast<double>(nodes) * steps);
    if (nodes == 16) of_16 = cost;
    row["time_per_node_and_step_over_16_nodes"] = cost / of_16;
    out.push_back(std::move(row));
  }
  return out;
}

/// The same on a store whose readers have unlike shares of it, four steps: over what a node costs
/// of 64.
Json uneven_readers() {
  Json out = Json::array();
  double of_64 = 0;
  for (const std::int64_t nodes : {64, 512, 4096}) {
    const auto samples = fmt::format("workload.dataset.samples={}", nodes * 8 * 64 * 4);
    Json row = timed(fmt::format("{} nodes, uneven readers, each simulated", nodes),
                     cluster(nodes, {"run.fold=false", "run.range_samples=0",
                                     "store.nas.protocol=nfs-tcp", samples}),
                     1);
    const double cost = row.at("time_s").get<double>() / static_cast<double>(nodes);
    if (nodes == 64) of_64 = cost;
    row["time_per_node_over_64_nodes"] = cost / of_64;
    out.push_back(std::move(row));
  }
  return out;
}

/// A whole sweep, once: reading, simulating and writing 10,000 points, a thread for each core.
Json sweep_time() {
  const auto results = std::filesystem::temp_directory_path() / "gpufeed_bench.sqlite";
  std::filesystem::remove(results);
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  const auto start = std::chrono::steady_clock::now();
  const SweepPlan plan =
      plan_sweep(kSource + "/tests/bench/sweep/sweep.toml", catalog(), {}, "bench");
  {
    SweepStore store(results, plan, {});
    run_sweep(plan, store,
              {.shard = {},
               .jobs = jobs,
               .stop = [] { return false; },
               .progress = [](std::int64_t, std::int64_t) {}});
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::filesystem::remove(results);
  const auto points = static_cast<double>(plan.points.count());
  return {{"points", points},
          {"jobs", jobs},
          {"time_s", took.count()},
          {"points_per_s", points / took.count()}};
}

}  // namespace

/// Sections by name; all where none is named.
int main(int argc, char** argv) {
  const std::set<std::string> wanted(argv + 1, argv + argc);
  const std::vector<std::pair<std::string, Json (*)()>> sections{
      {"engine", engine_events},
      {"shared_store", shared_store_events},
      {"scenarios", scenario_times},
      {"examples", example_times},
      {"growth", growth},
      {"ranges", ranges},
      {"intervals", intervals},
      {"defaults", defaults},
      {"each_node", each_node},
      {"uneven_readers", uneven_readers},
      {"sweep", sweep_time},
      {"clusters", cluster_times},
      {"window", window_times}};
  Json out;
  for (const auto& [name, measure] : sections)
    if (wanted.empty() || wanted.contains(name)) out[name] = measure();
  out["peak_memory_MB"] = peak_memory_MB();
  std::puts(out.dump(2).c_str());
}
