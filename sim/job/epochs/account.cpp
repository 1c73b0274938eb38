// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/account.h"

#include <algorithm>
#include <numeric>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

double sum(const TimeSpent& spent) { return std::accumulate(spent.begin(), spent.end(), 0.0); }

void scale(TimeSpent& spent, double times) {
  for (double& part : spent) part *= times;
}

void add(TimeSpent& to, const TimeSpent& what, double times) {
  for (std::size_t a = 0; a < kActivities; ++a) to[a] += times * what[a];
}

/// From a batch's being ready until its step is over, where nothing waits.
Seconds from_ready(const Plan& plan) {
  const GpuPlan& gpu = plan.gpus.front();
  return copy_time(plan, gpu) + gpu.decode_by_engine + undisturbed_step(plan);
}

/// How long an epoch is, by its steps, of which a shorter one was simulated.
class CutEpoch {
 public:
  CutEpoch(const Plan& plan, const Record& record) : plan_(plan), record_(record) {
    for (const auto& gpu : record.steady_spent)
      trained_ += sum(gpu) / static_cast<double>(record.steady_spent.size());
    // What is read by then and waits may be trained faster than more of it comes.
    trained_ = std::min(trained_, record.step_time.mean);
  }

  double time(std::int64_t steps) const {
    const double more = static_cast<double>(steps - record_.steps);
    const double pace = record_.step_time.mean;
    if (!record_.cut->ran_dry) return std::max(at_least(), record_.end.value + more * pace);
    const double end = record_.end.value + more * trained_;
    const double ready = (record_.last_ready + from_ready(plan_)).value + more * pace;
    return std::max({at_least(), end, ready});
  }

  /// When so many steps are over of epochs that run into one another, all of them being more.
  double date(std::int64_t steps) const {
    return record_.cut->date.value + static_cast<double>(steps - record_.cut->steps) * trained_;
  }

  /// Of each GPU, in an epoch of so many steps.
  std::vector<TimeSpent> spent(std::int64_t steps) const {
    const double all = time(steps);
    const double more = static_cast<double>(steps - record_.steps);
    std::vector<TimeSpent> out = record_.spent;
    for (std::size_t g = 0; g < out.size(); ++g) {
      if (more > 0) add(out[g], record_.steady_spent[g], more);
      fit(out[g], all);
    }
    return out;
  }

 private:
  double at_least() const { return record_.first_step_end.value; }

  /// Where loaders set the pace, what GPUs do not work they wait: longer than in the steps that
  /// were seen where a stock still hid it from them, shorter where it came late.
  void fit(TimeSpent& spent, double all) const {
    if (record_.pace != Pace::trained) {
      const auto wait = record_.pace == Pace::read ? Activity::storage : Activity::decode;
      double& waited = spent[static_cast<std::size_t>(wait)];
      waited = std::max(0.0, waited + all - sum(spent));
    }
    scale(spent, all / sum(spent));
  }

  const Plan& plan_;
  const Record& record_;
  double trained_ = 0;  ///< seconds from one step to the next
};

/// Epochs that each begin with empty loaders.
EpochsAccount of_cut_epoch(const CutEpoch& epoch, const Record& record, const Epochs& epochs) {
  const std::int64_t each = std::min(epochs.per_epoch, epochs.steps);
  const std::int64_t whole = epochs.steps / each;
  const std::int64_t rest = epochs.steps % each;
  EpochsAccount out;
  const double time = epoch.time(each);
  out.trained = {time, time, time * static_cast<double>(whole)};
  out.spent = epoch.spent(each);
  for (auto& gpu : out.spent) scale(gpu, static_cast<double>(whole));
  out.filling_s = record.filling.value * static_cast<double>(whole + (rest > 0 ? 1 : 0));
  if (rest == 0) return out;
  out.trained.all_s += epoch.time(rest);
  const auto last = epoch.spent(rest);
  for (std::size_t g = 0; g < last.size(); ++g) add(out.spent[g], last[g], 1);
  return out;
}

/// Epochs that run into one another.
EpochsAccount of_cut_stream(const CutEpoch& stream, const Record& record, const Epochs& epochs) {
  EpochsAccount out;
  const double all = stream.time(epochs.steps);
  out.trained = {all, all, all};
  const double others =
      static_cast<double>(epochs.steps) / static_cast<double>(epochs.per_epoch) - 1;
  if (others > 0) {
    out.trained.first_s =
        record.epoch_ends.empty() ? stream.date(epochs.per_epoch) : record.epoch_ends.front().value;
    out.trained.later_s = (all - out.trained.first_s) / others;
  }
  out.spent = stream.spent(epochs.steps);
  out.filling_s = record.filling.value;
  return out;
}

