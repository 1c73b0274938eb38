// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/answer/answer.h"
#include "sim/answer/words.h"
#include "sim/plan/limits/expected_slowest.h"

namespace gpufeed {
namespace {

// Shares, of the time or of what binds.
constexpr double kHardly = 0.0005;    ///< would be shown as 0.0 %
constexpr double kMostly = 0.5;       ///< more than all else together
constexpr double kLostShared = 0.02;  ///< a loss that is named where its cause is known
constexpr double kLostBeside = 0.03;  ///< and where it is not: random times always lose a little
constexpr double kNearLimit = 0.85;   ///< a load: with 18 % more of what binds, this would bind

std::string rate_of(double samples_per_s) { return text_number(samples_per_s) + " samples/s"; }

double share_of(const Outcome& outcome, Activity activity) {
  return outcome.share[static_cast<std::size_t>(activity)];
}

/// Share of the time that GPUs wait for slower ones, as their times to compute tell.
double waiting_for_slower(const Plan& plan, const Outcome& outcome) {
  const double waiting = share_of(outcome, Activity::barrier);
  if (!plan.synchronous) return waiting;
  const Seconds slowest = expected_slowest(plan);
  Seconds early{};
  for (const auto& gpu : plan.gpus)
    early += (slowest - gpu.compute) / static_cast<double>(plan.gpus.size());
  return std::min(waiting, early.value * outcome.throughput.value / plan.global_batch());
}

/// Share of the time that GPUs wait for data: their own, or those of another GPU.
double waiting_for_data(const Plan& plan, const Outcome& outcome) {
  return share_of(outcome, Activity::storage) + share_of(outcome, Activity::decode) +
         share_of(outcome, Activity::copy) + share_of(outcome, Activity::barrier) -
         waiting_for_slower(plan, outcome);
}

/// What a part of the path lets through; compute and exchange follow one another, so together they
/// are one.
struct Ceiling {
  PathStage kind;
  Rate capacity;
  const PathStageLimit* stage;
};

std::vector<Ceiling> ceilings_of(const Plan& plan, const std::vector<PathStageLimit>& stages) {
  std::vector<Ceiling> ceilings;
  const Rate step{plan.global_batch() / undisturbed_step(plan).value};
  const PathStageLimit* compute = nullptr;
  const PathStageLimit* exchange = nullptr;
  for (const auto& stage : stages) {
    if (stage.kind == PathStage::compute)
      compute = &stage;
    else if (stage.kind == PathStage::exchange)
      exchange = &stage;
    else if (std::isfinite(stage.capacity.value))
      ceilings.push_back({stage.kind, stage.capacity, &stage});
  }
  const bool exchange_leads = exchange->capacity < compute->capacity;
  const PathStageLimit* lead = exchange_leads ? exchange : compute;
  if (std::isfinite(step.value)) ceilings.push_back({lead->kind, step, lead});
  std::ranges::stable_sort(ceilings, {}, [](const Ceiling& l) { return l.capacity.value; });
  return ceilings;
}

std::string gpu_evidence(const Plan& plan, const Outcome& outcome, PathStage kind) {
  const double compute = share_of(outcome, Activity::compute);
  const double exchange = share_of(outcome, Activity::exchange);
  std::string out = fmt::format("the GPUs compute {} of the time", share_text(compute));
  if (plan.exchange_included) out += " (gradient exchange included)";
  if (exchange >= kHardly || kind == PathStage::exchange)
    out += fmt::format(" and exchange gradients {}", share_text(exchange));
  if (const double slower = waiting_for_slower(plan, outcome); slower >= kHardly)
    out += fmt::format("; they wait for slower GPUs {}", share_text(slower));
  const double waiting = waiting_for_data(plan, outcome);
  return out + (waiting < kHardly ? "; they never wait for data"
                                  : fmt::format("; they wait for data {}", share_text(waiting)));
}

/// Checkpoints hold the GPUs back beside whatever holds them back between two of them.
void add_checkpoints(const Outcome& outcome, Bottleneck& out) {
  const double share = share_of(outcome, Activity::checkpoint);
  if (share < kHardly) return;
  out.why += fmt::format("; they stand still for checkpoints {} of the time", share_text(share));
  if (share <= kMostly) return;
  out.next = std::exchange(out.resource, "checkpoints");
  out.distance = 1 / (1 - share);
}

std::string feed_evidence(const Plan& plan, const Outcome& outcome, const Ceiling& ceiling) {
  const double load = outcome.throughput / ceiling.capacity;
  const bool plural = (ceiling.kind == PathStage::workers && plan.loader.threads() > 1) ||
                      (ceiling.kind == PathStage::decode && plan.physical_cores != 1) ||
                      (ceiling.kind == PathStage::storage && plan.sources.size() > 1);
  std::string out =
      fmt::format("{} can deliver {} and {} at {} load", stage_limiter(plan, *ceiling.stage),
                  rate_of(ceiling.capacity.value), plural ? "run" : "runs", share_text(load));
  return out +
         fmt::format("; the GPUs wait for data {} of the time, their own or the slowest GPU's",
                     share_text(waiting_for_data(plan, outcome)));
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Those who build the batches of a GPU; where they share them, those of each batch.
std::string workers_in_words(const LoaderShape& loader) {
  if (!loader.shared_batches)
    return counted(loader.batches_at_once, "loader worker", "loader workers") + " per GPU";
  std::string each = counted(loader.threads_per_batch, "thread", "threads");
  if (loader.readers_per_batch != loader.threads_per_batch)
    each += ", " + counted(loader.readers_per_batch, "reader", "readers");
  return fmt::format("{} x {} per GPU", each, counted(loader.batches_at_once, "batch", "batches"));
}

}  // namespace

std::string stage_name(const Plan& plan, PathStage kind) {
  if (kind != PathStage::storage) return std::string(name_of(kind));
  for (const auto& resource : plan.graph.resources)
    if (resource.id == plan.sources.front())
      return resource.kind == ResourceKind::array ? "store" : "drives";
  return "storage";
}

std::string stage_limiter(const Plan& plan, const PathStageLimit& stage) {
  switch (stage.kind) {
    case PathStage::storage:
      return join_ids(plan.sources);
    case PathStage::decode:
      return fmt::format("{} core{}{}", text_number(plan.physical_cores, 6),
                         plan.physical_cores == 1 ? "" : "s",
                         cores_of(plan) > plan.physical_cores ? " with SMT" : "");
    case PathStage::workers:
      return workers_in_words(plan.loader);
    case PathStage::compute:
      return "GPU compute";
    case PathStage::exchange:
      if (plan.exchange_included) return "included in the compute rate";
      break;
    default:
      break;
  }
  return stage.resource ? plan.resource(*stage.resource).id : std::string(name_of(stage.kind));
}

Bottleneck find_bottleneck(const Plan& plan, const Outcome& outcome,
                           const std::vector<PathStageLimit>& stages) {
  const auto ceilings = ceilings_of(plan, stages);
  const Ceiling& first = ceilings.front();
  const bool gpu_bound = first.kind == PathStage::compute || first.kind == PathStage::exchange;
  Bottleneck out;
  out.resource = stage_name(plan, first.kind);
  out.why =
      gpu_bound ? gpu_evidence(plan, outcome, first.kind) : feed_evidence(plan, outcome, first);
  const double shortfall = 1 - outcome.throughput / first.capacity;
  const bool links_shared =
      gpu_bound && exchange_time(plan).value > 0 && waiting_for_data(plan, outcome) < kHardly;
  if (shortfall > kLostShared && links_shared)
    out.why += fmt::format("; {} is lost where {}", share_text(shortfall),
                           plan.synchronous ? "gradients and copies share links"
                                            : "GPUs meet at the parameter servers");
  else if (shortfall > kLostBeside)
    out.why += fmt::format("; {} is lost beside that, where stages wait for one another",
                           share_text(shortfall));
  for (std::size_t i = 1; i < ceilings.size(); ++i)
    if (const double load = outcome.throughput / ceilings[i].capacity;
        load >= kNearLimit && gpu_bound)
      out.why += fmt::format("{} {} ({}) at {}", i == 1 ? "; close to their limit:" : ",",
                             stage_name(plan, ceilings[i].kind),
                             stage_limiter(plan, *ceilings[i].stage), share_text(load));
  if (ceilings.size() > 1) {
    out.next = stage_name(plan, ceilings[1].kind);
    out.distance = ceilings[1].capacity / outcome.throughput;
  }
  add_checkpoints(outcome, out);
  return out;
}

}  // namespace gpufeed
