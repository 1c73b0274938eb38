// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "sim/base/files/start_threads.h"
#include "sim/base/units.h"
#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "ui/model/work/child.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

/// Price, rates, times and what has no price, as text for the way between processes; "-" is an
/// unknown price.
std::string written(const Result& result) {
  const std::string price = result.price_USD ? fmt::format("{}", *result.price_USD) : "-";
  const double rate = result.job_samples_per_s;
  const auto finite = [](double value) { return std::isfinite(value) ? value : 0; };
  return fmt::format("{} {} {} {} {}\n{}", price, finite(rate), finite(result.job_gpu_utilization),
                     finite(result.job_tokens_per_s.value_or(0)), finite(result.time_to_result_s),
                     result.without_price);
}

void read_into(Effect& effect, const std::string& text) {
  std::istringstream words(text);
  std::string price;
  words >> price >> effect.samples_per_s >> effect.busy >> effect.tokens_per_s >>
      effect.time_to_result_s;
  if (price != "-") effect.price_USD = std::stod(price);
  words.ignore();
  std::getline(words, effect.without_price);
  effect.answered = true;
}

std::string with_sign(double change, const std::string& amount) {
  return (change > 0 ? "+" : "−") + amount;
}

}  // namespace

Effects::Effects(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog), wake_(std::move(wake)) {
  const std::size_t cores = std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
  start_a_thread_at_least(threads_, cores, [this] { work(); });
}

Effects::~Effects() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    ++round_;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Effects::begin(std::vector<std::string> choices, Make make, const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    ++round_;
    std::ranges::reverse(choices);  // taken from the back
    unchecked_ = std::move(choices);
    wanted_.clear();
    known_.clear();
    make_ = std::move(make);
    name_ = name;
  }
  changed_.notify_all();
}

void Effects::cancel() { begin({}, {}, ""); }

void Effects::want(const std::vector<std::string>& choices) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = choices;
    std::ranges::reverse(wanted_);
  }
  changed_.notify_all();
}

std::optional<Effect> Effects::of(const std::string& choice) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(choice);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Effects::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return busy_ == 0 && unchecked_.empty() && wanted_.empty(); });
}

bool Effects::outdated(std::uint64_t round) const {
  const std::lock_guard lock(mutex_);
  return round_ != round;
}

std::optional<Effects::Task> Effects::next() {
  if (!unchecked_.empty()) {
    Task task{std::move(unchecked_.back()), false, round_};
    unchecked_.pop_back();
    return task;
  }
  for (std::size_t i = wanted_.size(); i-- > 0;) {
    const auto known = known_.find(wanted_[i]);
    if (known == known_.end() && busy_ > 0) continue;  // it may be the one that is checked now
    Task task{wanted_[i], true, round_};
    wanted_.erase(wanted_.begin() + static_cast<std::ptrdiff_t>(i));
    const bool open = known != known_.end() && known->second.problem.empty() &&
                      !known->second.answered && !answering_.contains(task.choice);
    if (open) return task;
  }
  return {};
}

void Effects::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    std::optional<Task> task;
    changed_.wait(lock, [&] { return ending_ || (task = next()).has_value(); });
    if (ending_) return;
    ++busy_;
    if (task->answer) answering_.insert(task->choice);
    const Make make = make_;
    const std::string name = name_;
    lock.unlock();
    serve(*task, make, name);
    if (wake_) wake_();
    lock.lock();
    --busy_;
    if (task->answer) answering_.erase(task->choice);
    changed_.notify_all();
  }
}

void Effects::serve(const Task& task, const Make& make, const std::string& name) {
  Effect effect;
  try {
    Scenario scenario = parse_scenario(make(task.choice), name, catalog_);
    scenario.run.headline();
    if (task.answer) {
      const auto end = run_in_child([&] { return written(simulate(scenario)); },
                                    [&] { return outdated(task.round); });
      if (!end) return;
      if (end->good)
        read_into(effect, end->text);
      else
        effect.problem = first_sentence(end->problems);
    }
  } catch (const std::exception& error) {
    effect.problem = first_sentence(problems_of(error));
  }
  const std::lock_guard lock(mutex_);
  if (round_ == task.round) known_[task.choice] = std::move(effect);
}

std::string price_change(const Effect& effect, std::optional<double> price_now,
                         const std::string& without_price_now) {
  if (!effect.price_USD || !price_now) return "";
  if (effect.without_price != without_price_now) return "not known";
  const double change = *effect.price_USD - *price_now;
  if (std::abs(change) < 0.5) return "same";
  return with_sign(change, text_number(std::abs(change), 6));
}

std::string rate_change(const Effect& effect, double samples_per_s_now) {
  if (!(effect.samples_per_s > 0) || !(samples_per_s_now > 0)) return "";
  const double change = effect.samples_per_s / samples_per_s_now - 1;
  constexpr double kNone = 0.0005;  // a tenth of a percent is not shown
  if (std::abs(change) < kNone) return "same";
  return with_sign(change, fmt::format("{:.1f} %", 100 * std::abs(change)));
}

}  // namespace gpufeed::ui
