// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/finder.h"

#include <utility>

#include "reports/study/recommend.h"
#include "reports/writers/json.h"
#include "sim/load/scenario_source.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {

Finder::Finder(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog.apart()), task_(std::move(wake)) {}

void Finder::start(const std::string& goal, const std::string& text, const std::string& name) {
  cancel();
  text_ = text;
  task_.start([=, catalog = catalog_] {
    const Catalog remembering = catalog.remembering();
    const ScenarioSource base(text, name, remembering);
    const Choices choices =
        choices_of(parse_goal(goal, "the goal", remembering), base, remembering);
    return to_json(recommend(choices, {}));
  });
}

void Finder::cancel() {
  task_.cancel();
  problem_.clear();
  answer_.reset();
}

bool Finder::poll() {
  const auto end = task_.poll();
  if (!end) return false;
  if (end->good)
    answer_ = recommendation_from_json(end->text);
  else
    problem_ = shown_lines(end->problems);
  return true;
}

void Finder::finish() {
  task_.finish();
  poll();
}

}  // namespace gpufeed::ui
