// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/key_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "reports/writers/layout.h"
#include "reports/writers/result_cells.h"
#include "reports/writers/terms.h"
#include "sim/base/diagnostics.h"
#include "sim/base/key_path.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

/// Where the words of the key itself would not do.
constexpr std::array kNamed{
    std::pair{"system", "machine"}, std::pair{"system.chassis", "chassis"},
    std::pair{"system.cpu", "processors"}, std::pair{"system.gpu", "GPUs"},
    std::pair{"system.drives", "drives"}, std::pair{"system.nics", "network cards"},
    std::pair{"system.memory", "memory"}, std::pair{"nodes", "machines"},
    std::pair{"data.at", "data lie on"}, std::pair{"data.mode", "reads go"},
    std::pair{"data.path", "way of reads"}, std::pair{"data.staging.mode", "data are copied in"},
    std::pair{"loader.decode", "decoding"}, std::pair{"loader.cache", "page cache"},
    std::pair{"loader.style", "framework of the loader"},
    std::pair{"loader.cores", "cores of the loader"}, std::pair{"parallel.shard", "sharding"},
    std::pair{"parallel", "layout"}, std::pair{"parallel.sequence", "sequence parallelism"},
    std::pair{"parallel.micro_batch", "samples of a micro-batch"},
    std::pair{"parallel.virtual", "parts of a stage"},
    std::pair{"parallel.tensor", "GPUs that share a matrix"},
    std::pair{"parallel.pipeline", "stages of the pipeline"},
    std::pair{"parallel.context", "GPUs that share a sample"},
    std::pair{"parallel.expert", "GPUs that share the experts"},
    std::pair{"workload.recompute", "recomputation"}, std::pair{"workload.lora", "LoRA"},
    // of a result
    std::pair{"job_gpu_utilization", term::kGpuUtilization.data()},
    std::pair{"job_samples_per_s", "samples/s"}, std::pair{"job_tokens_per_s", "tokens/s"},
    std::pair{"time_to_result_s", "time to result"}, std::pair{"price_USD", "price"},
    std::pair{"power_W", "power"}};

/// Sections whose keys say enough by themselves.
constexpr std::array<std::string_view, 5> kOwnWords{"workload", "loader", "data", "parallel",
                                                    "serving"};
/// Those of which only what lies in them is named.
constexpr std::array<std::string_view, 2> kWholes{"serving", "system"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::count(names, name) > 0;
}

std::string_view word_of(std::string_view word) {
  constexpr std::array kWords{std::pair{"gpu", "GPU"},
                              std::pair{"gpus", "GPUs"},
                              std::pair{"cpu", "CPU"},
                              std::pair{"nic", "network card"},
                              std::pair{"io", "I/O"},
                              std::pair{"lora", "LoRA"},
                              std::pair{"own", "own number"},
                              std::pair{"replace", "part"},
                              std::pair{"ttft", "time to first token"},
                              std::pair{"p95", "95 %"},
                              std::pair{"mtbf", "MTBF"},
                              std::pair{"smt", "SMT"}};
  const auto* const found =
      std::ranges::find_if(kWords, [&](const auto& one) { return word == one.first; });
  return found == kWords.end() ? word : std::string_view(found->second);
}

/// "interval_steps" as "interval steps".
std::string spelled(std::string_view part) {
  std::string out;
  for (std::size_t at = 0; at <= part.size();) {
    const std::size_t end = std::min(part.find('_', at), part.size());
    out += (out.empty() ? "" : " ") + std::string(word_of(part.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

/// What a path is made of, and nothing that a title may have.
bool is_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-' || c == '[' || c == ']' || c == '"';
  });
}

std::optional<KeyPath> key_in(std::string_view text) {
  if (!is_key(text)) return {};
  Diagnostics none;
  return parse_key_path(text, {}, none);
}

/// "tier 1" of the first, "GPU gpu0" of one that has a name.
std::string step_in_words(const KeyStep& step) {
  std::string words = spelled(step.key);
  if (!step.element) return words;
  const std::string& element = *step.element;
  std::size_t number = 0;
  const char* const end = element.data() + element.size();
  const auto [rest, fault] = std::from_chars(element.data(), end, number);
  const bool is_number = fault == std::errc{} && rest == end;
  return fmt::format("{} {}", words, is_number ? std::to_string(number + 1) : element);
}

/// How the names of figures end that are in a unit: what is shown says it.
std::string_view ending_of(const UnitTable* units) {
  if (units == &units_of<Seconds>()) return "_s";
  if (units == &units_of<Money>()) return "_USD";
  return units == &units_of<Power>() ? "_W" : "";
}

std::string figure_words(KeyPath path, const UnitTable* units) {
  const std::string_view ending = ending_of(units);
  for (KeyStep& step : path.steps)
    if (!ending.empty() && step.key.ends_with(ending))
      step.key.erase(step.key.size() - ending.size());
  std::string out;
  for (const KeyStep& step : path.steps) out += (out.empty() ? "" : ": ") + step_in_words(step);
  return out;
}

std::string unquoted(std::string_view value) {
  const bool quoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
  return std::string(quoted ? value.substr(1, value.size() - 2) : value);
}

/// "the least price_USD" with the words of its keys.
std::string aim_in_words(const std::string& aim) {
  std::string out;
  for (std::size_t at = 0; at <= aim.size();) {
    const std::size_t end = std::min(aim.find(' ', at), aim.size());
    const std::string word = aim.substr(at, end - at);
    out += (at == 0 ? "" : " ") + (word.find('_') == std::string::npos ? word : key_in_words(word));
    at = end + 1;
  }
  return out;
}

/// What a figure's limit is, with the unit that its key has.
std::string limit_in_words(std::string_view key, std::string_view limit) {
  double value = 0;
  const char* const end = limit.data() + limit.size();
  const auto [rest, error] = std::from_chars(limit.data(), end, value);
  if (error != std::errc{} || rest != end) return std::string(limit);
  const ResultColumn* const column = find_column(key);
  const UnitTable* const units = column ? column->units : nullptr;
  if (units == &units_of<Rate>()) return text_number(value);
  if (units == &units_of<Money>()) return text_number(value, 15) + " USD";
  if (units == &units_of<Power>()) return text(Power{value}, 4);
  return units == &units_of<Seconds>() ? time_text(value) : std::string(limit);
}

}  // namespace

