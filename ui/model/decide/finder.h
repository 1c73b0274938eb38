// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/load/read/catalog.h"
#include "sim/model/study/recommendation.h"
#include "ui/model/work/one_task.h"

namespace gpufeed::ui {

/// Finds the best choice of a goal in the background. All calls are of one thread.
class Finder {
 public:
  /// \param wake  called from another thread when there is news
  explicit Finder(const Catalog& catalog, std::function<void()> wake = {});

  /// Begins to search; what still runs is ended.
  /// \param goal  as `gpufeed recommend` takes it; its file of a scenario is not read
  /// \param front  the same goal for all that nothing beats; empty: not sought
  /// \param text  of the scenario, in its place
  /// \param name  stands for its file in messages; paths are relative to it
  void start(const std::string& goal, const std::string& text, const std::string& name,
             const std::string& front = "");
  void cancel();
  /// Takes in what was found. \return whether anything was
  bool poll();
  /// Waits for the end.
  void finish();

  bool running() const { return task_.running() || front_task_.running(); }
  /// Why there is no answer; empty where there is one, or nothing was asked.
  const std::string& problem() const { return problem_; }
  const std::optional<Recommendation>& answer() const { return answer_; }
  /// What nothing beats in price and rate, where that was sought and there is any.
  const std::optional<Recommendation>& front() const { return front_; }
  /// The scenario whose text was searched from.
  const std::string& text() const { return text_; }

 private:
  Catalog catalog_;
  OneTask task_, front_task_;
  std::string text_;
  std::string problem_;
  std::optional<Recommendation> answer_, front_;
};

}  // namespace gpufeed::ui
