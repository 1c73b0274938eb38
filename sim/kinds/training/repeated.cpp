// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/repeated.h"

#include <cmath>
#include <utility>
#include <vector>

#include "sim/job/epochs/stretch.h"
#include "sim/job/precision.h"
#include "sim/job/steady.h"

namespace gpufeed {
namespace {

void divide(EpochsAccount& sum, double runs) {
  for (double* time : {&sum.trained.first_s, &sum.trained.later_s, &sum.trained.all_s,
                       &sum.filling_s, &sum.first_step_s, &sum.first_step_own_s})
    *time /= runs;
  for (TimeSpent& gpu : sum.spent)
    for (double& part : gpu) part /= runs;
}

constexpr std::int64_t kFewestMeans = 5;

bool of_every_step(const Record& record) { return !record.cut && record.simulated == record.steps; }

}  // namespace

Repeated repeated(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                  const Record& first, EpochsAccount account) {
  const Run& run = scenario.run;
  std::vector<double> steps{account.step_s()};
  Repeated out{std::move(account), 1, first.known_to, first.runs_differ};
  if (!run.extrapolate || run.max_steps || !of_every_step(first)) return out;
  Scenario other = scenario;
  other.run.timeline = false;
  double squares = first.known_to * first.known_to;
  const bool told_by_means = first.known_to == kUnknown;
  const auto of_step = static_cast<double>(plan.gpus.size() * effort_of_batch(plan));
  auto batches = static_cast<double>(first.simulated) * of_step;
  // Few means that lie close by chance would end it too early; equal ones leave nothing open.
  const auto open = [&] {
    if (told_by_means && out.known_to > 0 && out.runs < kFewestMeans) return true;
    return out.known_to > worth_knowing(run.precision.value, out.known_to, batches);
  };
  while (open() && out.runs < run.replications) {
    other.run.seed = run.seed + (out.runs << 32);
    const Record again = run_alike_epochs(other, plan, epochs);
    const EpochsAccount told = account_of(plan, again, epochs);
    steps.push_back(told.step_s());
    add(out.mean, told, 1);
    squares += again.known_to * again.known_to;
    batches += static_cast<double>(again.simulated) * of_step;
    ++out.runs;
    out.known_to = std::sqrt(squares) / static_cast<double>(out.runs);
    const double by_means = confidence_of(steps).half_width;
    // What the runs differ by may be more than each of them knows of itself.
    if (out.known_to != kUnknown && (out.runs < kFewestMeans || by_means < out.known_to)) continue;
    out.known_to = by_means;
    out.runs_differ = out.known_to * std::sqrt(static_cast<double>(out.runs));
  }
  divide(out.mean, static_cast<double>(out.runs));
  return out;
}

}  // namespace gpufeed
