// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/serving/serving_plan.h"

#include <algorithm>
#include <map>

#include "sim/model/compute.h"
#include "sim/model/step_estimate.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

/// The same machine, reading as it would for training.
Scenario as_training(const Scenario& scenario) {
  Scenario copy = scenario;
  const auto& served = scenario.workload.get<kind::Inference>();
  kind::Training training;
  static_cast<ComputesModel&>(training) = served;
  training.batch_per_gpu = served.serving->largest_batch;
  training.epochs = 1;
  if (!served.forward.empty()) training.compute = served.forward;
  copy.workload.of_kind = training;
  // The length of an epoch does not matter here.
  copy.workload.get<ReadsDataset>().dataset_samples = global_batch(copy);
  std::int64_t threads = 0;
  for (const auto& socket : scenario.system->sockets)
    threads += socket.model->cores * socket.model->threads_per_core;
  const std::int64_t gpus = gpus_in_use(scenario);
  copy.loader.style = LoaderStyle::pytorch;
  copy.loader.workers_per_gpu = (threads + gpus - 1) / gpus;
  copy.loader.prefetch_batches = 1;
  copy.loader.cache = CacheRule::none;  // every input is read for the first time
  copy.loader.jobs = 1;
  if (served.serving->inputs == InputsFrom::memory) {
    copy.data.path = ReadPath::host;
    copy.data.mode = ReadMode::direct;
  }
  return copy;
}

class ServingPlanner {
 public:
  explicit ServingPlanner(const Scenario& scenario)
      : scenario_(scenario), workload_(scenario.workload.get<kind::Inference>()) {}

  ServingPlan make() {
    out_.plan = make_plan(as_training(scenario_));
    out_.reads = workload_.serving->inputs == InputsFrom::storage;
    if (!out_.reads) out_.plan.fetch = {};
    std::map<std::string, std::vector<Seconds>> known;
    for (const auto& gpu : out_.plan.gpus) {
      const auto& name = scenario_.system->gpus[static_cast<std::size_t>(gpu.number)].model.name;
      if (!known.contains(name)) known[name] = times_of(name);
      out_.forward.push_back(known[name]);
    }
    return std::move(out_);
  }

 private:
  std::vector<Seconds> times_of(const std::string& gpu) {
    const bool own = !workload_.forward.empty();
    const auto rows = own ? forward_rows(workload_, gpu) : compute_rows(workload_, gpu);
    const auto smallest = rows.empty() ? 1 : rows.front().batch;
    std::vector<Seconds> times;
    ComputeTime last;
    for (std::int64_t batch = 1; batch <= workload_.serving->largest_batch; ++batch) {
      last = own ? compute_time(rows, batch) : compute_time(workload_, gpu, batch);
      times.push_back(last.step / (own ? 1 : kForwardsPerStep));
    }
    out_.basis = own ? last.basis : Basis::estimate;
    if (smallest > 1)
      warn(fmt::format(
          "no rate of {} is known below batch {}: smaller batches are taken to take "
          "{}",
          gpu, smallest, rows.size() == 1 ? "time in proportion" : "what the nearest two imply"));
    if (!last.caveat.empty() && (rows.empty() || workload_.serving->largest_batch > smallest))
      warn(last.caveat);
    if (!own && last.includes_exchange)
      warn(
          fmt::format("the training rate of {} includes the exchange of gradients, which a "
                      "forward pass does not have: it is faster than assumed here",
                      gpu));
    return times;
  }

  void warn(const std::string& text) {
    if (!std::ranges::count(out_.warnings, text)) out_.warnings.push_back(text);
  }

  const Scenario& scenario_;
  const kind::Inference& workload_;
  ServingPlan out_;
};

}  // namespace

ServingPlan make_serving_plan(const Scenario& scenario) { return ServingPlanner(scenario).make(); }

}  // namespace gpufeed
