// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/load/read/catalog.h"
#include "sim/model/study/observed.h"
#include "ui/model/work/one_task.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// Finds out in the background why a real run is not as predicted. All calls are of one thread.
class Explainer {
 public:
  /// \param wake  called from another thread when there is news
  explicit Explainer(const Catalog& catalog, std::function<void()> wake = {});

  /// Begins; what still runs is ended. \param observed  as `gpufeed simulate --observed` takes it
  void start(const std::string& observed, std::shared_ptr<const Scenario> scenario);
  void cancel();
  /// Takes in what was found out. \return whether anything was
  bool poll();
  /// Waits for the end.
  void finish();

  bool running() const { return task_.running(); }
  /// Why there is no answer; empty where there is one, or nothing was asked.
  const std::string& problem() const { return problem_; }
  const std::optional<Explanation>& answer() const { return answer_; }
  /// What the answer is about; null where nothing was asked.
  const std::shared_ptr<const Scenario>& scenario() const { return scenario_; }

 private:
  Catalog catalog_;
  OneTask task_;
  std::shared_ptr<const Scenario> scenario_;
  std::string problem_;
  std::optional<Explanation> answer_;
};

}  // namespace gpufeed::ui
