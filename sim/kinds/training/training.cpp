// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/training.h"

#include <algorithm>
#include <numeric>

#include "sim/answer/answer.h"
#include "sim/engine/engine.h"
#include "sim/job/epochs/stretch.h"
#include "sim/job/fold/fold.h"
#include "sim/job/staging.h"
#include "sim/kinds/training/assumptions.h"
#include "sim/kinds/training/other_shares.h"
#include "sim/kinds/training/over_epochs.h"
#include "sim/kinds/training/parts_trained.h"
#include "sim/kinds/training/repeated.h"
#include "sim/model/scenario.h"
#include "sim/plan/checkpoint/plan_checkpoints.h"
#include "sim/plan/make/job_length.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

bool stages_in_first_epoch(const Scenario& scenario) {
  const auto& staging = scenario.data.staging;
  return staging && staging->mode == StagingMode::first_epoch;
}

/// Of the later epochs, or of all where they are alike. An only epoch that copies the data in reads
/// from the store.
Plan plan_of(const Scenario& scenario) {
  const bool staged = stages_in_first_epoch(scenario) && job_length(scenario).epochs == 1;
  return staged ? make_staged_epoch_plan(scenario) : make_plan(scenario);
}

Plan shifted(Plan plan, const std::vector<Shift>& shifts) {
  for (const Shift& shift : shifts) apply(shift, plan);
  return plan;
}

/// Without extrapolation each batch of each GPU is simulated: a minute for some ten million.
void check_length(const Scenario& scenario, const Plan& plan) {
  constexpr double kMostBatches = 1e8;
  const double batches = static_cast<double>(plan.steps) * static_cast<double>(plan.gpus.size());
  if (scenario.run.extrapolate || batches <= kMostBatches) return;
  Diagnostics out;
  out.error(ProblemCode::out_of_range, scenario.run.where,
            "run.extrapolate = false asks for {} steps of {} GPUs; at most 100 million batches are "
            "simulated one by one, so train fewer samples or let the rest be extrapolated",
            plan.steps, plan.gpus.size());
  out.throw_if_any();
}

/// The same ways as in `plan_of`: of many nodes a few have all that there are.
Plan plan_of_ways(const Scenario& scenario) {
  if (scenario.run.extrapolate)
    if (const auto few = traffic_of(scenario)) return make_plan_of_few(scenario, *few);
  return plan_of(scenario);
}

/// In the order in which a simulation comes to what it refuses.
void check_plan(const Scenario& scenario) {
  const Plan plan = plan_of_ways(scenario);
  check_length(scenario, plan);
  if (scenario.run.engine == EngineKind::simgrid) require_simgrid();
  if (!stages_in_first_epoch(scenario))
    staging_time(scenario);
  else if (plan.steps > plan.steps_per_epoch)
    make_staged_epoch_plan(scenario);
}

/// What its processors decode goes with what they compute; waiting for its engines does not.
double busy_time(const GpuPlan& gpu, const TimeSpent& spent) {
  const double computing = spent[static_cast<std::size_t>(Activity::compute)];
  if (gpu.decode_in_compute.value == 0) return computing;
  return computing * (gpu.compute / (gpu.compute - gpu.decode_in_compute));
}

/// Share of the time of some epochs that GPUs compute. \param plan  of all nodes
double utilization(const Plan& plan, const EpochsAccount& epochs) {
  if (plan.nominal_compute.value > 0)  // what a benchmark counts: not the host's part of a step
    return plan.nominal_compute.value / epochs.step_s();
  const std::vector<TimeSpent> all = spent_by_all(plan, epochs.spent);
  double total = 0, busy = 0;
  for (std::size_t g = 0; g < all.size(); ++g) {
    total += std::accumulate(all[g].begin(), all[g].end(), 0.0);
    busy += busy_time(plan.gpus[g], all[g]);
  }
  return busy / total;
}

