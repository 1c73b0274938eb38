// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/held.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/job/precision.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Half widths of 95 % that chance hardly ever exceeds: one in twenty jobs lies outside of one, and
/// of Student's t with seven degrees of freedom one in five thousand outside of three.
constexpr double kHalfWidths = 3;

bool by_chance(const Excess& excess) {
  return excess.over <= kHalfWidths * excess.known_to + excess.of_stock;
}

/// Of the steps simulated before a cut, the least part in which the pace is counted.
constexpr double kCounted = 0.5;

/// Over what lasts, in the steps whose pace is counted: no more was trained than came and what lay
/// in stock, with the loader and the GPU. Nothing of what GPUs do themselves lies there.
double stock_of_steps(const Plan& plan, const Record& record, Rate bound) {
  constexpr double kWithGpu = 3;
  constexpr double kRounding = 1e-9;
  const double by_gpus = plan.global_batch() / fed_step(plan).value;
  if (!record.cut || bound.value >= by_gpus * (1 - kRounding)) return 0;
  return (static_cast<double>(plan.loader.stock()) + kWithGpu) /
         (kCounted * static_cast<double>(record.cut->steps));
}

/// Over what lasts, in all steps: at the end faster GPUs are so many steps ahead of the others.
double ahead_at_end(const Plan& plan, const EpochsAccount& account) {
  if (!plan.staleness) return 0;
  return static_cast<double>(*plan.staleness + 1) / static_cast<double>(account.steps);
}

}  // namespace

Unheld further(const Unheld& one, const Unheld& other) {
  return {one.all.over > other.all.over ? one.all : other.all,
          one.steady.over > other.steady.over ? one.steady : other.steady};
}

Unheld hold_to(EpochsAccount& account, Record& record, const Plan& plan, Rate bound,
               Ratio precision) {
  const double least = least_time(account, plan, bound);
  const double step = plan.global_batch() / bound.value;
  const double least_known = kBestPrecision * precision.value;
  const double of_stock = stock_of_steps(plan, record, bound);
  const double left =
      std::max(0.0, 1 - static_cast<double>(record.steps) / static_cast<double>(account.steps));
  const Unheld out{{least / account.trained.all_s - 1, std::max(record.known_to, least_known),
                    of_stock * left + ahead_at_end(plan, account)},
                   {step / record.step_time.mean - 1,
                    std::max(record.step_time.half_width, least_known), of_stock}};
  GPUFEED_ASSERT(by_chance(out.all), "no simulated job is faster than its bound but by chance");
  GPUFEED_ASSERT(by_chance(out.steady), "no steady pace is faster than its bound but by chance");
  keep_below(account, record, plan, bound);
  return out;
}

void keep_below(EpochsAccount& account, Record& record, const Plan& plan, Rate rate) {
  const double least = least_time(account, plan, rate);
  if (account.trained.all_s < least) lengthen(account, least / account.trained.all_s);
  record.step_time.mean = std::max(record.step_time.mean, plan.global_batch() / rate.value);
}

}  // namespace gpufeed
