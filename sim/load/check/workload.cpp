// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/load/check/checks.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// How many GPUs and samples there are.
class AmountChecker {
 public:
  AmountChecker(const Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario), workload_(scenario.workload), system_(system), out_(out) {}

  void check_length() {
    const auto* own = workload_.find<RunsEpochs>();
    if (own && own->samples && own->epochs)
      out_.refuse("workload.samples", workload_.where,
                  " and workload.epochs exclude each other; leave one out")
          .code = ProblemCode::conflict;
  }

  void check_gpus() {
    const auto present = static_cast<std::int64_t>(system_.gpus.size());
    const auto* own = workload_.find<ComputesModel>();
    const auto* sums = workload_.find<kind::Collective>();
    if (present == 0 && (own || sums || workload_.is<kind::Matmul>())) {
      out_.error(ProblemCode::missing_key, scenario_.system.where,
                 "{} has no [[gpu]]; {} needs one at least", system_.name,
                 name_of(workload_.kind()));
      return;
    }
    const std::int64_t asked = own ? own->gpus.value_or(0) : sums ? sums->gpus.value_or(0) : 0;
    if (asked > present)
      out_.refuse(ProblemCode::too_large, "workload.gpus", workload_.where,
                  " is {}, but {} has {} GPUs", asked, scenario_.system.name, present);
    if (sums && present > 0 && scenario_.nodes * (sums->gpus ? *sums->gpus : present) < 2)
      out_.error(ProblemCode::out_of_range, workload_.where,
                 "one GPU has nobody to exchange with: a collective takes two at least; take more "
                 "of them, or more nodes");
    if (sums && sums->from > sums->to)
      out_.error(ProblemCode::out_of_range, workload_.where,
                 "workload.from, the smallest size, is {}, and workload.to, the largest, {}; "
                 "exchange them",
                 text(sums->from, 4), text(sums->to, 4));
    const std::int64_t jobs = scenario_.loader.jobs;
    if (workload_.is<kind::Training>() && gpus_of_node() % jobs != 0)
      out_.refuse(ProblemCode::out_of_range, "loader.jobs", scenario_.loader.where,
                  " is {}, but {} GPUs cannot be shared equally among them", jobs, gpus_of_node());
  }

  /// Slices of a volume and frames of a video are images; and these may be stacked.
  static bool can_feed(Content holds, Content takes) {
    const auto pixels = [](Content content) {
      return content == Content::images || content == Content::video || content == Content::volumes;
    };
    return holds == takes || (pixels(holds) && pixels(takes));
  }

  void check_content() {
    const auto* own = workload_.find<FeedsGpus>();
    if (!own || !own->model || !own->dataset) return;
    const auto takes = own->model->takes;
    const auto holds = own->dataset->content;
    if (takes && holds && !can_feed(*holds, *takes))
      out_.refuse(ProblemCode::conflict, "workload.model", own->model.where,
                  ": {} takes {}, and the data set {} holds {}; choose another network "
                  "or data set",
                  own->model.name, name_of(*takes), own->dataset.name, name_of(*holds));
  }

  void check_one_step() {
    const auto& own = workload_.get<RunsEpochs>();
    const std::int64_t batch =
        gpus_in_use(workload_, system_, scenario_.nodes) * samples_of_step(workload_);
    const std::int64_t samples = dataset_samples(workload_);
    const std::int64_t fewest = std::min(samples, own.samples.value_or(samples));
    if (fewest < batch)
      out_.error(ProblemCode::too_large, workload_.where,
                 "one step of all GPUs takes {} samples, but there are only {}; lower "
                 "workload.batch_per_gpu or workload.gpus",
                 batch, fewest);
  }

  /// The engines count bytes exactly up to 1 PiB a flow.
  void check_batch_size() {
    using namespace literals;
    const std::int64_t of_step = samples_of_step(workload_);
    const auto samples = static_cast<double>(of_step);
    const auto refuse = [&](Bytes batch, std::string_view what) {
      if (batch > 1_PB)
        out_.error(ProblemCode::too_large, workload_.where,
                   "a batch of {} {} is {}; at most 1 PB can be simulated", of_step, what,
                   text(batch, 3));
    };
    refuse(workload_.dataset()->sample_size * samples, "stored samples");
    if (workload_.model()) refuse(workload_.model()->input_size * samples, "decoded samples");
  }

 private:
  std::int64_t gpus_of_node() const { return gpus_per_node(workload_, system_); }

  const Scenario& scenario_;
  const Workload& workload_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_workload(Scenario& scenario, const System& system, Diagnostics& out) {
  fill_defaults(scenario, system, out);
  AmountChecker amounts(scenario, system, out);
  amounts.check_length();
  amounts.check_gpus();
  amounts.check_content();
  check_nodes(scenario, system, out);
  const Workload& workload = scenario.workload;
  if (workload.is<kind::Io>()) check_io(scenario, system, out);
  if (workload.is<kind::Matmul>()) check_matmul(scenario, system, out);
  if (workload.is<kind::Transfers>()) check_transfers(scenario, system, out);
  if (workload.is<kind::Pipeline>()) check_pipeline(scenario, system, out);
  if (workload.is<FeedsGpus>()) check_decoding(scenario, system, out);
  if (workload.is<kind::Inference>()) check_inference(scenario, system, out);
  if (workload.is<RunsEpochs>() && workload.dataset()) {
    amounts.check_batch_size();
    amounts.check_one_step();
  }
}

}  // namespace gpufeed
