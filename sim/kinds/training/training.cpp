// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/training.h"

#include <algorithm>

#include "sim/answer/answer.h"
#include "sim/job/fold/fold.h"
#include "sim/job/staging.h"
#include "sim/model/scenario.h"
#include "sim/plan/checkpoint/plan_checkpoints.h"
#include "sim/plan/make/job_length.h"
#include "sim/plan/make/make_plan.h"

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

/// Of the later epochs, or of all where they are alike. An only epoch that copies the data in reads
/// from the store.
Plan plan_of(const Scenario& scenario) {
  const bool staged = stages_in_first_epoch(scenario) && job_length(scenario).epochs == 1;
  return staged ? make_staged_epoch_plan(scenario) : make_plan(scenario);
}

class Simulation {
 public:
  explicit Simulation(const Scenario& scenario)
      : scenario_(scenario), plan_(plan_of(scenario)), folding_(fold_nodes(scenario, plan_)) {
    first_.steps = std::min(plan_.steps_per_epoch, plan_.steps);
    later_ = {
        .steps = plan_.steps - first_.steps, .hit_rate = plan_.hit_rate, .before = first_.steps};
    first_.per_epoch = later_.per_epoch = plan_.steps_per_epoch;
    outcome_.folded = {folding_.nodes, folding_.why};
  }

  Result run() {
    if (!stages_in_first_epoch(scenario_))
      outcome_.staging = staging_time(scenario_);
    else if (later_.steps > 0)
      outcome_.first_plan = make_staged_epoch_plan(scenario_);
    run_epochs();
    if (plan_.checkpoint) save();
    outcome_.throughput = steady_throughput(plan_, outcome_.record);
    share_time();
    return make_result(scenario_, plan_, outcome_);
  }

 private:
  /// What is simulated of the later epochs, or of all.
  const Plan& simulated() const { return folding_.plan ? *folding_.plan : plan_; }

  void run_epochs() {
    if (later_.steps > 0 && (plan_.hit_rate > 0 || outcome_.first_plan))
      outcome_.first_epoch = run_job(scenario_, first_plan(), first_);
    else
      later_ = {.steps = plan_.steps, .per_epoch = plan_.steps_per_epoch};
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
  const Plan plan_;
  const Folding folding_;  ///< nodes that stand for all
  Epochs first_;
  Epochs later_;  ///< or all, where they are alike
  Outcome outcome_;
};

}  // namespace

Result simulate_kind(const kind::Training&, const Scenario& scenario) {
  return Simulation(scenario).run();
}
Result simulate_kind(const kind::Emulated&, const Scenario& scenario) {
  return Simulation(scenario).run();
}
Result simulate_kind(const kind::Loader&, const Scenario& scenario) {
  return Simulation(scenario).run();
}

}  // namespace gpufeed
