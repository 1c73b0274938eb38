// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/writers/key_words.h"
#include "reports/writers/phrase_book.h"
#include "sim/base/units.h"
#include "sim/load/entry_values.h"
#include "sim/load/key_values.h"
#include "sim/model/scenario.h"
#include "ui/model/build/parts.h"
#include "ui/model/build/words.h"
#include "ui/model/decide/headline_rows.h"
#include "ui/model/show/cards.h"
#include "ui/model/show/figures.h"

namespace gpufeed::ui {
namespace {

/// The one that beats every other by more than both are uncertain by.
std::optional<std::size_t> best_of(const Figure& figure, const std::vector<Candidate>& candidates) {
  if (figure.better == Better::none || candidates.size() < 2) return {};
  for (const auto& candidate : candidates)
    if (figure.is_part(*candidate.result)) return {};
  const double sign = figure.better == Better::high ? 1 : -1;
  const auto beats = [&](const Candidate& one, const Candidate& other) {
    const auto a = figure.of(*one.result);
    const auto b = figure.of(*other.result);
    if (!a || !b) return false;
    const double doubt =
        figure.drawn ? std::hypot(uncertainty(*one.result), uncertainty(*other.result)) : 0;
    return sign * (*a - *b) > doubt * std::max(std::abs(*a), std::abs(*b));
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::size_t beaten = 0;
    for (std::size_t j = 0; j < candidates.size(); ++j)
      beaten += i != j && beats(candidates[i], candidates[j]);
    if (beaten + 1 == candidates.size()) return i;
  }
  return {};
}

/// Against the first candidate.
std::vector<std::string> changes_of(const Figure& figure,
                                    const std::vector<Candidate>& candidates) {
  std::vector<std::string> changes(candidates.size());
  const auto first = figure.of(*candidates.front().result);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const auto other = figure.of(*candidates[i].result);
    const bool part =
        figure.is_part(*candidates.front().result) || figure.is_part(*candidates[i].result);
    if (!first || !other || part) continue;
    changes[i] = change_against(*other, *first);
  }
  return changes;
}

bool differ(const std::vector<std::string>& values) {
  return std::ranges::any_of(values, [&](const auto& one) { return one != values.front(); });
}

void changed_first(std::vector<ComparedRow>& rows) {
  for (auto& row : rows) row.changed = differ(row.values);
  std::stable_partition(rows.begin(), rows.end(), [](const auto& row) { return row.changed; });
}

std::vector<ComparedRow> results_of(const std::vector<Candidate>& candidates) {
  std::vector<ComparedRow> rows;
  const auto add = [&](const char* name, const char* help, const auto& words) {
    ComparedRow row{name, help, {}, {}, {}, false};
    for (const auto& one : candidates) row.values.push_back(words(*one.result));
    rows.push_back(std::move(row));
  };
  add("Bottleneck", "What holds the machine back.", [](const Result& result) {
    return result.bottleneck.resource ? sentence(*result.bottleneck.resource) : "none";
  });
  for (ComparedRow& row : headline_rows(candidates)) rows.push_back(std::move(row));
  for (const Figure& figure : figures()) {
    const auto says = [&](const Candidate& one) { return figure.of(*one.result).has_value(); };
    if (std::ranges::none_of(candidates, says)) continue;
    add(figure.name, figure.help, [&](const Result& result) { return figure.text(result); });
    rows.back().better = best_of(figure, candidates);
    rows.back().changes = changes_of(figure, candidates);
  }
  add("Another run within", "How far another run's rate may lie, in 95 of 100 cases.",
      certainty_text);
  changed_first(rows);
  return rows;
}

/// "8 × Tesla P100" of each kind; several products of a kind joined.
std::map<std::string, std::string> products_of(const Scenario& scenario) {
  std::map<std::string, std::string> products;
  for (const auto& group : part_groups(*scenario.system)) {
    std::string& all = products[group.kind];
    all += fmt::format("{}{} × {}", all.empty() ? "" : ", ", group.ids.size(), group.title);
  }
  return products;
}

/// Rows of what maps say, one map for each candidate.
std::vector<ComparedRow> rows_of(const std::vector<std::map<std::string, std::string>>& maps) {
  std::set<std::string> names;
  for (const auto& map : maps)
    for (const auto& [name, value] : map) names.insert(name);
  std::vector<ComparedRow> rows;
  for (const auto& name : names) {
    ComparedRow row{name, "", {}, {}, {}, false};
    for (const auto& map : maps) {
      const auto found = map.find(name);
      row.values.push_back(found == map.end() ? "–" : found->second);
    }
    rows.push_back(std::move(row));
  }
  changed_first(rows);
  return rows;
}

bool says_a_part(const std::string& path) { return path.starts_with("replace["); }

/// \param entries  what entries of one name say otherwise
std::map<std::string, std::string> keys_of(const Result& result,
                                           std::map<std::string, std::string> entries) {
  std::map<std::string, std::string> keys;
  entries.merge(scenario_values(result.scenario));
  for (const auto& [path, value] : entries)
    if (path != "title" && !says_a_part(path)) keys[path] = without_quotes(value);
  return keys;
}

}  // namespace

std::string change_against(double value, double first) {
  constexpr double kShown = 5e-4;
  const double change = value / first - 1;
  if (std::abs(change) < kShown) return "";
  return fmt::format("{}{} %", change < 0 ? "−" : "+", text_number(100 * std::abs(change), 3));
}

Comparison compare(const std::vector<Candidate>& candidates) {
  Comparison out;
  if (candidates.empty()) return out;
  std::vector<std::map<std::string, std::string>> parts;
  std::vector<std::map<std::string, std::string>> keys;
  std::vector<const Scenario*> scenarios;
  scenarios.reserve(candidates.size());
  for (const auto& one : candidates) scenarios.push_back(one.scenario.get());
  const auto entries = entry_differences(scenarios);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    parts.push_back(products_of(*candidates[i].scenario));
    keys.push_back(keys_of(*candidates[i].result, entries[i]));
  }
  out.results = results_of(candidates);
  out.parts = rows_of(parts);
  out.keys = rows_of(keys);
  std::erase_if(out.keys, [](const auto& row) { return !row.changed; });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto named = named_entries(*candidates[i].scenario);
    for (ComparedRow& row : out.keys)
      if (const auto title = title_of_named(row.name, row.values[i], named)) row.values[i] = *title;
  }
  for (ComparedRow& row : out.keys) {
    row.help = row.name;  // the key, for who wants it
    row.name = key_as_title(row.name);
  }
  return out;
}

}  // namespace gpufeed::ui
