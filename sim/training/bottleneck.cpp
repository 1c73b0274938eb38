// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/training/answer.h"
#include "sim/training/words.h"

namespace gpufeed {
namespace {

std::string percent(double share) { return text_number(share * 100, share < 0.0995 ? 2 : 3) + " %"; }

std::string rate_of(double samples_per_s) { return text_number(samples_per_s) + " samples/s"; }

double share_of(const Outcome& outcome, Activity activity) {
  return outcome.share[static_cast<std::size_t>(activity)];
}

/// Compute and exchange follow one another, so together they are one limit.
struct Limit {
  StageKind kind;
  Rate capacity;
  const StageLimit* stage;
};

std::vector<Limit> limits_of(const Plan& plan, const std::vector<StageLimit>& stages) {
  std::vector<Limit> limits;
  const Rate step{plan.global_batch() / undisturbed_step(plan).value};
  const StageLimit* compute = nullptr;
  const StageLimit* exchange = nullptr;
  for (const auto& stage : stages) {
    if (stage.kind == StageKind::compute)
      compute = &stage;
    else if (stage.kind == StageKind::exchange)
      exchange = &stage;
    else if (std::isfinite(stage.capacity.value))
      limits.push_back({stage.kind, stage.capacity, &stage});
  }
  const bool exchange_leads = exchange->capacity < compute->capacity;
  const StageLimit* lead = exchange_leads ? exchange : compute;
  limits.push_back({lead->kind, step, lead});
  std::ranges::stable_sort(limits, {}, [](const Limit& l) { return l.capacity.value; });
  return limits;
}

/// What a GPU waits for when the stage is too slow.
Activity waits_for(StageKind kind) {
  switch (kind) {
    case StageKind::decode:
    case StageKind::workers:
      return Activity::decode;
    case StageKind::copy:
      return Activity::copy;
    default:
      return Activity::storage;
  }
}

std::string gpu_evidence(const Plan& plan, const Outcome& outcome, StageKind kind) {
  const double compute = share_of(outcome, Activity::compute);
  const double exchange = share_of(outcome, Activity::exchange);
  std::string out = fmt::format("the GPUs compute {} of the time", percent(compute));
  if (plan.exchange_included) out += " (gradient exchange included)";
  if (exchange >= 0.0005 || kind == StageKind::exchange)
    out += fmt::format(" and exchange gradients {}", percent(exchange));
  const double waiting = share_of(outcome, Activity::storage) +
                         share_of(outcome, Activity::decode) + share_of(outcome, Activity::copy);
  return out + (waiting < 0.0005 ? "; they never wait for data"
                                 : fmt::format("; they wait for data {}", percent(waiting)));
}

std::string feed_evidence(const Plan& plan, const Outcome& outcome, const Limit& limit) {
  const double load = outcome.throughput / limit.capacity;
  const double waiting = share_of(outcome, Activity::storage) +
                         share_of(outcome, Activity::decode) + share_of(outcome, Activity::copy);
  std::string out = fmt::format("{} can deliver {} and {} at {} load",
                                stage_limiter(plan, *limit.stage), rate_of(limit.capacity.value),
                                limit.kind == StageKind::workers ? "are" : "runs", percent(load));
  out += fmt::format("; the GPUs wait for data {} of the time", percent(waiting));
  const double main = share_of(outcome, waits_for(limit.kind));
  if (main >= 0.0005 && main < waiting - 0.0005)
    out += fmt::format(", {} of it for {}", percent(main / waiting),
                       name_of(waits_for(limit.kind)));
  return out;
}

}  // namespace

std::string stage_name(const Plan& plan, StageKind kind) {
  if (kind != StageKind::storage) return std::string(name_of(kind));
  for (const auto& resource : plan.graph.resources)
    if (resource.id == plan.sources.front())
      return resource.kind == ResourceKind::array ? "store" : "drives";
  return "storage";
}

std::string stage_limiter(const Plan& plan, const StageLimit& stage) {
  switch (stage.kind) {
    case StageKind::storage:
      return join_ids(plan.sources);
    case StageKind::decode:
      return fmt::format("{} cores", plan.cores);
    case StageKind::workers:
      return fmt::format("{} loader workers per GPU", plan.workers_per_gpu);
    case StageKind::compute:
      return "GPU compute";
    case StageKind::exchange:
      if (plan.exchange_included) return "included in the compute rate";
      break;
    default:
      break;
  }
  return stage.resource < 0 ? std::string(name_of(stage.kind)) : plan.resource(stage.resource).id;
}

Bottleneck find_bottleneck(const Plan& plan, const Outcome& outcome,
                           const std::vector<StageLimit>& stages, const Loads&) {
  const auto limits = limits_of(plan, stages);
  const Limit& first = limits.front();
  const bool gpu_bound = first.kind == StageKind::compute || first.kind == StageKind::exchange;
  Bottleneck out;
  out.resource = stage_name(plan, first.kind);
  out.why = gpu_bound ? gpu_evidence(plan, outcome, first.kind)
                      : feed_evidence(plan, outcome, first);
  const double shortfall = 1 - outcome.throughput / first.capacity;
  if (shortfall > 0.03)
    out.why += fmt::format(
        "; {} is lost beside that, where stages wait for one another (more workers or a deeper "
        "prefetch would hide it)",
        percent(shortfall));
  if (limits.size() > 1) {
    out.next = stage_name(plan, limits[1].kind);
    out.distance = limits[1].capacity / outcome.throughput;
  }
  return out;
}

}  // namespace gpufeed