std::string key_in_words(const KeyPath& key) {
  if (key.empty()) return "";
  const std::string whole = text(key);
  const auto* const named =
      std::ranges::find_if(kNamed, [&](const auto& one) { return whole == one.first; });
  if (named != kNamed.end()) return named->second;
  if (const ResultColumn* const column = find_column(whole))
    return figure_words(key, column->units);
  std::string last = step_in_words(key.steps.back());
  if (key.steps.size() == 1 || is_one_of(kOwnWords, text(key.parent()))) return last;
  std::string before;
  for (std::size_t i = 0; i + 1 < key.steps.size(); ++i) {
    const KeyStep& step = key.steps[i];
    if (i == 0 && is_one_of(kWholes, step.key)) continue;  // of which all is
    before += (before.empty() ? "" : " ") + step_in_words(step);
  }
  return before.empty() ? last : before + ": " + last;
}

std::string key_in_words(std::string_view key) {
  const auto path = key_in(key);
  return path ? key_in_words(*path) : std::string(key);
}

std::string figure_in_words(std::string_view name, const UnitTable* units) {
  const auto path = key_in(name);
  return path ? figure_words(*path, units) : std::string(name);
}

std::string as_title(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') words.front() -= 'a' - 'A';
  return words;
}

std::string key_as_title(std::string_view key) { return as_title(key_in_words(key)); }

std::string condition_in_words(std::string_view condition) {
  for (const auto& [sign, shown] : {std::pair{" >= ", " ≥ "}, std::pair{" <= ", " ≤ "}}) {
    const std::size_t at = condition.find(sign);
    if (at == std::string_view::npos) continue;
    const std::string_view key = condition.substr(0, at);
    const std::string_view limit = condition.substr(at + std::string_view(sign).size());
    return key_as_title(key) + shown + limit_in_words(key, limit);
  }
  return std::string(condition);
}

std::string setting_in_words(std::string_view key, std::string_view value) {
  return fmt::format("{} {}", key_in_words(key), unquoted(value));
}

std::string value_in_words(std::string_view key, std::string_view value) {
  if (value == "{}") return "as usual";
  if (!value.starts_with("{ ") || !value.ends_with(" }")) return unquoted(value);
  const std::string_view inside = value.substr(2, value.size() - 4);
  std::string out;
  for (std::size_t at = 0; at < inside.size();) {
    const std::size_t end = std::min(inside.find(", ", at), inside.size());
    const std::string_view one = inside.substr(at, end - at);
    const std::size_t equals = one.find(" = ");
    if (equals == std::string_view::npos) return std::string(value);
    out +=
        (out.empty() ? "" : ", ") +
        setting_in_words(fmt::format("{}.{}", key, one.substr(0, equals)), one.substr(equals + 3));
    at = end + 2;
  }
  return out;
}

std::string products_by_title(const std::string& value,
                              const std::map<std::string, std::string>& titles) {
  std::string out;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find_first_of(" ,", at), value.size());
    const std::string word = value.substr(at, end - at);
    const auto known = titles.find(word);
    out += known == titles.end() ? word : known->second;
    if (end < value.size()) out += value[end];
    at = end + 1;
  }
  return out;
}

std::string in_plain_words(const DecidingDefault& one) {
  return fmt::format("{} = {}, which nobody gave: with {} the job is {} % {}",
                     key_in_words(one.key), one.value, one.alternative,
                     text_number(100 * std::abs(one.effect), 2),
                     one.effect > 0 ? "faster" : "slower");
}

Recommendation in_plain_words(Recommendation one) {
  const auto name_values = [](std::vector<ChosenValue>& values) {
    for (ChosenValue& value : values) {
      value.value = value_in_words(value.path, value.value);
      value.axis = key_in_words(value.path.empty() ? value.axis : value.path);
    }
  };
  const auto name = [&](Choice& choice) {
    name_values(choice.values);
    for (std::string& condition : choice.by_chance) condition = condition_in_words(condition);
    for (ConstraintChance& chance : choice.chances)
      chance.constraint = condition_in_words(chance.constraint);
  };
  one.aim = aim_in_words(one.aim);
  std::ranges::for_each(one.chosen, name);
  std::ranges::for_each(one.rivals, name);
  for (SurerChoice& surer : one.surer) std::ranges::for_each(surer.choice, name);
  for (Obstacle& obstacle : one.obstacles) {
    obstacle.constraint = condition_in_words(obstacle.constraint);
    name_values(obstacle.values);
  }
  return one;
}

}  // namespace gpufeed
