// SPDX-License-Identifier: Apache-2.0
#include "reports/study/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace gpufeed {
namespace {

constexpr double kIn95 = 1.96;  ///< deviations of a half width of 95 %
constexpr double kUnknownWidth =
    0.005;  ///< of a run too short to tell: what is asked for by default

/// "loader.workers_per_gpu" -> "8" of a scenario as TOML, a key a line.
std::map<std::string, std::string> keys_of(const std::string& toml) {
  std::map<std::string, std::string> keys;
  std::map<std::string, int> tables;
  std::string section;
  std::istringstream lines(toml);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[[")) {
      const std::string name = line.substr(2, line.find(']') - 2);
      section = name + "[" + std::to_string(tables[name]++) + "].";
    } else if (line.starts_with('[')) {
      section = line.substr(1, line.find(']') - 1) + ".";
    } else if (const auto equals = line.find(" = "); equals != std::string::npos) {
      keys[section + line.substr(0, equals)] = line.substr(equals + 3);
    }
  }
  keys.erase("title");
  keys.erase("schema");
  return keys;
}

/// How many of each product.
std::map<std::string, std::string> products_of(const Result& result) {
  std::map<std::string, double> counts;
  for (const BillLine& line : result.bill) counts[line.kind + " " + line.name] += line.count;
  std::map<std::string, std::string> words;
  for (const auto& [name, count] : counts) words[name] = text_number(count, 6);
  return words;
}

/// What each part of the machine is joined to, by its id.
std::map<std::string, std::string> neighbors_of(const Result& result) {
  std::map<std::string, std::string> words;
  for (const TopologyEdge& edge : result.topology.edges) {
    std::string& all = words["ways from " + edge.from];
    all += (all.empty() ? "" : ", ") + edge.to;
  }
  return words;
}

/// What is not the same in all of the lists.
void add_differences(const std::vector<std::map<std::string, std::string>>& lists,
                     std::vector<Difference>& out) {
  std::map<std::string, std::string> all;
  for (const auto& list : lists) all.insert(list.begin(), list.end());
  for (const auto& [name, ignored] : all) {
    Difference difference{name, {}};
    for (const auto& list : lists) {
      const auto found = list.find(name);
      difference.values.push_back(found == list.end() ? "" : found->second);
    }
    if (std::ranges::count(difference.values, difference.values.front()) !=
        std::ssize(difference.values))
      out.push_back(std::move(difference));
  }
}

/// Of what is drawn for this run alone.
double deviation_of(const Result& result) {
  const double width = result.simulated.step_rate_uncertainty;
  return std::hypot(std::isfinite(width) ? width : kUnknownWidth,
                    result.simulated.run_uncertainty) /
         kIn95;
}

ComparedRow row_of(const std::string& file, const Result& result) {
  const auto& cost = result.running_cost;
  return {file,
          result.title,
          result.throughput_samples_per_s,
          result.accelerator_utilization,
          result.time_to_result_s,
          result.rented,
          result.price_USD,
          result.power_W,
          result.without_price,
          result.without_power,
          cost ? std::optional(cost->per_hour_USD) : std::nullopt,
          cost ? cost->per_million_samples_USD : std::nullopt,
          result.bottleneck.resource,
          deviation_of(result)};
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// That a rate is indeed the larger, where `logarithm` is that of its ratio to the other.
double chance_of(double logarithm, double deviation) {
  return logarithm == 0 ? 0.5 : normal_below(logarithm / deviation);
}

using Draws = std::vector<std::vector<double>>;

std::optional<double> chance_in_draws(const Draws& drawn, std::size_t a, std::size_t b,
                                      double logarithm, double deviation) {
  if (drawn.empty() || drawn[a].empty() || drawn[a].size() != drawn[b].size()) return {};
  double sum = 0;
  for (std::size_t i = 0; i < drawn[a].size(); ++i)
    sum += chance_of(logarithm + drawn[a][i] - drawn[b][i], deviation);
  return sum / static_cast<double>(drawn[a].size());
}

Duel duel_of(const std::vector<ComparedRow>& rows, const Draws& drawn, std::size_t a,
             std::size_t b) {
  if (rows[a].throughput_samples_per_s < rows[b].throughput_samples_per_s) std::swap(a, b);
  Duel duel;
  duel.faster = static_cast<std::int64_t>(a);
  duel.slower = static_cast<std::int64_t>(b);
  duel.ratio = rows[a].throughput_samples_per_s / rows[b].throughput_samples_per_s;
  const double deviation = std::hypot(rows[a].deviation, rows[b].deviation);
  duel.probability = chance_of(std::log(duel.ratio), deviation);
  duel.probability_uncertain = chance_in_draws(drawn, a, b, std::log(duel.ratio), deviation);
  return duel;
}

bool runs(const Result& result) {
  return result.throughput_samples_per_s > 0 && std::isfinite(result.throughput_samples_per_s);
}

}  // namespace

SideBySide compared(const std::vector<std::string>& files, const std::vector<Result>& results,
                    const std::vector<std::vector<double>>& drawn) {
  SideBySide out;
  std::vector<std::map<std::string, std::string>> keys;
  std::vector<std::map<std::string, std::string>> products;
  std::vector<std::map<std::string, std::string>> ways;
  for (std::size_t i = 0; i < results.size(); ++i) {
    keys.push_back(keys_of(results[i].scenario));
    products.push_back(products_of(results[i]));
    ways.push_back(neighbors_of(results[i]));
    out.rows.push_back(row_of(files[i], results[i]));
  }
  add_differences(keys, out.differences);
  add_differences(products, out.differences);
  // Other machines are joined otherwise all over; of one machine it tells what was moved.
  const bool one_machine = std::ranges::count(out.differences, "system", &Difference::name) == 0;
  if (one_machine) add_differences(ways, out.differences);
  for (std::size_t a = 0; a < results.size(); ++a)
    for (std::size_t b = a + 1; b < results.size(); ++b)
      if (runs(results[a]) && runs(results[b])) out.duels.push_back(duel_of(out.rows, drawn, a, b));
  out.rests_on = "the simulations' own noise, with all parts as stated";
  if (std::ranges::any_of(out.duels,
                          [](const Duel& duel) { return duel.probability_uncertain.has_value(); }))
    out.rests_on +=
        "; in brackets also with how well values and the model are known, each off by as much in "
        "both";
  return out;
}

}  // namespace gpufeed
