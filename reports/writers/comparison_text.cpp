// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr std::size_t kLeast = 12;  ///< columns of a scenario
constexpr std::size_t kNames = 30;  ///< of a key or figure

class Table {
 public:
  explicit Table(std::size_t scenarios)
      : width_(std::max(kLeast, (kScreenWidth - kNames) / scenarios)) {}

  std::string row(const std::string& name, const std::vector<std::string>& cells) const {
    std::string line = fmt::format("{:<{}}", clipped(name, kNames - 1), kNames);
    if (name.size() >= kNames) line = name + "\n" + std::string(kNames, ' ');
    for (const auto& cell : cells) line += fmt::format("{:<{}}", clipped(cell, width_ - 2), width_);
    line.resize(line.find_last_not_of(' ') + 1);
    return line + "\n";
  }

  /// Of values that differ: below one another where they are too long to stand beside each other.
  std::string difference(const std::string& name, const std::vector<std::string>& values) const {
    const auto fits = [&](const std::string& value) { return clipped(value, width_ - 2) == value; };
    if (std::ranges::all_of(values, fits)) return row(name, values);
    std::string lines = name + "\n";
    for (std::size_t i = 0; i < values.size(); ++i)
      lines += labeled("  " + scenario_letter(i) + "  ", values[i], 5);
    return lines;
  }

 private:
  std::size_t width_;
};

std::string differences(const SideBySide& comparison, const Table& table) {
  if (comparison.differences.empty()) return "No key, part or way differs.\n";
  std::string out;
  for (const auto& difference : comparison.differences)
    out += table.difference(shown_name(difference), shown_values(difference));
  return out;
}

std::string figures(const SideBySide& comparison, const Table& table) {
  const auto line = [&](const std::string& name,
                        const std::function<std::string(const ComparedRow&)>& cell) {
    std::vector<std::string> cells;
    for (const auto& row : comparison.rows) cells.push_back(cell(row));
    return table.row(name, cells);
  };
  const bool any = any_trains(comparison);
  std::string out;
  if (any) out += line("samples/s", [](const auto& r) { return rate_text(r); });
  if (std::ranges::any_of(comparison.rows,
                          [](const auto& r) { return r.job_tokens_per_s.has_value(); }))
    out += line("tokens/s", [](const auto& r) { return tokens_text(r); });
  if (any)
    out += line(std::string(term::kGpuUtilization), [](const auto& r) { return busy_text(r); }) +
           line("time to result", [](const auto& r) { return result_time_text(r); });
  for (const auto& name : figure_names(comparison))
    out += line(name, [&](const auto& r) { return figure_text(r, name); });
  out += line("price", [](const auto& r) { return price_text(r); }) +
         line("power", [](const auto& r) { return power_text(r); });
  if (any)
    out += line("cost an hour", [](const auto& r) { return cost_text(r, r.per_hour_USD); }) +
           line("cost of 1M samples",
                [](const auto& r) { return cost_text(r, r.job_per_million_samples_USD); });
  return out + line("bottleneck", [](const auto& r) { return r.bottleneck; });
}

/// Nothing is certain: what is known better than that is written as more than it.
std::string chance(double probability) {
  constexpr double kAlmost = 0.999;
  if (probability > kAlmost) return "more than 99.9 %";
  return text_number(100 * probability, 3) + " %";
}

std::string at_least(const std::string& without) { return without.empty() ? "" : "at least "; }

const ComparedFigure* figure_of(const ComparedRow& row, const std::string& name) {
  const auto found = std::ranges::find(row.figures, name, &ComparedFigure::name);
  return found == row.figures.end() ? nullptr : &*found;
}

}  // namespace

bool trains(const ComparedRow& row) {
  return row.figures.empty() && std::isfinite(row.job_samples_per_s);
}

bool any_trains(const SideBySide& comparison) {
  return std::ranges::any_of(comparison.rows, trains);
}

