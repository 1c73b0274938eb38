// SPDX-License-Identifier: Apache-2.0
// Speed, as JSON. Machines differ, so every time also stands as a ratio to a bare priority queue in
// the same run. Figures, not tests: nothing here fails.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <queue>
#include <thread>

#include "reports/study/sweep_run.h"
#include "sim/base/random.h"
#include "sim/engine/engine.h"
#include "sim/load/load.h"
#include "sim/training/simulate.h"

using namespace gpufeed;
using Json = nlohmann::ordered_json;

namespace {

/// Median wall time of five runs.
double seconds_of(const std::function<void()>& work) {
  std::array<double, 5> times{};
  for (double& time : times) {
    const auto start = std::chrono::steady_clock::now();
    work();
    time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::ranges::sort(times);
  return times[2];
}

constexpr int kEvents = 20000;

/// An event costs at least a push and a pop of a queue this long.
double bare_queue_s(int length) {
  return seconds_of([&] {
    Random random(1);
    std::priority_queue<double, std::vector<double>, std::greater<>> queue;
    for (int i = 0; i < length; ++i) queue.push(random.uniform(0, 1));
    for (int i = 0; i < kEvents; ++i) {
      const double now = queue.top();
      queue.pop();
      queue.push(now + random.uniform(0, 1));
    }
  });
}

/// `concurrent` flows at a time over three links each, every end starting the next.
struct Traffic {
  Engine& engine;
  std::vector<RouteId> routes;
  int left = kEvents;
  void next(std::uint64_t flow) {
    if (--left < 0) return;
    const double size = 1e6 * (1 + static_cast<double>((flow * 2654435761u + 7u) % 1000) / 1000);
    engine.start_flow(routes[flow % routes.size()], {size}, callback<&Traffic::next>(*this, flow));
  }
};

double engine_s(std::unique_ptr<Engine> (*make)(), int concurrent) {
  return seconds_of([&] {
    const auto engine = make();
    Traffic traffic{*engine, {}};
    for (int i = 0; i < 8; ++i) {
      const std::array links{engine->add_link("drive", {1e9}), engine->add_link("uplink", {2e9}),
                             engine->add_link("memory", {3e9})};
      traffic.routes.push_back(engine->add_route(links));
    }
    for (int i = 0; i < concurrent; ++i) traffic.next(static_cast<std::uint64_t>(i));
    engine->run();
  });
}

Catalog bench_catalog() {
  const std::string source = GPUFEED_SOURCE_DIR;
  return Catalog({source + "/hw_catalog", source + "/workloads"});
}

Scenario dgx1_epoch(const Catalog& catalog, const std::vector<Override>& overrides) {
  return parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n"
      "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
      "dgx1.toml", catalog, overrides);
}

Json scenario_times(double queue_event_s) {
  const Catalog catalog = bench_catalog();
  Json out = Json::array();
  const auto add = [&](const std::string& name, const std::vector<std::string>& sets) {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    const Scenario scenario = dgx1_epoch(catalog, overrides);
    Result result;
    const double time = seconds_of([&] { result = simulate(scenario); });
    out.push_back({{"scenario", name},
                   {"steps", result.simulated.steps},
                   {"time_s", time},
                   {"queue_events_in_that_time", time / queue_event_s}});
  };
  add("DGX-1, ImageNet epoch, every step", {"run.extrapolate=false"});
  add("DGX-1, ImageNet epoch, adaptive stop", {});
  add("DGX-1, storage-bound, adaptive stop",
      {"workload.model=alexnet", "workload.batch_per_gpu=512",
       "workload.dataset=imagenet-200kb-10m"});
  const std::string light_rate =
      "workload.compute=[{gpu='nvidia-p100-sxm2-16gb', batch=8, rate='80 /s', source='bench', "
      "basis='estimate'}]";
  add("DGX-1, 4 NVMe, 16 workers a GPU, storage-bound, 500 steps",
      {"workload.model=i3d-video",
       "workload.batch_per_gpu=8",
       "workload.dataset=video-4k-clips",
       "loader.workers_per_gpu=16",
       "system.drive[ssd0].model=samsung-pm983-1.92tb",
       "system.drive[ssd0].at=cpu1",
       "system.drive[ssd0].lanes=2",
       "system.drive[ssd1].model=samsung-pm983-1.92tb",
       "system.drive[ssd1].at=cpu1",
       "system.drive[ssd1].lanes=2",
       "system.drive[ssd2].model=samsung-pm983-1.92tb",
       "system.drive[ssd2].at=cpu1",
       "system.drive[ssd2].lanes=2",
       "system.drive[ssd3].model=samsung-pm983-1.92tb",
       "system.drive[ssd3].at=cpu1",
       "system.drive[ssd3].lanes=2",
       "workload.dataset.decode_time=1 ms",
       light_rate,
       "run.precision=0.001 %",
       "run.max_steps=500"});
  const std::vector<std::string> cluster{"nodes=64", "workload.dataset=imagenet-200kb-10m",
                                         "workload.batch_per_gpu=64", "workload.samples=6553600",
                                         "run.extrapolate=false"};
  for (const std::string engine : {"simgrid", "fluid"}) {
    auto sets = cluster;
    sets.push_back("run.engine=" + engine);
    add("64 DGX-1, 200 steps, " + engine, sets);
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
      plan_sweep(GPUFEED_SOURCE_DIR "/tests/bench/sweep/sweep.toml", bench_catalog(), {}, "bench");
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
  return {{"points", plan.points.count()}, {"jobs", jobs}, {"seconds", took.count()}};
}

}  // namespace

int main() {
  Json out;
  const double queue_event_s = bare_queue_s(64) / kEvents;
  out["bare_queue_us_per_event"] = queue_event_s * 1e6;
  out["engine"] = Json::array();
  for (const int concurrent : {8, 64, 512}) {
    const double queue_s = bare_queue_s(concurrent) / kEvents;
    const double simgrid_s = engine_s(make_simgrid_engine, concurrent) / kEvents;
    const double fluid_s = engine_s(make_fluid_engine, concurrent) / kEvents;
    out["engine"].push_back({{"concurrent_flows", concurrent},
                             {"simgrid_us_per_event", simgrid_s * 1e6},
                             {"fluid_us_per_event", fluid_s * 1e6},
                             {"simgrid_over_fluid", simgrid_s / fluid_s},
                             {"simgrid_over_bare_queue", simgrid_s / queue_s},
                             {"fluid_over_bare_queue", fluid_s / queue_s}});
  }
  out["scenarios"] = scenario_times(queue_event_s);
  out["sweep"] = sweep_time();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  out["peak_memory_MB"] = static_cast<double>(usage.ru_maxrss) / 1e3;
  std::puts(out.dump(2).c_str());
}
