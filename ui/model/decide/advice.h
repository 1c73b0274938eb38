// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/load/read/catalog.h"
#include "sim/model/result/elasticity.h"
#include "sim/model/result/result.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// What holds a scenario back and what would help, as far as it was found out.
struct Advice {
  std::optional<Elasticity> elasticity;
  std::optional<WhatIf> what_if;  ///< of settings alone at first, then of parts, too
  std::vector<bool> can_try;      ///< of `shown_changes`: whether the scenario's text can say it
  bool parts_tried = false;
  std::string problem;  ///< why there is no more of it; empty where there is
};

/// A scenario that was answered.
struct Answered {
  std::string text;
  std::string name;  ///< stands for its file in messages; paths are relative to it
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const Result> result;
};

/// Whether it can be asked what would make it faster: it runs epochs.
bool takes_advice(const Scenario& scenario);

/// What helps, then what saves, then what trains another way, which `why` says.
std::vector<WhatIfRow> shown_changes(const WhatIf& what_if);

/// `text` with a change made, for `Session::apply`. \throws InputError  where the text cannot say
/// it
std::string with_change(std::string text, const WhatIfRow& change);

/// Finds advice in the background, in child processes, the quick answers first. All calls are of
/// one thread.
class Adviser {
 public:
  /// \param wake  called from other threads when there is news
  explicit Adviser(const Catalog& catalog, std::function<void()> wake = {});
  ~Adviser();
  Adviser(const Adviser&) = delete;
  Adviser& operator=(const Adviser&) = delete;

  /// Forgets all, and begins with this one, which must take advice.
  void begin(Answered answered);
  /// Ends what runs; what is known stays.
  void cancel();
  /// Forgets what is known, too.
  void forget();
  /// Takes in what was found out. \return whether anything was
  bool poll();
  /// Waits until all is known.
  void finish();
  const Advice& advice() const { return advice_; }
  /// Whether more is on its way.
  bool busy() const;

 private:
  enum class Question { elasticity, settings, parts };
  struct News {
    Question question;
    std::string json;
    std::string problem;
  };
  void work();
  void take(const News& news);
  std::optional<News> answer_to(Question question, const Answered& answered, std::uint64_t round);
  bool outdated(std::uint64_t round) const;

  Catalog catalog_;
  std::function<void()> wake_;
  Advice advice_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Answered answered_;
  std::deque<Question> open_;
  std::uint64_t round_ = 0;
  std::size_t running_ = 0;
  bool ending_ = false;
  std::vector<News> news_;
  std::vector<std::thread> threads_;  // last: they use all the others
};

}  // namespace gpufeed::ui
