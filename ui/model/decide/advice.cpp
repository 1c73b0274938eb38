// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/advice.h"

#include <exception>
#include <utility>

#include "reports/study/whatif.h"
#include "reports/writers/json.h"
#include "sim/base/files/start_threads.h"
#include "sim/elasticity.h"
#include "sim/load/load.h"
#include "sim/load/scenario_source.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "ui/model/build/edits.h"
#include "ui/model/build/own_numbers.h"
#include "ui/model/build/words.h"
#include "ui/model/work/child.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

constexpr std::size_t kAtOnce = 2;  ///< questions: more would take cores from what the user does

/// Where the path leads into a catalog's entry, its value becomes the user's own.
std::string with_set(const std::string& text, const Override& set) {
  const KeyPath above = set.path.parent();
  const auto owner = above.empty() ? std::nullopt : texts_at(text, above);
  if (owner && owner->size() == 1)
    return with_own_number(text, owner->front(), set.path.steps.back().key, set.value);
  return with_words(text, set.path, set.value);
}

bool can_say(const std::string& text, const WhatIfRow& change) {
  try {
    return with_change(text, change) != text;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

bool takes_advice(const Scenario& scenario) { return scenario.workload.is<RunsEpochs>(); }

std::vector<WhatIfRow> shown_changes(const WhatIf& what_if) {
  std::vector<WhatIfRow> shown;
  const auto add = [&](const std::vector<WhatIfRow>& rows, const char* what) {
    for (WhatIfRow row : rows) {
      row.why = what + row.why;
      shown.push_back(std::move(row));
    }
  };
  add(what_if.fitting, "with it the job fits; ");
  add(what_if.rows, "");
  add(what_if.savings, "as fast, for less money; ");
  add(what_if.altering, "another training, and so another result; ");
  return shown;
}

std::string with_change(std::string text, const WhatIfRow& change) {
  for (const std::string& set : change.sets) text = with_set(text, parse_override(set));
  return text;
}

Adviser::Adviser(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog.apart()), wake_(std::move(wake)) {
  start_a_thread_at_least(threads_, kAtOnce, [this] { work(); });
}

Adviser::~Adviser() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    ++round_;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Adviser::begin(Answered answered) {
  forget();
  {
    const std::lock_guard lock(mutex_);
    answered_ = std::move(answered);
    open_ = {Question::elasticity, Question::settings, Question::parts};
  }
  changed_.notify_all();
}

void Adviser::cancel() {
  const std::lock_guard lock(mutex_);
  ++round_;
  open_.clear();
  news_.clear();
}

void Adviser::forget() {
  cancel();
  advice_ = {};
}

bool Adviser::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ > 0 || !open_.empty() || !news_.empty();
}

void Adviser::finish() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return running_ == 0 && open_.empty(); });
  }
  poll();
}

bool Adviser::poll() {
  std::vector<News> news;
  {
    const std::lock_guard lock(mutex_);
    news = std::exchange(news_, {});
  }
  for (const News& one : news) take(one);
  return !news.empty();
}

void Adviser::take(const News& news) {
  if (!news.problem.empty()) {
    advice_.problem = news.problem;
  } else if (news.question == Question::elasticity) {
    advice_.elasticity = elasticity_from_json(news.json);
  } else if (news.question == Question::parts || !advice_.parts_tried) {
    advice_.what_if = what_if_from_json(news.json);
    advice_.can_try.clear();
    for (const WhatIfRow& row : shown_changes(*advice_.what_if))
      advice_.can_try.push_back(can_say(answered_.text, row));
    advice_.parts_tried = news.question == Question::parts;
  }
}

bool Adviser::outdated(std::uint64_t round) const {
  const std::lock_guard lock(mutex_);
  return round_ != round;
}

std::optional<Adviser::News> Adviser::answer_to(Question question, const Answered& answered,
                                                std::uint64_t round) {
  const auto find_out = [&] {
    if (question == Question::elasticity)
      return to_json(elasticity_of(*answered.scenario, *answered.result));
    const Catalog catalog = catalog_.remembering();
    const ScenarioSource source(answered.text, answered.name, catalog);
    return to_json(what_if(source, catalog, {.settings_only = question == Question::settings}));
  };
  try {
    const auto end = run_in_child(find_out, [&] { return outdated(round); });
    if (!end) return {};
    return end->good ? News{question, end->text, ""}
                     : News{question, "", shown_lines(end->problems)};
  } catch (const std::exception& error) {  // there can be no more processes
    return News{question, "", error.what()};
  }
}

void Adviser::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ending_ || !open_.empty(); });
    if (ending_) return;
    const Question question = open_.front();
    open_.pop_front();
    const Answered answered = answered_;
    const std::uint64_t round = round_;
    ++running_;
    lock.unlock();
    auto news = answer_to(question, answered, round);
    lock.lock();
    --running_;
    if (news && round == round_) news_.push_back(std::move(*news));
    changed_.notify_all();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace gpufeed::ui