std::vector<std::string> figure_names(const SideBySide& comparison) {
  std::vector<std::string> names;
  for (const ComparedRow& row : comparison.rows)
    for (const ComparedFigure& figure : row.figures)
      if (std::ranges::count(names, figure.name) == 0) names.push_back(figure.name);
  return names;
}

std::string figure_text(const ComparedFigure& figure) {
  if (figure.unit == "B/s") return text(Bandwidth{figure.value}, 4);
  if (figure.unit == "FLOP/s") return text(FlopRate{figure.value}, 4);
  if (figure.unit == "s") return time_text(figure.value);
  return text_number(figure.value) + figure.unit;
}

std::string figure_text(const ComparedRow& row, const std::string& name) {
  const ComparedFigure* figure = figure_of(row, name);
  return figure ? figure_text(*figure) : "-";
}

std::string rate_text(const ComparedRow& row) {
  return trains(row) ? text_number(row.job_samples_per_s) : "-";
}
std::string tokens_text(const ComparedRow& row) {
  return row.job_tokens_per_s ? text_number(*row.job_tokens_per_s) : "-";
}
std::string busy_text(const ComparedRow& row) {
  return trains(row) ? percent(row.job_gpu_utilization) : "-";
}
std::string price_text(const ComparedRow& row) {
  if (!row.price_USD) return row.rented ? "rented" : "not known";
  return at_least(row.without_price) + text_number(std::round(*row.price_USD), 15) + " USD";
}
std::string power_text(const ComparedRow& row) {
  if (!row.power_W) return "not known";
  return at_least(row.without_power) + text(Power{*row.power_W}, 4);
}
std::string cost_text(const ComparedRow& row, const std::optional<double>& sum) {
  if (!sum) return "not known";
  return at_least(row.without_price) + text_number(*sum, 3) + " USD";
}
std::string result_time_text(const ComparedRow& row) {
  return trains(row) ? time_text(row.time_to_result_s) : "-";
}

std::string scenario_letter(std::size_t number) {
  const std::string first(1, static_cast<char>('A' + number % 26));
  return number < 26 ? first : first + std::to_string(number / 26);
}

std::string shown_value(const std::string& value) {
  if (value.empty()) return "-";
  return value.size() > 1 && value.front() == '"' && value.back() == '"'
             ? value.substr(1, value.size() - 2)
             : value;
}

std::vector<std::string> shown_values(const Difference& difference) {
  std::vector<std::string> out;
  for (const auto& value : difference.shown.empty() ? difference.values : difference.shown)
    out.push_back(shown_value(value));
  return out;
}

std::string shown_name(const Difference& difference) {
  return difference.title.empty() ? difference.name : difference.title;
}

