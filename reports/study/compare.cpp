// SPDX-License-Identifier: Apache-2.0
#include "reports/study/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "reports/study/faster.h"
#include "reports/study/paired_stores.h"
#include "reports/writers/headlines.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/without_training_text.h"
#include "sim/load/key_values.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

using Texts = std::map<std::string, std::string>;

/// "loader.workers_per_gpu" -> "8".
Texts keys_of(const Result& result, const Texts& titles) {
  auto keys = scenario_values(result.scenario);
  keys.erase("title");
  keys.erase("schema");
  for (const auto& [place, title] : titles)
    if (const auto key = keys.find(place); key != keys.end()) key->second = toml_string(title);
  return keys;
}

/// How many of each product. \param titles  of those that have no name
std::map<std::string, std::string> products_of(const Result& result, const Texts& titles) {
  std::map<std::string, double> counts;
  for (const BillLine& line : result.bill) {
    const auto title = titles.find(line.name);
    const std::string name =
        title == titles.end() ? line.name : fmt::format("\"{}\"", title->second);
    counts[name == line.kind ? line.kind : line.kind + " " + name] += line.count;
  }
  std::map<std::string, std::string> words;
  for (const auto& [name, count] : counts) words[name] = text_number(count, 6);
  return words;
}

/// Whether it is a store, its media or its network.
bool is_of_store(std::int64_t node, const Topology& topology) {
  return topology.nodes.at(static_cast<std::size_t>(node)).part == PartKind::store;
}

