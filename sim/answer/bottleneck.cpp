// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/answer/answer.h"
#include "sim/answer/words.h"
#include "sim/base/join_ids.h"
#include "sim/model/catalog/products.h"

namespace gpufeed {
namespace {

// Shares, of the time or of what binds.
constexpr double kHardly = 0.0005;    ///< would be shown as 0.0 %
constexpr double kMostly = 0.5;       ///< more than all else together
constexpr double kLostShared = 0.02;  ///< a loss that is named where its cause is known
constexpr double kLostBeside = 0.03;  ///< and where it is not: random times always lose a little
constexpr double kNearLimit = 0.85;   ///< a load: with 18 % more of what binds, this would bind

constexpr std::string_view kDecodeLess =
    "; cores could decode instead (loader.decode = \"cpu\"), and smaller samples take less";

std::string rate_of(double samples_per_s) { return text_number(samples_per_s) + " samples/s"; }

double share_of(const Outcome& outcome, Activity activity) {
  return outcome.share[static_cast<std::size_t>(activity)];
}

/// Share of the time that GPUs wait for others: that compute longer, or another stage.
double waiting_for_others(const Outcome& outcome) { return share_of(outcome, Activity::barrier); }

/// The part of it in which only other stages of a pipeline have work.
double in_gaps(const Plan& plan, const Outcome& outcome) {
  double gaps = 0;
  for (const GpuPlan& gpu : plan.gpus) gaps += gpu.compute.value * gpu.stages_wait.value;
  return std::min(waiting_for_others(outcome), gaps * outcome.throughput.value /
                                                   plan.global_batch() /
                                                   static_cast<double>(plan.gpus.size()));
}

/// Share of the time that GPUs wait for data: their own, or those of another GPU.
double waiting_for_data(const Outcome& outcome) {
  return share_of(outcome, Activity::storage) + share_of(outcome, Activity::decode) +
         share_of(outcome, Activity::copy);
}

/// Where later epochs find elsewhere what the first one reads: share of that one.
double waiting_in_first(const Outcome& outcome) {
  if (!outcome.first) return 0;
  double waiting = 0, all = 0;
  for (const auto& gpu : outcome.first->spent)
    for (std::size_t a = 0; a < kActivities; ++a) {
      const auto activity = static_cast<Activity>(a);
      all += gpu[a];
      if (activity == Activity::storage || activity == Activity::decode ||
          activity == Activity::copy)
        waiting += gpu[a];
    }
  return waiting / all;
}

/// Whether decoding on GPUs takes time of their steps: their processors do it, or engines whose
/// batch the GPU waits for in order.
bool decodes_in_step(const Plan& plan) {
  return plan.decodes_on_processors() || plan.copies_in_order;
}

/// Whether a loader's work goes on in the step itself: what it only begins for a GPU that has
/// nothing to do, or what a GPU's process does between two steps.
bool loads_in_step(const Plan& plan, PathStage kind) {
  return kind == PathStage::workers ? plan.loader.on_demand
                                    : kind == PathStage::process && !plan.takes_over_beside;
}

/// What a part of the path lets through; compute and exchange follow one another, and copies in
/// order, decoding on the GPU's processors and loading on demand do, so together they are one,
/// which bears the name of the slowest. What is left without that one is a ceiling of its own.
struct Ceiling {
  PathStage kind;
  Rate capacity;
  const PathStageLimit* stage;
};

std::vector<Ceiling> ceilings_of(const Plan& plan, const std::vector<PathStageLimit>& stages) {
  std::vector<Ceiling> ceilings;
  const Rate step{plan.global_batch() / undisturbed_step(plan).value};
  const PathStageLimit* lead = nullptr;
  for (const auto& stage : stages) {
    const bool in_step = stage.kind == PathStage::gpu_decode
                             ? decodes_in_step(plan)
                             : stage.kind >= PathStage::compute || loads_in_step(plan, stage.kind);
    if (in_step && (!lead || stage.capacity < lead->capacity)) lead = &stage;
    if (stage.kind == PathStage::copy && plan.copies_in_order) continue;  // part of the step
    if (std::isfinite(stage.capacity.value))
      ceilings.push_back({stage.kind, stage.capacity, &stage});
  }
  std::erase_if(ceilings, [&](const Ceiling& ceiling) { return ceiling.stage == lead; });
  if (std::isfinite(step.value) && std::isfinite(lead->capacity.value))
    ceilings.push_back({lead->kind, step, lead});
  std::ranges::stable_sort(ceilings, {}, [](const Ceiling& l) { return l.capacity.value; });
  return ceilings;
}

/// Share of the time that GPUs spend in their steps, whatever feeds them meanwhile: what follows
/// one another there takes longer where others use the same links and memory.
double in_steps(const Plan& plan, const Outcome& outcome) {
  return share_of(outcome, Activity::compute) + share_of(outcome, Activity::exchange) +
         (decodes_in_step(plan) ? share_of(outcome, Activity::gpu_decode) : 0) +
         (plan.copies_in_order ? share_of(outcome, Activity::copy) : 0);
}

/// Puts the steps first where they take clearly more of the time than what feeds them has work,
/// although they would take less if they were alone.
void put_long_steps_first(const Plan& plan, const Outcome& outcome,
                          const std::vector<PathStageLimit>& stages,
                          std::vector<Ceiling>& ceilings) {
  const bool decodes = decodes_in_step(plan);
  const auto step = std::ranges::find_if(ceilings, [&](const Ceiling& one) {
    return one.kind >= PathStage::compute || (decodes && one.kind == PathStage::gpu_decode);
  });
  if (step == ceilings.end() || step == ceilings.begin() || plan.loader.on_demand) return;
  const double taken = in_steps(plan, outcome);
  if (taken < outcome.throughput / ceilings.front().capacity + kLostShared) return;
  PathStage most = PathStage::compute;
  double longest = share_of(outcome, Activity::compute);
  const auto look = [&](PathStage kind, Activity activity) {
    if (share_of(outcome, activity) <= longest) return;
    longest = share_of(outcome, activity);
    most = kind;
  };
  look(PathStage::exchange, Activity::exchange);
  if (decodes) look(PathStage::gpu_decode, Activity::gpu_decode);
  const auto lead = std::ranges::find(stages, most, &PathStageLimit::kind);
  *step = {lead->kind, Rate{outcome.throughput.value / taken}, &*lead};
  std::rotate(ceilings.begin(), step, step + 1);
}

/// The narrowest link that data and gradients share, which no stage is given both of.
std::optional<PathStageLimit> shared_link(const Plan& plan) {
  using enum ResourceKind;
  std::optional<PathStageLimit> narrowest;
  const Loads loads = loads_of(plan);
  for (const ResourceIndex r : plan.graph.resources.indices()) {
    const ResourceKind kind = plan.resource(r).kind;
    const bool both = loads.exchanged[r] > 0 && loads.read[r] + loads.copied[r] > 0;
    if (!both || (kind != bus && kind != socket_link && kind != network)) continue;
    const Rate rate{plan.resource(r).capacity.value / loads.total(r)};
    if (!narrowest || rate < narrowest->capacity)
      narrowest = {kind == network ? PathStage::network : PathStage::pcie, rate, r};
  }
  return narrowest;
}

std::string gpu_evidence(const Plan& plan, const Outcome& outcome, PathStage kind) {
  const double compute = share_of(outcome, Activity::compute);
  const double exchange = share_of(outcome, Activity::exchange);
  const double decode = share_of(outcome, Activity::gpu_decode);
  std::string out = "the GPUs ";
  if (decode >= kHardly && decodes_in_step(plan))
    out += fmt::format("decode {} and ", share_text(decode));
  out += fmt::format("compute {} of the time", share_text(compute));
  if (plan.exchange_included) out += " (gradient exchange included)";
  if (exchange >= kHardly || kind == PathStage::exchange)
    out += fmt::format(" and exchange gradients {}", share_text(exchange));
  const double gaps = in_gaps(plan, outcome);
  const double slower = waiting_for_others(outcome) - gaps;
  if (gaps >= kHardly)
    out += fmt::format("; they wait for other stages of the pipeline (parallel.micro_batches) {}",
                       share_text(gaps));
  if (slower >= kHardly) out += fmt::format("; they wait for slower GPUs {}", share_text(slower));
  if (decode >= kHardly && !decodes_in_step(plan))
    out += fmt::format("; they wait for their decoding engines {}", share_text(decode));
  if (plan.copies_in_order)
    out += fmt::format("; they stand still while batches are copied to them {}",
                       share_text(share_of(outcome, Activity::copy)));
  const double waiting =
      waiting_for_data(outcome) - (plan.copies_in_order ? share_of(outcome, Activity::copy) : 0);
  const double first = waiting_in_first(outcome);
  if (waiting >= kHardly) out += fmt::format("; they wait for data {}", share_text(waiting));
  if (first > waiting + kLostShared)
    out += fmt::format("; they wait for data {} of the first epoch", share_text(first));
  else if (waiting < kHardly)
    out += "; they hardly wait for data";
  if (kind == PathStage::gpu_decode) out += kDecodeLess;
  return out;
}

/// The stage that holds back between checkpoints and once an epoch has begun.
struct Beside {
  std::string limiter;
  double distance;  ///< of its capacity, over the present rate
};

/// What takes a share of the time holds back before that stage does.
void put_first(const std::string& what, double share, const Beside& stage, Bottleneck& out) {
  out.next = std::exchange(out.resource, what);
  out.next_limited_by = stage.limiter;
  out.distance = std::min(1 / (1 - share), stage.distance);
}

/// Checkpoints hold the GPUs back beside whatever holds them back between two of them.
void add_checkpoints(const Outcome& outcome, const Beside& stage, Bottleneck& out) {
  const double share = share_of(outcome, Activity::checkpoint);
  if (share < kHardly) return;
  if (share <= kMostly) {
    out.why += fmt::format("; they stand still for checkpoints {} of the time", share_text(share));
    return;
  }
  out.why = fmt::format("checkpoints stop the GPUs {} of the time; beside them, {}",
                        share_text(share), out.why);
  put_first("checkpoints", share, stage, out);
}

/// So does the start of epochs, until the first batch is there; not where the stage works near its
/// limit in that time, too, because the loaders' stock is most of an epoch.
void add_filling(double share, const Beside& stage, Bottleneck& out) {
  if (share > kMostly && 1 / stage.distance < kNearLimit)
    put_first("start of epochs", share, stage, out);
}

/// What of every later epoch is read again because the page cache has lost it; empty where that is
/// nothing, or nothing was meant to stay.
std::string misses_in_words(const Plan& plan, const Ceiling& ceiling) {
  const bool reads = ceiling.kind == PathStage::storage || ceiling.kind == PathStage::network ||
                     ceiling.kind == PathStage::pcie;
  const double missed = 1 - plan.hit_rate();
  if (!reads || plan.cache.value == 0 || plan.epochs < 2 || missed < kHardly) return "";
  return fmt::format("; {} of the bytes miss the page cache in {} after the first",
                     share_text(missed), plan.filling.empty() ? "each epoch" : "epochs");
}

/// Whose gain by SMT counts, where cores are what is short.
std::string smt_in_words(const Plan& plan, const Ceiling& ceiling) {
  if (ceiling.kind != PathStage::decode || !plan.smt) return "";
  return fmt::format("; a core with all its threads at work does {} of one thread's ({}, {})",
                     text(plan.smt->value, 3), plan.smt->of, name_of(plan.smt->provenance.basis));
}

std::string feed_evidence(const Plan& plan, const Outcome& outcome, const Ceiling& ceiling) {
  const double load = outcome.throughput / ceiling.capacity;
  const bool on_gpu = ceiling.kind == PathStage::gpu_decode;
  const bool plural = on_gpu || (ceiling.kind == PathStage::workers && plan.loader.threads() > 1) ||
                      (ceiling.kind == PathStage::decode && plan.physical_cores != 1) ||
                      (ceiling.kind == PathStage::storage && plan.sources.size() > 1);
  std::string out =
      fmt::format("{}{} can deliver {} and {} at {} load", stage_limiter(plan, *ceiling.stage),
                  loads_in_step(plan, ceiling.kind) ? ", with the steps in between," : "",
                  rate_of(ceiling.capacity.value), plural ? "run" : "runs", share_text(load));
  if (on_gpu)
    return out +
           fmt::format("; the GPUs wait for them {} of the time",
                       share_text(share_of(outcome, Activity::gpu_decode))) +
           std::string(kDecodeLess);
  return out +
         fmt::format("; the GPUs wait for data {} of the time, their own or the slowest GPU's",
                     share_text(waiting_for_data(outcome))) +
         smt_in_words(plan, ceiling) + misses_in_words(plan, ceiling);
}

/// Where a rate is lost although no stage is at its limit: GPUs that wait for batches have emptied
/// the stock that the loaders fetch ahead; otherwise stages wait for one another.
std::string lost_beside(const Plan& plan, const Outcome& outcome, double lost) {
  if (plan.loader.on_demand && plan.synchronous && plan.gpus.size() > 1)
    return fmt::format(
        "; {} is lost beside that, where all wait for the GPU whose batch takes longest",
        share_text(lost));
  const double unfed = share_of(outcome, Activity::storage) + share_of(outcome, Activity::decode);
  if (unfed < kMostly * lost)
    return fmt::format("; {} is lost beside that, where stages wait for one another",
                       share_text(lost));
  const std::int64_t stock = plan.loader.stock();
  return fmt::format(
      "; {} is lost beside that, where the {} fetched ahead for each GPU {} used up before the "
      "next one is ready (loader.prefetch_batches)",
      share_text(lost), stock == 1 ? "batch" : fmt::format("{} batches", stock),
      stock == 1 ? "is" : "are");
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Those who build the batches of a GPU; where they share them, those of each batch.
std::string workers_in_words(const LoaderShape& loader) {
  if (loader.on_demand) return "the own process of each GPU";
  if (!loader.shared_batches)
    return counted(loader.batches_at_once, "loader worker", "loader workers") + " per GPU";
  std::string each = counted(loader.threads_per_batch, "thread", "threads");
  if (loader.readers_per_batch != loader.threads_per_batch)
    each += ", " + counted(loader.readers_per_batch, "reader", "readers");
  return fmt::format("{} x {} per GPU", each, counted(loader.batches_at_once, "batch", "batches"));
}

std::string engines_in_words(DecodeEngine engine) {
  if (engine == DecodeEngine::sms) return "GPU processors";
  return engine == DecodeEngine::nvjpg ? "NVJPG engines" : "NVDEC engines";
}

}  // namespace

std::string stage_name(const Plan& plan, PathStage kind) {
  if (kind != PathStage::storage) return std::string(name_of(kind));
  return plan.sources.front().kind == PartKind::store ? "store" : "drives";
}

std::string stage_limiter(const Plan& plan, const PathStageLimit& stage) {
  switch (stage.kind) {
    case PathStage::storage: {
      const std::string_view roof = stage.resource ? plan.resource(*stage.resource).roof : "";
      return join_ids(plan.graph.labels_of(plan.sources)) +
             (roof.empty() ? "" : fmt::format(" ({})", roof));
    }
    case PathStage::decode:
      return fmt::format("{} core{}{}", text_number(plan.physical_cores, 6),
                         plan.physical_cores == 1 ? "" : "s",
                         cores_of(plan) > plan.physical_cores ? " with SMT" : "");
    case PathStage::workers:
      return workers_in_words(plan.loader);
    case PathStage::gpu_decode:
      return engines_in_words(plan.decode_engine);
    case PathStage::compute:
      return "GPU compute";
    case PathStage::exchange:
      if (plan.exchange_included) return "included in the compute rate";
      break;
    default:
      break;
  }
  return stage.resource ? plan.resource(*stage.resource).label : std::string(name_of(stage.kind));
}

Bottleneck find_bottleneck(const Plan& plan, const Outcome& outcome,
                           const std::vector<PathStageLimit>& stages) {
  auto ceilings = ceilings_of(plan, stages);
  const auto shared = shared_link(plan);
  const bool share_binds = shared && shared->capacity < ceilings.front().capacity;
  if (share_binds)
    ceilings.insert(ceilings.begin(), Ceiling{shared->kind, shared->capacity, &*shared});
  else
    put_long_steps_first(plan, outcome, stages, ceilings);
  const Ceiling& first = ceilings.front();
  const bool gpu_bound = first.kind >= PathStage::compute ||
                         (first.kind == PathStage::gpu_decode && decodes_in_step(plan));
  Bottleneck out;
  out.resource = stage_name(plan, first.kind);
  out.why =
      gpu_bound ? gpu_evidence(plan, outcome, first.kind) : feed_evidence(plan, outcome, first);
  if (share_binds)
    out.why += fmt::format(", and for gradients, which take the same way, {}",
                           share_text(share_of(outcome, Activity::exchange)));
  const double filling = outcome.epochs.filling_s / outcome.epochs.all_s();
  if (filling > kLostShared)
    out.why +=
        fmt::format("; {} passes before the first batch of an epoch is there", share_text(filling));
  const double shortfall =
      1 - outcome.throughput / first.capacity - filling - share_of(outcome, Activity::checkpoint);
  const bool links_shared =
      gpu_bound && exchange_time(plan).value > 0 && waiting_for_data(outcome) < kLostShared;
  if (shortfall > kLostShared && links_shared)
    out.why += fmt::format("; {} is lost where {}", share_text(shortfall),
                           plan.synchronous ? "gradients and copies share links"
                                            : "GPUs meet at the parameter servers");
  else if (shortfall > kLostBeside)
    out.why += lost_beside(plan, outcome, shortfall);
  for (std::size_t i = 1; i < ceilings.size(); ++i)
    if (const double load = outcome.throughput / ceilings[i].capacity;
        load >= kNearLimit && gpu_bound)
      out.why += fmt::format("{} {} ({}) at {}", i == 1 ? "; close to their limit:" : ",",
                             stage_name(plan, ceilings[i].kind),
                             stage_limiter(plan, *ceilings[i].stage), share_text(load));
  if (ceilings.size() > 1) {
    out.next = stage_name(plan, ceilings[1].kind);
    out.next_limited_by = stage_limiter(plan, *ceilings[1].stage);
    out.distance = ceilings[1].capacity / outcome.throughput;
  }
  const Beside stage{stage_limiter(plan, *first.stage), first.capacity / outcome.throughput};
  add_filling(filling, stage, out);
  add_checkpoints(outcome, stage, out);
  if (out.next_limited_by == out.next) out.next_limited_by.clear();
  return out;
}

}  // namespace gpufeed