namespace {

constexpr double kToss = 0.9;  ///< a probability below which nothing can be told

std::string letter(std::int64_t number) {
  return scenario_letter(static_cast<std::size_t>(number));
}

std::string probability_text(const Duel& duel) {
  return "with a probability of " + chance(duel.probability_uncertain.value_or(duel.probability));
}

std::string rate_verdict(const Duel& duel) {
  const std::string by = text_number(100 * (duel.ratio - 1), 3);
  if (duel.probability < kToss)
    return fmt::format("{} and {} are equally fast, as far as can be told: {} % apart",
                       letter(duel.faster), letter(duel.slower), by);
  return fmt::format("{} beats {} by {} %, {}", letter(duel.faster), letter(duel.slower), by,
                     probability_text(duel));
}

std::string finish_verdict(const Duel& finish, const SideBySide& comparison) {
  const std::string first = letter(finish.faster);
  const std::string last = letter(finish.slower);
  if (finish.probability < kToss)
    return fmt::format("{} and {} are done in the same time, as far as can be told: {} % apart; {}",
                       first, last, text_number(100 * (finish.ratio - 1), 3), finish.why);
  const auto time = [&](std::int64_t number) {
    return result_time_text(comparison.rows[static_cast<std::size_t>(number)]);
  };
  return fmt::format("{} is done before {}: in {} instead of {}, {} % less, {}; {}", first, last,
                     time(finish.faster), time(finish.slower),
                     text_number(100 * (1 - 1 / finish.ratio), 3), probability_text(finish),
                     finish.why);
}

/// By how much of it a figure is better than another; 0 where that may be chance.
double better_by(const ComparedFigure& one, const ComparedFigure& other) {
  constexpr double kNotable = 5e-4;
  if (one.value == other.value) return 0;
  const double change = one.value / other.value - 1;
  if (std::abs(change) <= std::max(kNotable, std::hypot(one.noise, other.noise))) return 0;
  return one.more_is_better ? change : -change;
}

std::string change_text(const ComparedFigure& one, const ComparedFigure& other) {
  const double change = one.value / other.value - 1;
  const std::string by =
      std::isfinite(change) ? text_number(100 * std::abs(change), 3) + " %" : "much";
  return fmt::format("{} ({} {})", one.name, by, change > 0 ? "more" : "less");
}

/// Of two that train nothing: in what the second is better than the first, and in what worse.
std::string contrast(std::size_t a, std::size_t b, const SideBySide& comparison) {
  std::vector<std::string> better, worse, equal;
  for (const ComparedFigure& figure : comparison.rows[b].figures) {
    const ComparedFigure* other = figure_of(comparison.rows[a], figure.name);
    if (!other) continue;
    const double by = better_by(figure, *other);
    if (by == 0) equal.push_back(figure.name);
    if (by > 0) better.push_back(change_text(figure, *other));
    if (by < 0) worse.push_back(change_text(figure, *other));
  }
  std::vector<std::string> parts;
  const auto add = [&](const char* word, const std::vector<std::string>& list) {
    if (!list.empty()) parts.push_back(fmt::format("{} in {}", word, fmt::join(list, ", ")));
  };
  add("better", better);
  add("worse", worse);
  add("equal", equal);
  const std::string first = scenario_letter(a);
  const std::string second = scenario_letter(b);
  if (parts.empty()) return fmt::format("{} and {} have no figure in common", first, second);
  return fmt::format("{} against {}: {}", second, first, fmt::join(parts, "; "));
}

bool same_two(const Duel& a, const Duel& b) {
  return std::minmax(a.faster, a.slower) == std::minmax(b.faster, b.slower);
}

}  // namespace

std::vector<std::string> verdicts_of(const SideBySide& comparison) {
  std::vector<std::string> out;
  for (const Duel& duel : comparison.duels) {
    const auto finish = std::ranges::find_if(
        comparison.finishes, [&](const Duel& other) { return same_two(duel, other); });
    const bool told = finish != comparison.finishes.end();
    if (told) out.push_back(finish_verdict(*finish, comparison));
    out.push_back((told ? "In samples/s, " : "") + rate_verdict(duel));
  }
  const auto& rows = comparison.rows;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b)
      if (!rows[a].figures.empty() || !rows[b].figures.empty())
        out.push_back(contrast(a, b, comparison));
  return out;
}

std::string certainty_of(const SideBySide& comparison) {
  if (comparison.duels.empty())
    return "No probability goes with these: they are the figures with all values as stated.";
  return fmt::format("Probabilities take in {}.", comparison.rests_on);
}

std::string to_text(const SideBySide& comparison) {
  const Table table(comparison.rows.size());
  std::string out;
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    letters.push_back(scenario_letter(i));
    out += labeled(scenario_letter(i) + "  ", comparison.rows[i].title, 3);
  }
  out += "\n" + table.row("What differs", letters) + differences(comparison, table) + "\n" +
         table.row("What comes of it", letters) + figures(comparison, table);
  const auto verdicts = verdicts_of(comparison);
  if (verdicts.empty()) return out;
  out += "\n";
  for (const auto& verdict : verdicts) out += labeled("", verdict, 0);
  return out + labeled("", certainty_of(comparison), 0);
}

}  // namespace gpufeed