/// What each part of the machine is joined to, by its id. The way to a store is a key of it.
std::map<std::string, std::string> neighbors_of(const Result& result) {
  std::map<std::string, std::string> words;
  for (const TopologyEdge& edge : result.topology.edges) {
    if (is_of_store(edge.from_node, result.topology) || is_of_store(edge.to_node, result.topology))
      continue;
    std::string& all = words[edge.from];
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

/// Of what the parts are joined to, by their ids.
void add_ways(const std::vector<Texts>& lists, std::vector<Difference>& out) {
  std::vector<Difference> found;
  add_differences(lists, found);
  for (Difference& one : found) {
    one.part = one.name;
    one.name = "ways from " + one.part;
    out.push_back(std::move(one));
  }
}

/// Where kinds of workload differ, a key that not all of them take tells nothing but that: instead
/// of such keys, how many there are.
Difference take_keys_of_one_kind(std::vector<Texts>& lists) {
  const auto is_idle = [](const std::string& path) {
    return path.find('.') != std::string::npos && !path.starts_with("workload.") &&
           !path.starts_with("store.");
  };
  Texts all;
  for (const Texts& list : lists) all.insert(list.begin(), list.end());
  std::vector<std::size_t> counts(lists.size(), 0);
  for (const auto& one : all) {
    const std::string& path = one.first;
    if (!is_idle(path)) continue;
    if (std::ranges::all_of(lists, [&](const Texts& list) { return list.contains(path); }))
      continue;
    for (std::size_t i = 0; i < lists.size(); ++i) counts[i] += lists[i].erase(path);
  }
  Difference out{"keys that not all kinds take", {}};
  for (const std::size_t count : counts) out.values.push_back(std::to_string(count));
  return out;
}

bool of_several_kinds(const std::vector<Texts>& lists) {
  std::set<std::string> kinds;
  for (const Texts& list : lists)
    if (const auto kind = list.find("workload.kind"); kind != list.end())
      kinds.insert(kind->second);
  return kinds.size() > 1;
}

ComparedRow row_of(const std::string& file, const Result& result) {
  const auto& cost = result.running_cost;
  return {file,
          result.title,
          result.job_samples_per_s,
          result.job_gpu_utilization,
          result.job_tokens_per_s,
          result.throughput_samples_per_s,
          result.tokens_per_s,
          result.accelerator_utilization,
          result.time_to_result_s,
          result.rented,
          result.price_USD,
          result.power_W,
          result.without_price,
          result.without_power,
          cost ? std::optional(cost->per_hour_USD) : std::nullopt,
          cost ? cost->job_per_million_samples_USD : std::nullopt,
          cost ? cost->per_million_samples_USD : std::nullopt,
          in_words(result.bottleneck.resource),
          deviation_of(result),
          headlines_of(result)};
}

Duel duel_of(std::int64_t a, const Contestant& one, std::int64_t b, const Contestant& other) {
  if (one.value < other.value) return duel_of(b, other, a, one);
  return {a, b, one.value / other.value, chance_as_stated(one, other), chance_in_draws(one, other),
          {}};
}

/// Whether the order and distance of two times to the result are not those of their rates.
bool trains_on_others(const Result& a, const Result& b) {
  constexpr double kWorthSaying = 0.01;
  const auto samples = [](const Result& one) { return static_cast<double>(one.job_samples); };
  return std::abs(std::log(samples(a) / samples(b))) > kWorthSaying;
}

bool runs(const Result& result) {
  return !trains_nothing(result) && result.job_samples_per_s > 0 &&
         std::isfinite(result.job_samples_per_s);
}

bool ends(const Result& result) {
  return result.job_samples > 0 && result.time_to_result_s > 0 &&
         std::isfinite(result.time_to_result_s);
}

/// Two of them, by rate and by result.
void add_duels(std::size_t a, std::size_t b, const std::vector<Result>& results,
               const std::vector<Drawn>& draws, SideBySide& out) {
  if (!runs(results[a]) || !runs(results[b])) return;
  const Drawn nothing;
  const auto of = [&](std::size_t i) {
    return contestant(results[i], draws.empty() ? nothing : draws[i]);
  };
  const auto first = static_cast<std::int64_t>(a), second = static_cast<std::int64_t>(b);
  Contestant one = of(a), other = of(b);
  out.duels.push_back(duel_of(first, one, second, other));
  if (!ends(results[a]) || !ends(results[b]) || !trains_on_others(results[a], results[b])) return;
  one.value = 1 / results[a].time_to_result_s;
  other.value = 1 / results[b].time_to_result_s;
  Duel finish = duel_of(first, one, second, other);
  const auto samples = [&](std::int64_t number) {
    return text_number(static_cast<double>(results[static_cast<std::size_t>(number)].job_samples),
                       15);
  };
  finish.why = fmt::format("it trains on {} samples instead of {}", samples(finish.faster),
                           samples(finish.slower));
  out.finishes.push_back(std::move(finish));
}

}  // namespace

SideBySide compared(const std::vector<std::string>& files, const std::vector<Result>& results,
                    const std::vector<Drawn>& draws,
                    const std::vector<std::map<std::string, std::string>>& entries,
                    const std::vector<std::map<std::string, std::string>>& titles) {
  SideBySide out;
  std::vector<std::map<std::string, std::string>> keys;
  std::vector<std::map<std::string, std::string>> products;
  std::vector<std::map<std::string, std::string>> ways;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Texts of_tables = titles.empty() ? Texts{} : titles[i];
    keys.push_back(keys_of(results[i], of_tables));
    if (!entries.empty()) keys.back().insert(entries[i].begin(), entries[i].end());
    products.push_back(products_of(results[i], of_tables));
    ways.push_back(neighbors_of(results[i]));
    out.rows.push_back(row_of(files[i], results[i]));
  }
  const auto names = pair_stores(keys);
  std::optional<Difference> of_one_kind;
  if (of_several_kinds(keys)) of_one_kind = take_keys_of_one_kind(keys);
  add_differences(keys, out.differences);
  if (of_one_kind) out.differences.push_back(*of_one_kind);
  out.differences.insert(out.differences.end(), names.begin(), names.end());
  add_differences(products, out.differences);
  // Other machines are joined otherwise all over; of one machine it tells what was moved.
  const bool one_machine = std::ranges::count(out.differences, "system", &Difference::name) == 0;
  if (one_machine) add_ways(ways, out.differences);
  for (std::size_t a = 0; a < results.size(); ++a)
    for (std::size_t b = a + 1; b < results.size(); ++b) add_duels(a, b, results, draws, out);
  const bool uncertain = std::ranges::any_of(
      out.duels, [](const Duel& duel) { return duel.probability_uncertain.has_value(); });
  out.rests_on = uncertain
                     ? "the simulations' own noise and how well values and the model are known; "
                       "an error that both share moves both alike"
                     : "the simulations' own noise, with all parts as stated";
  return out;
}

}  // namespace gpufeed
