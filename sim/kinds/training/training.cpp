// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/training.h"

#include <algorithm>

#include "sim/answer/answer.h"
#include "sim/job/fold/fold.h"
#include "sim/job/staging.h"
#include "sim/plan/checkpoint/plan_checkpoints.h"
#include "sim/plan/make/make_plan.h"
#include "sim/plan/make/staged_epoch.h"

namespace gpufeed {
namespace {

/// Samples per second, the fill of the pipeline left out.
Rate steady_throughput(const Plan& plan, const Record& record) {
  return {plan.global_batch() / record.step_time.mean};
}

bool stages_in_first_epoch(const Scenario& scenario) {
  const auto& staging = scenario.data.staging;
  return staging && staging->mode == StagingMode::first_epoch;
}

class Simulation {
 public:
  explicit Simulation(const Scenario& scenario) : scenario_(scenario), plan_(make_plan(scenario)) {
    first_.steps = std::min(plan_.steps_per_epoch, plan_.steps);
    later_ = {plan_.steps - first_.steps, plan_.hit_rate, first_.steps};
  }

  Result run() {
    fold();
    if (stages_in_first_epoch(scenario_))
      outcome_.first_plan = staged_epoch_plan(scenario_);
    else
      outcome_.staging = staging_time(scenario_);
    run_epochs();
    if (plan_.checkpoint) save();
    outcome_.throughput = steady_throughput(plan_, outcome_.record);
    share_time();
    return make_result(scenario_, plan_, outcome_);
  }

 private:
  void fold() {
    Folding folding = fold_nodes(scenario_, plan_);
    outcome_.folded = {folding.nodes, folding.why};
    few_ = std::move(folding.plan);
  }

  /// What is simulated of the later epochs, or of all.
  const Plan& simulated() const { return few_ ? *few_ : plan_; }

  void run_epochs() {
    if (outcome_.first_plan && later_.steps == 0) {
      plan_ = *outcome_.first_plan;  // the only epoch reads from the store
      outcome_.first_plan.reset();
    }
    if (later_.steps > 0 && (plan_.hit_rate > 0 || outcome_.first_plan)) {
      outcome_.first_epoch = run_job(scenario_, first_plan(), first_);
    } else {
      later_ = {plan_.steps, 0, 0};
    }
    outcome_.record = run_job(scenario_, simulated(), later_);
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

  void share_time() {
    outcome_.spent = outcome_.saved
                         ? time_spent(outcome_.record, later_.steps, outcome_.saved->later)
                         : outcome_.record.spent;
    outcome_.spent = spent_by_all(plan_, outcome_.spent);
    double total = 0;
    for (const auto& gpu : outcome_.spent)
      for (std::size_t a = 0; a < kActivities; ++a) {
        outcome_.share[a] += gpu[a];
        total += gpu[a];
      }
    for (double& share : outcome_.share) share /= total;
    outcome_.utilization = outcome_.share[static_cast<std::size_t>(Activity::compute)];
  }

  const Scenario& scenario_;
  Plan plan_;
  std::optional<Plan> few_;  ///< nodes that stand for all
  Epochs first_;
  Epochs later_;  ///< or all, where they are alike
  Outcome outcome_;
};

}  // namespace

Result simulate_training(const Scenario& scenario) { return Simulation(scenario).run(); }

}  // namespace gpufeed