class Simulation {
 public:
  Simulation(const Scenario& scenario, const std::vector<Shift>& shifts,
             FoldFor what = FoldFor::answers)
      : scenario_(scenario),
        shifts_(shifts),
        plan_(shifted(plan_of(scenario), shifts)),
        folding_(fold_nodes(scenario, plan_, what)) {
    first_.steps = std::min(plan_.steps_per_epoch, plan_.steps);
    later_ = {
        .steps = plan_.steps - first_.steps, .hits = plan_.later_hits, .before = first_.steps};
    first_.per_epoch = later_.per_epoch = plan_.steps_per_epoch;
    outcome_.folded = {folding_.nodes, folding_.why};
    outcome_.bound = throughput_bound(plan_);
    check_length(scenario, plan_);
  }

  WithUnheld run() {
    if (!stages_in_first_epoch(scenario_))
      outcome_.staging = staging_time(scenario_);
    else if (later_.steps > 0)
      outcome_.first_plan = shifted(make_staged_epoch_plan(scenario_), shifts_);
    run_epochs();
    if (plan_.checkpoint) save();
    account();
    share_time();
    // What checkpoints add comes at the store's pace for all writers together.
    outcome_.other_shares = other_shares(scenario_, simulated(), later_, alike_step_s_) *
                            outcome_.epochs.trained.all_s / outcome_.epochs.all_s();
    // All that is told rests on one draw of them, half of what makes two runs differ.
    outcome_.record.known_to =
        std::hypot(outcome_.record.known_to, outcome_.other_shares / std::sqrt(2.0));
    Result result = told();
    result.assumptions = assumptions_of(scenario_, plan_);
    return {std::move(result), outcome_.unheld};
  }

 private:
  Result told() const {
    if (plan_.parts_equal()) return make_result(scenario_, plan_, outcome_);
    Plan trained = plan_;
    set_parts_trained(trained, outcome_.spent);
    return make_result(scenario_, trained, outcome_);
  }

  /// What is simulated of the later epochs, or of all.
  const Plan& simulated() const { return folding_.plan ? *folding_.plan : plan_; }

  void run_epochs() {
    first_.hits = first_plan().first_hits;
    if (later_.steps > 0 && (later_.hits.found() > 0 || outcome_.first_plan))
      outcome_.first_epoch = run_alike_epochs(scenario_, plan_of_first_run(), first_);
    else
      later_ = {.steps = plan_.steps, .per_epoch = plan_.steps_per_epoch, .hits = first_.hits};
    outcome_.record = run_alike_epochs(scenario_, simulated(), later_);
  }

  /// Where drives are a cache, the first epoch is another job: it reads the store alone.
  Plan plan_of_first_run() const {
    return plan_.reads_through ? finding(simulated(), first_.hits) : first_plan();
  }

  const Plan& first_plan() const {
    return outcome_.first_plan ? *outcome_.first_plan : simulated();
  }

  void save() {
    Saved& saved = outcome_.saved.emplace();
    if (outcome_.first_epoch)
      saved.first = save_epochs(scenario_, first_plan(), first_, *outcome_.first_epoch);
    saved.later = save_epochs(scenario_, simulated(), later_, outcome_.record);
    saved.restart = restart_time(scenario_, plan_);
  }

  void account() {
    const auto& first = outcome_.first_epoch;
    Unheld of_first;
    if (first) {
      outcome_.first = account_of(first_plan(), *first, first_);
      of_first = hold_first();
    }
    Repeated all = repeated(scenario_, simulated(), later_, outcome_.record,
                            account_of(simulated(), outcome_.record, later_));
    outcome_.runs = all.runs;
    const Record* const before = first && plan_.streams() ? &*first : nullptr;
    if (plan_.filling.empty())
      account_alike(std::move(all), before);
    else
      account_filling(std::move(all), before);
    if (first) outcome_.unheld = further(outcome_.unheld, of_first);
    if (!outcome_.saved) return;
    if (first) add_checkpoints(*outcome_.first, plan_, *first, first_, outcome_.saved->first);
    add_checkpoints(outcome_.epochs, plan_, outcome_.record, later_, outcome_.saved->later);
    outcome_.record.known_to = std::hypot(
        outcome_.record.known_to, outcome_.saved->later.known_to.value / outcome_.epochs.all_s());
  }

