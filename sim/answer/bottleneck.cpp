// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/answer/answer.h"
#include "sim/model/catalog/products.h"

namespace gpufeed {
namespace {

// Shares, of the time or of what binds.
constexpr double kHardly = 0.0005;    ///< would be shown as 0.0 %
constexpr double kMostly = 0.5;       ///< more than all else together
constexpr double kLostShared = 0.02;  ///< a loss that is named where its cause is known
constexpr double kLostBeside = 0.03;  ///< and where it is not: random times always lose a little
constexpr double kNearLimit = 0.85;   ///< a load: with 18 % more of what binds, this would bind

using enum EvidenceCode;

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

std::vector<Evidence> gpu_evidence(const Plan& plan, const Outcome& outcome, PathStage kind) {
  std::vector<Evidence> out;
  const double exchange = share_of(outcome, Activity::exchange);
  const double decode = share_of(outcome, Activity::gpu_decode);
  const double compute = share_of(outcome, Activity::compute);
  out.push_back(plan.exchange_included ? evidence<gpus_compute_and_exchange>(compute)
                                       : evidence<gpus_compute>(compute));
  if (decode >= kHardly)
    out.push_back(decodes_in_step(plan) ? evidence<gpus_decode>(decode)
                                        : evidence<wait_for_decoding>(decode));
  if (exchange >= kHardly || kind == PathStage::exchange)
    out.push_back(evidence<gpus_exchange>(exchange));
  const double gaps = in_gaps(plan, outcome);
  const double slower = waiting_for_others(outcome) - gaps;
  if (gaps >= kHardly) out.push_back(evidence<wait_for_stages>(gaps));
  if (slower >= kHardly) out.push_back(evidence<wait_for_stragglers>(slower));
  const double copies = plan.copies_in_order ? share_of(outcome, Activity::copy) : 0;
  if (plan.copies_in_order) out.push_back(evidence<wait_for_copies>(copies));
  const double waiting = waiting_for_data(outcome) - copies;
  const double first = waiting_in_first(outcome);
  if (waiting >= kHardly) out.push_back(evidence<wait_for_data>(waiting));
  if (first > waiting + kLostShared)
    out.push_back(evidence<wait_for_data_in_first_epoch>(first));
  else if (waiting < kHardly)
    out.push_back(evidence<wait_hardly_for_data>());
  if (kind == PathStage::gpu_decode) out.push_back(evidence<cores_could_decode>());
  return out;
}

/// The stage that holds back between checkpoints and once an epoch has begun.
struct Beside {
  Limiter limiter;
  double distance;  ///< of its capacity, over the present rate
};

/// What takes a share of the time holds back before that stage does.
void put_first(const Limiter& what, double share, const Beside& stage, Bottleneck& out) {
  out.next = std::exchange(out.resource, what);
  out.next_limit = stage.limiter;
  out.distance = std::min(1 / (1 - share), stage.distance);
}

/// Checkpoints hold the GPUs back beside whatever holds them back between two of them.
void add_checkpoints(const Outcome& outcome, const Beside& stage, Bottleneck& out) {
  const double share = share_of(outcome, Activity::checkpoint);
  if (share < kHardly) return;
  const Evidence stop = evidence<stand_still_for_checkpoints>(share);
  out.evidence.insert(share > kMostly ? out.evidence.begin() : out.evidence.end(), stop);
  if (share > kMostly) put_first(fact<LimiterCode::checkpoints>(), share, stage, out);
}

/// So does the start of epochs, until the first batch is there; not where the stage works near its
/// limit in that time, too, because the loaders' stock is most of an epoch.
void add_filling(double share, const Beside& stage, Bottleneck& out) {
  if (share > kMostly && 1 / stage.distance < kNearLimit)
    put_first(fact<LimiterCode::start_of_epochs>(), share, stage, out);
}

/// What of every later epoch is read again because caches have lost it: the page cache, or before
/// the store and the network to it the cache on drives; nothing where nothing was meant to stay.
std::optional<Evidence> missed_later(const Plan& plan, const Ceiling& ceiling) {
  const bool network = ceiling.kind == PathStage::network;
  const bool reads =
      network || ceiling.kind == PathStage::storage || ceiling.kind == PathStage::pcie;
  if (!reads || plan.epochs < 2) return {};
  const bool store = network || is_of_store(plan, *ceiling.stage);
  if (plan.reads_through && store && plan.from_store() >= kHardly)
    return evidence<EvidenceCode::misses_drive_cache>(plan.from_store());
  if (plan.cache.value > 0 && !(plan.reads_through && store) && 1 - plan.hit_rate() >= kHardly)
    return evidence<EvidenceCode::misses_cache>(1 - plan.hit_rate());
  return {};
}

std::vector<Evidence> feed_evidence(const Plan& plan, const Outcome& outcome,
                                    const Ceiling& ceiling) {
  const double load = outcome.throughput / ceiling.capacity;
  const double rate = ceiling.capacity.value;
  const Limiter limiter = stage_limiter(plan, *ceiling.stage);
  std::vector<Evidence> out{loads_in_step(plan, ceiling.kind)
                                ? evidence_of<delivers_between_steps>(limiter, rate, load)
                                : evidence_of<delivers>(limiter, rate, load)};
  if (ceiling.kind == PathStage::gpu_decode) {
    out.push_back(evidence<wait_for_decoding>(share_of(outcome, Activity::gpu_decode)));
    out.push_back(evidence<cores_could_decode>());
    return out;
  }
  out.push_back(evidence<wait_for_data>(waiting_for_data(outcome)));
  if (ceiling.kind == PathStage::decode && plan.smt)
    out.push_back(
        evidence<smt_gain>(plan.smt->value, plan.smt->of, name_of(plan.smt->provenance.basis)));
  if (const auto missed = missed_later(plan, ceiling)) out.push_back(*missed);
  return out;
}

/// Where a rate is lost although no stage is at its limit: GPUs that wait for batches have emptied
/// the stock that the loaders fetch ahead; otherwise stages wait for one another.
Evidence lost_beside(const Plan& plan, const Outcome& outcome, double lost) {
  if (plan.loader.on_demand && plan.synchronous && plan.gpus.size() > 1)
    return evidence<lost_to_slowest_batch>(lost);
  const double unfed = share_of(outcome, Activity::storage) + share_of(outcome, Activity::decode);
  if (unfed < kMostly * lost) return evidence<lost_between_stages>(lost);
  return evidence<lost_by_empty_stock>(lost, plan.loader.stock());
}

void add_losses(const Plan& plan, const Outcome& outcome, const Ceiling& first, bool gpu_bound,
                double filling, Bottleneck& out) {
  if (filling > kLostShared) out.evidence.push_back(evidence<fills_at_start>(filling));
  const double shortfall =
      1 - outcome.throughput / first.capacity - filling - share_of(outcome, Activity::checkpoint);
  const bool links_shared =
      gpu_bound && exchange_time(plan).value > 0 && waiting_for_data(outcome) < kLostShared;
  if (shortfall > kLostShared && links_shared)
    out.evidence.push_back(plan.synchronous ? evidence<lost_on_shared_links>(shortfall)
                                            : evidence<lost_at_servers>(shortfall));
  else if (shortfall > kLostBeside)
    out.evidence.push_back(lost_beside(plan, outcome, shortfall));
}

/// The ceilings above the first one.
void add_others(const Plan& plan, const Outcome& outcome, const std::vector<Ceiling>& ceilings,
                bool gpu_bound, Bottleneck& out) {
  for (std::size_t i = 1; i < ceilings.size() && gpu_bound; ++i)
    if (const double load = outcome.throughput / ceilings[i].capacity; load >= kNearLimit)
      out.evidence.push_back(
          evidence_of<close_to_limit>(stage_limiter(plan, *ceilings[i].stage), load));
  if (ceilings.size() == 1) return;
  out.next = stage_name(plan, ceilings[1].kind);
  out.next_limit = stage_limiter(plan, *ceilings[1].stage);
  out.distance = ceilings[1].capacity / outcome.throughput;
}

}  // namespace

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
  out.evidence =
      gpu_bound ? gpu_evidence(plan, outcome, first.kind) : feed_evidence(plan, outcome, first);
  if (share_binds)
    out.evidence.push_back(
        evidence<wait_for_gradients_on_same_way>(share_of(outcome, Activity::exchange)));
  const double filling = outcome.epochs.filling_s / outcome.epochs.all_s();
  add_losses(plan, outcome, first, gpu_bound, filling, out);
  add_others(plan, outcome, ceilings, gpu_bound, out);
  const Beside stage{stage_limiter(plan, *first.stage), first.capacity / outcome.throughput};
  add_filling(filling, stage, out);
  add_checkpoints(outcome, stage, out);
  if (out.next_limit == out.next) out.next_limit.reset();
  return out;
}

}  // namespace gpufeed