EpochsAccount of_whole_epochs(const Record& record, const Epochs& epochs) {
  EpochsAccount out;
  const double first = record.epoch_ends.front().value;
  const auto whole = std::min(std::ssize(record.epoch_ends), epochs.steps / epochs.per_epoch);
  out.trained.first_s = out.trained.later_s = first;
  double& later = out.trained.later_s;
  if (whole > 1)
    later = (record.epoch_ends[static_cast<std::size_t>(whole - 1)].value - first) /
            static_cast<double>(whole - 1);
  out.trained.all_s = record.end.value + later * static_cast<double>(epochs.steps - record.steps) /
                                             static_cast<double>(epochs.per_epoch);
  out.spent = record.spent;
  for (auto& gpu : out.spent) {
    // Others were sooner at every batch: it waited for its first one to the end.
    if (sum(gpu) <= 0) gpu[static_cast<std::size_t>(Activity::storage)] = 1;
    scale(gpu, out.trained.all_s / sum(gpu));
  }
  out.filling_s = record.filling.value * out.trained.all_s / record.end.value;
  return out;
}

}  // namespace

void add(EpochsAccount& to, const EpochsAccount& other, double times) {
  const auto add_times = [&](EpochTimes& sum, const EpochTimes& more) {
    sum.first_s += times * more.first_s;
    sum.later_s += times * more.later_s;
    sum.all_s += times * more.all_s;
  };
  add_times(to.trained, other.trained);
  add_times(to.saved, other.saved);
  to.filling_s += times * other.filling_s;
  to.first_step_s += times * other.first_step_s;
  to.first_step_own_s += times * other.first_step_own_s;
  for (std::size_t g = 0; g < to.spent.size(); ++g) add(to.spent[g], other.spent[g], times);
}

EpochsAccount account_of(const Plan& plan, const Record& record, const Epochs& epochs) {
  EpochsAccount out;
  if (!record.cut) {
    out = of_whole_epochs(record, epochs);
  } else {
    const CutEpoch epoch(plan, record);
    out =
        plan.streams() ? of_cut_stream(epoch, record, epochs) : of_cut_epoch(epoch, record, epochs);
  }
  out.steps = epochs.steps;
  out.first_step_s = record.first_step_end.value;
  out.first_step_own_s = record.first_step_own.value;
  return out;
}

double least_time(const EpochsAccount& account, const Plan& plan, Rate bound) {
  return plan.global_batch() * static_cast<double>(account.steps) / bound.value;
}

void lengthen(EpochsAccount& account, double times) {
  for (double* time : {&account.trained.first_s, &account.trained.later_s, &account.trained.all_s})
    *time *= times;
  for (auto& gpu : account.spent) scale(gpu, times);
}

void begin_early(EpochsAccount& account, const Plan& plan, const Record& before, Rate bound) {
  const double least = least_time(account, plan, bound);
  const double early = account.trained.all_s - (before.end - before.last_ready).value;
  if (account.trained.all_s > least)
    lengthen(account, std::max(least, early) / account.trained.all_s);
}

void add_checkpoints(EpochsAccount& account, const Plan& plan, const Record& record,
                     const Epochs& epochs, const SavedEpochs& saved) {
  if (saved.count == 0) return;
  const auto count = static_cast<double>(saved.count);
  const std::int64_t first = std::min(epochs.per_epoch, epochs.steps);
  const std::int64_t interval = plan.checkpoint->interval;
  const std::int64_t in_first = (epochs.before + first) / interval - epochs.before / interval;
  const double others = static_cast<double>(epochs.steps) / static_cast<double>(first) - 1;
  const double first_s = saved.all.value * static_cast<double>(in_first) / count;
  account.saved = {first_s, others > 0 ? (saved.all.value - first_s) / others : first_s,
                   saved.all.value};
  // Steps that have a checkpoint in them, instead of as many without.
  const double with = std::min(1.0, count * saved.each.steps / static_cast<double>(account.steps));
  const bool steady = record.cut.has_value();
  for (std::size_t g = 0; g < account.spent.size(); ++g) {
    TimeSpent& spent = account.spent[g];
    if (steady)
      add(spent, record.steady_spent[g], -with * static_cast<double>(account.steps));
    else
      scale(spent, 1 - with);
    add(spent, saved.each.spent[g], count);
    for (double& part : spent) part = std::max(0.0, part);
    scale(spent, account.all_s() / sum(spent));
  }
}

}  // namespace gpufeed