  /// To what a job of the first epoch alone could read.
  Unheld hold_first() {
    Plan alone = outcome_.first_plan ? *outcome_.first_plan : plan_;
    alone.epochs = 1;
    return hold_to(*outcome_.first, *outcome_.first_epoch, alone, throughput_bound(alone).rate,
                   scenario_.run.precision);
  }

  /// Of epochs that find equally much in the page cache.
  void account_alike(Repeated all, const Record* before) {
    outcome_.epochs = std::move(all.mean);
    outcome_.record.known_to = all.known_to;
    outcome_.record.runs_differ = all.runs_differ;
    const Rate bound = outcome_.bound.rate;
    const Rate of_parts = bound_of_parts(plan_, outcome_.epochs.spent, bound);
    if (before) begin_early(outcome_.epochs, plan_, *before, of_parts);
    outcome_.unheld =
        hold_to(outcome_.epochs, outcome_.record, plan_, bound, scenario_.run.precision);
    keep_below(outcome_.epochs, outcome_.record, plan_, of_parts);
    alike_step_s_ = outcome_.epochs.step_s();
  }

  void account_filling(Repeated at_mean, const Record* before) {
    alike_step_s_ = at_mean.mean.step_s();
    OverEpochs all = over_epochs(scenario_, plan_, simulated(), later_, outcome_.record,
                                 std::move(at_mean), before);
    outcome_.epochs = std::move(all.mean);
    outcome_.record = std::move(all.record);
    outcome_.unheld = all.unheld;
    outcome_.bound.rate = all.bound;
  }

  void share_time() {
    outcome_.throughput = {plan_.global_batch() / outcome_.epochs.step_s()};
    outcome_.spent = spent_by_all(plan_, outcome_.epochs.spent);
    double total = 0;
    for (const TimeSpent& spent : outcome_.spent)
      for (std::size_t a = 0; a < kActivities; ++a) {
        outcome_.share[a] += spent[a];
        total += spent[a];
      }
    for (double& share : outcome_.share) share /= total;
    outcome_.utilization = utilization(plan_, outcome_.epochs);
    if (outcome_.first)
      outcome_.first_utilization =
          utilization(outcome_.first_plan ? *outcome_.first_plan : plan_, *outcome_.first);
  }

  const Scenario& scenario_;
  const std::vector<Shift>& shifts_;
  Plan plan_;
  const Folding folding_;  ///< nodes that stand for all
  Epochs first_;
  Epochs later_;  ///< or all, where they are alike
  Outcome outcome_;
  double alike_step_s_ = 0;  ///< mean step of epochs that all find the mean, without checkpoints
};

}  // namespace

WithUnheld simulate_with_unheld(const Scenario& scenario) { return Simulation(scenario, {}).run(); }

Result simulate_shifted(const Scenario& scenario, const std::vector<Shift>& shifts) {
  return Simulation(scenario, shifts).run().result;
}

Result simulate_few_nodes(const Scenario& scenario) {
  return Simulation(scenario, {}, FoldFor::ratios).run().result;
}

void check_kind(const kind::Training&, const Scenario& scenario) { check_plan(scenario); }
void check_kind(const kind::Emulated&, const Scenario& scenario) { check_plan(scenario); }
void check_kind(const kind::Loader&, const Scenario& scenario) { check_plan(scenario); }

Result simulate_kind(const kind::Training&, const Scenario& scenario) {
  return simulate_shifted(scenario, {});
}
Result simulate_kind(const kind::Emulated&, const Scenario& scenario) {
  return simulate_shifted(scenario, {});
}
Result simulate_kind(const kind::Loader&, const Scenario& scenario) {
  return simulate_shifted(scenario, {});
}

}  // namespace gpufeed
