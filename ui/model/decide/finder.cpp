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

namespace {

std::string recommended(const std::string& goal, const std::string& text, const std::string& name,
                        const Catalog& catalog) {
  const Catalog remembering = catalog.remembering();
  const ScenarioSource base(text, name, remembering);
  return to_json(
      recommend(choices_of(parse_goal(goal, "the goal", remembering), base, remembering), {}));
}

}  // namespace

Finder::Finder(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog.apart()), task_(wake), front_task_(std::move(wake)) {}

void Finder::start(const std::string& goal, const std::string& text, const std::string& name,
                   const std::string& front) {
  cancel();
  text_ = text;
  task_.start([=, catalog = catalog_] { return recommended(goal, text, name, catalog); });
  if (!front.empty())
    front_task_.start([=, catalog = catalog_] { return recommended(front, text, name, catalog); });
}

void Finder::cancel() {
  task_.cancel();
  front_task_.cancel();
  problem_.clear();
  answer_.reset();
  front_.reset();
}

bool Finder::poll() {
  const auto end = task_.poll();
  const auto front = front_task_.poll();
  if (front && front->good) front_ = recommendation_from_json(front->text);
  if (!end) return front.has_value();
  if (end->good)
    answer_ = recommendation_from_json(end->text);
  else
    problem_ = shown_lines(end->problems);
  return true;
}

void Finder::finish() {
  task_.finish();
  front_task_.finish();
  poll();
}

}  // namespace gpufeed::ui
