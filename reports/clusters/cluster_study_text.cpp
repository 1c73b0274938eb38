// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/clusters/cluster_study.h"
#include "reports/writers/layout.h"
#include "reports/writers/recommendation_text.h"
#include "reports/writers/rows_json.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr std::size_t kIndent = 22;
constexpr std::size_t kShown = 10;

std::string item(std::string_view label, std::string_view words) {
  return labeled(label, words, kIndent);
}

std::size_t width_of(const std::string& name) { return std::max<std::size_t>(12, name.size() + 2); }

std::string table_of(const ClusterStudy& study, const std::vector<std::size_t>& rows) {
  const auto names = told_of(study);
  std::string out = fmt::format("{:>4}", "");
  for (const auto& name : names) out += fmt::format("{:>{}}", name, width_of(name));
  out += "  choice\n";
  for (std::size_t i = 0; i < std::min(kShown, rows.size()); ++i) {
    const ClusterRow& row = study.rows[rows[i]];
    std::string line = fmt::format("{:>4}", i + 1);
    for (const auto& name : names)
      line +=
          fmt::format("{:>{}}", figure_text(name, figure_in(row.figures, name)), width_of(name));
    out += line + "  " + wrapped(values_text(row.values), line.size() + 2) + "\n";
  }
  if (rows.size() > kShown) out += fmt::format("and {} more\n", rows.size() - kShown);
  return out;
}

std::string given_text(const ClusterStudy& study, const ClusterRow& row) {
  std::string out;
  for (const auto& name : told_of(study)) {
    out += fmt::format("{}{} {}", out.empty() ? "" : "; ", name,
                       figure_text(name, figure_in(row.figures, name)));
    const auto found = std::ranges::find(row.repeated, name, &cluster::RepeatedValue::name);
    if (found != row.repeated.end())
      out += fmt::format(" ({} to {} in repeats)", figure_text(name, found->least),
                         figure_text(name, found->most));
  }
  return out;
}

/// Of choices that were run, that which comes closest to a limit.
std::string closest_text(const ClusterStudy& study, const std::string& name) {
  const ClusterRow* least = nullptr;
  const ClusterRow* most = nullptr;
  for (const ClusterRow& row : study.rows) {
    const auto value = figure_in(row.figures, name);
    if (!value) continue;
    if (!least || *value < *figure_in(least->figures, name)) least = &row;
    if (!most || *value > *figure_in(most->figures, name)) most = &row;
  }
  if (!least) return "not known of any choice";
  return fmt::format("{} ({}) to {} ({})", figure_text(name, figure_in(least->figures, name)),
                     values_text(least->values), figure_text(name, figure_in(most->figures, name)),
                     values_text(most->values));
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::int64_t refused_in(const ClusterStudy& study) {
  return std::ranges::count_if(study.rows, [](const auto& row) { return row.figures.empty(); });
}

}  // namespace

std::vector<std::string> told_of(const ClusterStudy& study) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::count(names, name) == 0) names.push_back(name);
  };
  if (!study.aim.empty() &&
      study.rows.front().values.end() ==
          std::ranges::find(study.rows.front().values, study.aim, &ChosenValue::axis))
    add(study.aim);
  for (const auto& name : study.limited) add(name);
  for (const char* const name : {"mean_wait_s", "mean_turnaround_s", "allocated_share"}) add(name);
  constexpr std::size_t kWide = 60;  // of a screen; the choice has the rest
  std::size_t wide = 0;
  const auto beyond = std::ranges::find_if(
      names, [&](const std::string& name) { return (wide += width_of(name)) > kWide; });
  names.erase(beyond, names.end());
  return names;
}

std::string cell_of(const ChosenValue& chosen) {
  const std::string& value = chosen.value;
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return value;
  return value.substr(1, value.size() - 2);
}

std::string to_text(const ClusterStudy& study) {
  std::string out = study.title.empty() ? "" : labeled("", study.title, 0);
  if (!study.title.empty() && !study.aim.empty()) out += "\n";
  const std::int64_t refused = refused_in(study);
  if (!study.aim.empty()) {
    out += item("Wanted", fmt::format("the {} {}", study.most ? "most" : "least", study.aim));
    for (const auto& one : study.constraints) out += item("Constraint", one);
    out += item(
        "Choices",
        fmt::format("{}, all run with their repeats{}; {} meet {}",
                    study.rows.size() - static_cast<std::size_t>(refused),
                    refused > 0 ? fmt::format(", {} refused", refused) : "", study.order.size(),
                    study.constraints.empty() ? "what there is to meet" : "all constraints"));
  }
  if (refused > 0) {
    const auto first =
        std::ranges::find_if(study.rows, [](const auto& row) { return row.figures.empty(); });
    out += item("Refused", values_text(first->values) + ": " + first->refused);
  }
  if (study.aim.empty()) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < study.rows.size(); ++i)
      if (!study.rows[i].figures.empty()) all.push_back(i);
    return out + "\n" + table_of(study, all);
  }
  if (study.order.empty()) {
    out += item("None", "meets all constraints");
    std::set<std::string> seen;
    for (const auto& name : study.limited)
      if (seen.insert(name).second) out += item(name, closest_text(study, name));
    return out;
  }
  const ClusterRow& best = study.rows[study.order.front()];
  out += item("Choose", values_text(best.values)) + item("It gives", given_text(study, best));
  return out + "\n" + table_of(study, study.order);
}

std::string to_json(const ClusterStudy& study) {
  std::vector<JsonRow> rows;
  for (const ClusterRow& one : study.rows) {
    JsonRow row{{"number", static_cast<double>(one.number)}};
    for (const auto& value : one.values) row.emplace_back(value.axis, cell_of(value));
    for (const auto& figure : one.figures)
      row.emplace_back(figure.name, figure.value ? RowValue(*figure.value) : RowValue());
    row.emplace_back("meets", one.meets);
    const bool is_best = !study.aim.empty() && !study.order.empty() &&
                         study.rows[study.order.front()].number == one.number;
    row.emplace_back("best", is_best);
    if (!one.refused.empty()) row.emplace_back("refused", one.refused);
    rows.push_back(std::move(row));
  }
  return to_json(rows);
}

std::string to_csv(const ClusterStudy& study) {
  std::string out = "number";
  for (const auto& value : study.rows.front().values) out += "," + csv_field(value.axis);
  const auto names = figures_of({}, {});
  for (const auto& figure : names) out += "," + figure.name;
  out += ",meets,refused\n";
  for (const ClusterRow& row : study.rows) {
    out += fmt::format("{}", row.number);
    for (const auto& value : row.values) out += "," + csv_field(cell_of(value));
    for (const auto& figure : names) {
      const auto value = figure_in(row.figures, figure.name);
      out += "," + (value ? fmt::format("{}", *value) : std::string());
    }
    out += fmt::format(",{},{}\n", row.meets, csv_field(row.refused));
  }
  return out;
}

}  // namespace gpufeed
