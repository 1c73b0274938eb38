// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/explainer.h"

#include <utility>

#include "reports/study/explain.h"
#include "reports/writers/json.h"
#include "sim/load/study/observed.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {

Explainer::Explainer(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog.apart()), task_(std::move(wake)) {}

void Explainer::start(const std::string& observed, std::shared_ptr<const Scenario> scenario) {
  cancel();
  scenario_ = std::move(scenario);
  task_.start([observed, catalog = catalog_, of = scenario_] {
    const Observed seen = parse_observed(observed, "what was seen", catalog);
    return to_json(explain(*of, seen, 1, [](std::int64_t, std::int64_t) {}));
  });
}

void Explainer::cancel() {
  task_.cancel();
  problem_.clear();
  answer_.reset();
}

bool Explainer::poll() {
  const auto end = task_.poll();
  if (!end) return false;
  if (end->good)
    answer_ = explanation_from_json(end->text);
  else
    problem_ = shown_lines(end->problems);
  return true;
}

void Explainer::finish() {
  task_.finish();
  poll();
}

}  // namespace gpufeed::ui
