// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/checkpointed.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/job/epochs/account.h"
#include "sim/job/epochs/run_memory.h"
#include "sim/job/epochs/running_plan.h"
#include "sim/model/scenario.h"
#include "sim/plan/chosen_engine.h"

namespace gpufeed {
namespace {

/// Steps that no run comes to the end of.
constexpr std::int64_t kEndless = std::int64_t{1} << 40;

/// The difference between all epochs with checkpoints and without is what they cost.
CheckpointCost cost_in_place(const Plan& plan, const Epochs& epochs, const Record& base,
                             const Record& with, std::int64_t count) {
  const double longer =
      account_of(plan, with, epochs).trained.all_s - account_of(plan, base, epochs).trained.all_s;
  const auto saved = static_cast<double>(std::max<std::int64_t>(1, with.saves.saved));
  CheckpointCost cost;
  // Chance may make the run with checkpoints the shorter one.
  cost.cost = {std::max(0.0, longer / static_cast<double>(count))};
  cost.pause = with.saves.pause / saved;
  cost.write =
      with.saves.write / static_cast<double>(std::max<std::int64_t>(1, with.saves.written));
  cost.steps = static_cast<double>(with.steps) / saved;
  cost.spent = with.spent;
  for (auto& gpu : cost.spent)
    for (double& part : gpu) part /= saved;
  return cost;
}

Record measured(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                const Record& base, Backlog backlog) {
  const Epochs endless{.steps = kEndless, .per_epoch = kEndless, .hits = epochs.hits.flattened()};
  return run_job(scenario, plan, endless, Saving::measured, base.simulated, backlog);
}

bool in_background(const CheckpointPlan& checkpoint) {
  return checkpoint.asynchronous || checkpoint.writers.front().pieces.front().room.value > 0;
}

/// What is written after the last step holds no reads back any more. The steps that one write slows
/// down take, undisturbed, its time less what it costs; at most all steps up to the next.
Seconds spared_at_end(const Plan& plan, const Epochs& epochs, const Record& base,
                      const CheckpointCost& each) {
  const bool last_epochs = epochs.before + epochs.steps == plan.steps;
  const CheckpointPlan& checkpoint = *plan.checkpoint;
  if (!in_background(checkpoint) || !last_epochs || each.cost <= each.pause) return {};
  const double step = base.step_time.mean;
  const double slowed = std::max(1.0, std::min((each.write - each.cost).value / step, each.steps));
  const auto left = static_cast<double>(plan.steps % plan.checkpoint->interval);
  return (each.cost - each.pause) * std::max(0.0, 1 - left / slowed);
}

/// Sums up one number of all pieces.
Bytes of_pieces(const Plan& plan, Bytes CheckpointWriter::Piece::*number) {
  Bytes sum;
  for (const CheckpointWriter& writer : plan.checkpoint->writers)
    for (const auto& piece : writer.pieces) sum += piece.*number;
  return sum;
}

Bytes sum_of(const std::vector<Bytes>& parts) {
  return std::accumulate(parts.begin(), parts.end(), Bytes{});
}

/// By piece, in the order of writers.
template <class Of>
std::vector<Bytes> by_piece(const Plan& plan, Of&& of) {
  std::vector<Bytes> out;
  for (const CheckpointWriter& writer : plan.checkpoint->writers)
    for (const auto& piece : writer.pieces) out.push_back(of(piece, out.size()));
  return out;
}

struct Checkpointed {
  CheckpointCost each;
  Spans around;
  Unsaved unsaved;  ///< when the last step ended; simulated in place
};

Checkpointed with_checkpoints(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                              const Record& base, std::int64_t count, bool in_place,
                              Backlog backlog) {
  if (!in_place) {
    Record with = measured(scenario, plan, epochs, base, backlog);
    return {std::move(*with.checkpoint), std::move(with.recorded.at_checkpoint), {}};
  }
  Record with = run_job(scenario, plan, epochs, Saving::in_place, base.steps, backlog);
  CheckpointCost cost = cost_in_place(plan, epochs, base, with, count);
  const auto& waiting = with.unsaved.unwritten;
  if (base.simulated < epochs.steps &&
      sum_of(waiting) > of_pieces(plan, &CheckpointWriter::Piece::size))
    cost.piled_up = by_piece(plan, [&](const CheckpointWriter::Piece& piece, std::size_t p) {
      return (waiting[p] - piece.size) / static_cast<double>(with.saves.saved);
    });
  return {std::move(cost), std::move(with.recorded.at_checkpoint), std::move(with.unsaved)};
}

CheckpointCost mixed(CheckpointCost of, const CheckpointCost& other, double share) {
  const auto mix = [&](auto& a, const auto& b) { a = a * (1 - share) + b * share; };
  mix(of.cost, other.cost);
  mix(of.pause, other.pause);
  mix(of.write, other.write);
  mix(of.steps, other.steps);
  for (std::size_t g = 0; g < of.spent.size(); ++g)
    for (std::size_t a = 0; a < kActivities; ++a) mix(of.spent[g][a], other.spent[g][a]);
  return of;
}

/// Whether drives write more slowly than checkpoints come.
bool piles_up(const Plan& plan, const CheckpointCost& each) {
  constexpr double kKeepsUp = 0.005;  // of a checkpoint; a part of it is under way anyway
  return sum_of(each.piled_up) > of_pieces(plan, &CheckpointWriter::Piece::size) * kKeepsUp;
}

/// How many of these checkpoints find room in the page cache.
double that_fit(const Plan& plan, const Epochs& epochs, std::int64_t count,
                const CheckpointCost& each) {
  const double one_more = plan.checkpoint->asynchronous ? 1 : 0;  // only the next waits for it
  const double room = of_pieces(plan, &CheckpointWriter::Piece::room) / sum_of(each.piled_up);
  const std::int64_t earlier = epochs.before / plan.checkpoint->interval;
  return std::clamp(one_more + room - static_cast<double>(earlier), 0.0,
                    static_cast<double>(count));
}

/// Where the page cache fills up: what is still to be written after so many steps. Drives write the
/// same from each checkpoint to the next; an asynchronous one comes on top of what has room.
std::vector<Bytes> left_after(std::int64_t steps, const Plan& plan, const CheckpointCost& each) {
  const CheckpointPlan& checkpoint = *plan.checkpoint;
  const std::int64_t earlier = steps / checkpoint.interval - 1;
  const double since =
      static_cast<double>(steps % checkpoint.interval) / static_cast<double>(checkpoint.interval);
  return by_piece(plan, [&](const CheckpointWriter::Piece& piece, std::size_t p) {
    if (earlier < 0) return Bytes{};
    const Bytes more = std::max(Bytes{}, each.piled_up[p]);
    const Bytes most = piece.room + (checkpoint.asynchronous ? piece.size : Bytes{});
    return std::min(most, piece.size + more * static_cast<double>(earlier)) -
           (piece.size - more) * since;
  });
}

/// Where drives keep up: what is left of the last checkpoint, which they write evenly.
std::vector<Bytes> left_of_last(const Plan& plan, const CheckpointCost& each, Seconds step) {
  const Seconds since = step * static_cast<double>(plan.steps % plan.checkpoint->interval);
  const double left =
      in_background(*plan.checkpoint) && since < each.write ? 1 - since / each.write : 0;
  return by_piece(
      plan, [&](const CheckpointWriter::Piece& piece, std::size_t) { return piece.size * left; });
}

}  // namespace

Record run_job(const Scenario& scenario, const Plan& plan, const Epochs& epochs, Saving saving,
               std::int64_t most_steps, Backlog backlog) {
  StopRule stop{scenario.run.extrapolate,
                scenario.run.precision,
                scenario.run.max_steps.value_or(0),
                saving,
                backlog,
                scenario.run.timeline};
  if (saving == Saving::measured) stop.max_steps = most_steps;
  if (saving == Saving::in_place && most_steps >= epochs.steps) stop.extrapolate = false;
  const auto seed = static_cast<std::uint64_t>(scenario.run.seed);
  const EngineKind kind = scenario.run.engine;
  const auto run = [&](const Plan& of) {
    const auto engine = make_engine(kind);
    return TrainingJob(of, *engine, seed, stop, epochs).run();
  };
  RunMemory* const memory = RunMemory::in_use();
  if (!memory) return run(plan);
  return memory->of({running_plan(plan), kind, seed, stop, epochs},
                    [&](const RunOrder& order) { return run(order.plan); });
}

SavedEpochs save_epochs(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                        const Record& base) {
  SavedEpochs saved;
  const std::int64_t interval = plan.checkpoint->interval;
  saved.count = (epochs.before + epochs.steps) / interval - epochs.before / interval;
  if (saved.count == 0) return saved;
  const bool whole_epochs = !base.epoch_ends.empty() && base.simulated == base.steps;
  const bool often = interval <= epochs.per_epoch && !plan.streams();
  const bool in_place = base.simulated == epochs.steps || (whole_epochs && often);
  const auto simulated = [&](Backlog backlog) {
    return with_checkpoints(scenario, plan, epochs, base, saved.count, in_place, backlog);
  };
  Checkpointed with = simulated(Backlog::none);
  saved.each = std::move(with.each);
  saved.around = std::move(with.around);
  const auto all = static_cast<double>(saved.count);
  saved.unsaved = std::move(with.unsaved);
  auto& unwritten = saved.unsaved.unwritten;
  if (!in_place) unwritten = left_of_last(plan, saved.each, {base.step_time.mean});
  if (piles_up(plan, saved.each)) {
    unwritten = left_after(epochs.before + epochs.steps, plan, saved.each);
    const auto before = left_after(epochs.before, plan, saved.each);
    for (std::size_t p = 0; p < before.size(); ++p) unwritten[p] -= before[p];
    if (const double fit = that_fit(plan, epochs, saved.count, saved.each); fit < all) {
      const CheckpointCost lasting = simulated(Backlog::full).each;
      saved.known_to = (lasting.cost - saved.each.cost) / 2;
      saved.each = mixed(std::move(saved.each), lasting, 1 - fit / all);
      saved.all = saved.each.cost * all;
      return saved;
    }
  }
  saved.all = saved.each.cost * all;
  if (in_place) return saved;
  saved.all -= spared_at_end(plan, epochs, base, saved.each);
  if (epochs.before == 0) saved.all -= saved.each.spared;
  return saved;
}

}  // namespace gpufeed
