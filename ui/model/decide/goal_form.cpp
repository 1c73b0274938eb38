// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/goal_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "reports/writers/terms.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/study/whatif.h"
#include "ui/model/build/words.h"
#include "ui/model/decide/advice.h"

namespace gpufeed::ui {
namespace {

constexpr std::array kParts{std::pair{"system.gpu", "gpu"}, std::pair{"system.cpu", "cpu"},
                            std::pair{"system.drives", "drive"}, std::pair{"system.nics", "nic"}};

/// A number that may have commas between its digits and one of the units behind it.
std::optional<double> number_in(std::string text, const std::vector<std::string>& units) {
  std::erase_if(text, [](char c) { return c == ',' || c == ' '; });
  for (const std::string& unit : units)
    if (lower(text).ends_with(lower(unit))) {
      text.erase(text.size() - unit.size());
      break;
    }
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || rest != end || !(number >= 0)) return {};
  return number;
}

/// One line of the form: what it is called, and the condition that it becomes.
struct Limit {
  const char* name;
  const std::string* text;
  std::vector<std::string> units;
  const char* condition;
  double factor;
};

std::vector<std::string> conditions_of(const GoalForm& form, Diagnostics& wrong) {
  constexpr double kHour_s = 3600;
  const std::array limits{
      Limit{term::kGpuUtilization.data(), &form.busy, {"%"}, "job_gpu_utilization >= {} %", 1},
      Limit{"Samples/s", &form.rate, {"samples/s", "/s"}, "job_samples_per_s >= {}", 1},
      Limit{"Hours", &form.hours, {"hours", "h"}, "time_to_result_s <= {}", kHour_s},
      Limit{"Price", &form.price, {"USD", "$"}, "price_USD <= {}", 1},
      Limit{"Power", &form.power, {"W"}, "power_W <= {}", 1}};
  std::vector<std::string> conditions;
  for (const Limit& limit : limits) {
    if (limit.text->find_first_not_of(' ') == std::string::npos) continue;
    if (const auto number = number_in(*limit.text, limit.units))
      conditions.push_back(fmt::format(fmt::runtime(limit.condition), *number * limit.factor));
    else
      wrong.error({"the goal", 0, 0}, "{}: \"{}\" is no number, such as \"90\" or \"120,000\"",
                  limit.name, *limit.text);
  }
  return conditions;
}

const char* aim_in_toml(Aim aim) {
  switch (aim) {
    case Aim::cheapest:
      return "minimize = \"price_USD\"\n";
    case Aim::fastest:
      return "maximize = \"job_samples_per_s\"\n";
    case Aim::front:
      break;
  }
  return "front = [\"price_USD\", \"job_samples_per_s\"]\n";
}

const char* help_of(const std::string& kind) {
  if (kind == "gpu") return "The GPUs in this chassis: which, and how many";
  if (kind == "cpu") return "The processors in this chassis: which, and how many";
  if (kind == "drive") return "The drives in this chassis: which, and how many";
  return "The network cards in this chassis: which, and how many";
}

}  // namespace

std::string kind_of_parts(const Parameter& parameter) {
  const auto* const found =
      std::ranges::find_if(kParts, [&](const auto& one) { return parameter.path == one.first; });
  return found == kParts.end() ? "" : found->second;
}

std::vector<Parameter> choosable(const std::optional<RequestedMachine>& requested,
                                 const Scenario& scenario, const Result& result) {
  std::vector<Parameter> all;
  if (requested) {
    all.push_back({Varies::key,
                   "system.chassis",
                   "The chassis that the parts go into",
                   {ValueKind::entry},
                   "names of the catalog's kind chassis",
                   toml_string(requested->chassis),
                   {}});
    for (const RequestedParts& parts : requested->parts) {
      std::string now;
      for (const RequestedPart& one : parts.parts)
        now += fmt::format("{}{} x {}", now.empty() ? "" : ", ", one.count, one.product);
      all.push_back({Varies::key,
                     "system." + parts.key,
                     help_of(parts.kind),
                     {ValueKind::list},
                     "\"4 x NAME\"; \"1..8 x NAME\" are eight values",
                     toml_string(now),
                     {}});
    }
    all.push_back({Varies::key,
                   "system.memory",
                   "The memory of this machine",
                   {ValueKind::text},
                   "\"1 TB\" or \"16 x 64 GB\"",
                   toml_string(requested->memory),
                   {}});
  }
  for (Parameter& one : parameters_of(scenario, result))
    if (one.varies == Varies::key) all.push_back(std::move(one));
  return all;
}

AxisForm suggested_choice(const Parameter& parameter) {
  AxisForm form = suggested_form(parameter);
  const std::string kind = kind_of_parts(parameter);
  const bool whole = parameter.path == "system.memory" || !kind.empty();
  if (whole) form.list = without_quotes(parameter.now);
  const bool one_product = form.list.find(',') == std::string::npos;
  const std::size_t times = form.list.find(" x ");
  if (one_product && times != std::string::npos && (kind == "drive" || kind == "nic"))
    form.list = "1..8" + form.list.substr(times);
  return form;
}

std::string with_product_added(const std::string& list, const std::string& product) {
  if (list.find_first_not_of(' ') == std::string::npos) return "1 x " + product;
  const std::size_t comma = list.rfind(',');
  const std::size_t begin = list.find_first_not_of(' ', comma == std::string::npos ? 0 : comma + 1);
  const std::size_t times = list.find(" x ", std::min(begin, list.size()));
  const std::string count = times == std::string::npos ? "1" : list.substr(begin, times - begin);
  return fmt::format("{}, {} x {}", list, count, product);
}

std::string goal_text(const GoalForm& form, const std::string& scenario) {
  Diagnostics wrong;
  std::string out = fmt::format("scenario = {}\n{}", toml_string(scenario), aim_in_toml(form.aim));
  std::vector<std::string> quoted;
  for (const std::string& one : conditions_of(form, wrong)) quoted.push_back(toml_string(one));
  if (!quoted.empty()) out += fmt::format("constraint = [{}]\n", fmt::join(quoted, ", "));
  if (std::ranges::all_of(form.axes, [](const AxisForm& a) { return a.parameter.path.empty(); }))
    wrong.error({"the goal", 0, 0}, "tick first what may be chosen");
  for (const AxisForm& axis : form.axes)
    if (!axis.parameter.path.empty()) out += axis_toml(axis, wrong);
  wrong.throw_if_any();
  return out;
}

std::string with_choice(const std::string& text, const gpufeed::Choice& choice) {
  WhatIfRow change;
  for (const ChosenValue& one : choice.values) change.sets.push_back(one.path + "=" + one.value);
  return with_change(text, change);
}

}  // namespace gpufeed::ui
