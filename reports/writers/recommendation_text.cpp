// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/recommendation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/cost_text.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/terms.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr std::size_t kMostShown = 20;  ///< of a front
constexpr std::string_view kFirstToken = "ttft_s.p95";

std::string count(std::int64_t number) { return text_number(static_cast<double>(number), 15); }

/// A command that can be copied as it stands: one option a line.
std::string command_rows(const Recommendation& one, const Choice& choice) {
  std::string out =
      fmt::format("{:<{}}gpufeed simulate {}", "To see it", kLabels, shell_word(one.scenario));
  for (const auto& row : options_text(one, choice))
    out += fmt::format(" \\\n{:<{}}  {}", "", kLabels, row);
  return out + "\n";
}

std::string tokens_of(const Choice& choice) {
  return choice.job_tokens_per_s ? text_number(*choice.job_tokens_per_s) : "";
}
std::string memory_of(const Choice& choice) {
  return choice.memory_typical_B ? text(Bytes{*choice.memory_typical_B}, 3) : "";
}
std::string best_of(const Choice& choice) {
  return choice.chance_best ? percent(*choice.chance_best) : "";
}

std::string rival_rows(const Recommendation& one) {
  if (one.rivals.empty()) return "";
  std::string out = fmt::format("\n{:>11}{:>10}{:>9}  {}\n", "tokens/s", "memory", "fastest",
                                "fastest layout of each way to split the model");
  const auto row = [&](const Choice& choice) {
    const std::string cells =
        fmt::format("{:>11}{:>10}{:>9}  ", tokens_of(choice), memory_of(choice), best_of(choice));
    out += cells + wrapped(values_text(choice.values), cells.size()) + "\n";
  };
  row(one.chosen.front());
  for (const Choice& rival : one.rivals) row(rival);
  return out + "\n";
}

/// What a choice gives that serves a language model, as its answer's keys are called; nothing of
/// others.
const PredictionInterval* told_of(const Choice& choice, std::string_view key) {
  const auto found = std::ranges::find(choice.prediction_intervals, key, &PredictionInterval::of);
  return found == choice.prediction_intervals.end() ? nullptr : &*found;
}
bool is_served(const Choice& choice) { return told_of(choice, kFirstToken) != nullptr; }

/// \param show  how a value of the key is written
template <class Show>
std::string served_text(const Choice& choice, const Show& show) {
  std::string out;
  const auto add = [&](std::string_view key, std::string_view before, const auto& write,
                       std::string_view after) {
    const PredictionInterval* const one = told_of(choice, key);
    if (!one) return;
    out += fmt::format("{}{}{}{}", out.empty() ? "" : ", ", before, show(*one, write), after);
  };
  const auto time = [](double value) { return time_text(value); };
  const auto number = [](double value) { return text_number(value, 3); };
  add(kFirstToken, "TTFT 95 % ", time, "");
  add("itl_s.p95", "ITL 95 % ", time, "");
  add("goodput_per_s", "", number, " requests/s in time");
  add("usd_per_mtokens", "", number, " USD for 10^6 tokens");
  return out;
}

std::string given_text(const Choice& choice) {
  if (is_served(choice))
    return served_text(choice, [](const auto& one, const auto& write) { return write(one.p50); });
  return fmt::format("{} samples/s{}, {} {}, result in {}", text_number(choice.job_samples_per_s),
                     tokens_text(choice), term::kGpuUtilization,
                     percent(choice.job_gpu_utilization), time_text(choice.time_to_result_s));
}

std::string best_rows(const Recommendation& one, const Choice& choice) {
  std::string out = item("Choose", values_text(choice.values));
  const std::string years = price_years_text(choice.oldest_price_year, choice.newest_price_year);
  out += item("It takes", price_text(choice) + (years.empty() ? ", " : " by " + years + ", ") +
                              power_text(choice));
  if (!choice.without_price.empty())
    out += item("", "not counted, price not known: " + choice.without_price);
  if (const auto doubt = price_doubt(choice); !doubt.empty()) out += item("", doubt);
  if (!choice.without_power.empty())
    out += item("", "not counted, power not known: " + choice.without_power);
  out += item("It gives", given_text(choice) + "; held back by " + choice.bottleneck);
  if (const auto chance = confidence_text(choice); !chance.empty()) out += item("Chance", chance);
  if (const auto best = best_text(one); !best.empty()) out += item("Chance", best);
  if (const auto doubt = chance_doubt(choice); !doubt.empty()) out += item("", doubt);
  if (const auto range = range_text(choice); !range.empty())
    out += item("P10 to P90 (80 %)", range);
  for (const std::string& how : choice.extrapolations) out += item("Extrapolation", how);
  for (const SurerChoice& surer : one.surer) out += item("Surer", surer_text(surer));
  return out + command_rows(one, choice) + rival_rows(one);
}

std::string served_front_rows(const std::vector<Choice>& front) {
  std::string out = fmt::format("{:>20}{:>11}{:>11}{:>11}{:>11}{:>8}  {}\n", "price", "TTFT 95 %",
                                "ITL 95 %", "in time/s", "USD/10^6", "chance", "choice");
  for (std::size_t i = 0; i < std::min(front.size(), kMostShown); ++i) {
    const Choice& one = front[i];
    std::string row = fmt::format("{:>20}", price_text(one));
    for (const std::string& figure : served_figures(one)) row += fmt::format("{:>11}", figure);
    row += fmt::format("{:>8}  ", one.chance ? percent(*one.chance) : "");
    out += row + wrapped(values_text(one.values), row.size()) + "\n";
  }
  if (front.size() > kMostShown)
    out += fmt::format("and {} more (--json has all)\n",
                       count(static_cast<std::int64_t>(front.size() - kMostShown)));
  return out + "chance: how likely what would be measured of it meets all constraints\n";
}

std::string front_rows(const std::vector<Choice>& front) {
  if (is_served(front.front())) return served_front_rows(front);
  std::string out = fmt::format("{:>20}{:>11}{:>11}{:>11}{:>8}  {}\n", "price", "power",
                                "samples/s", term::kGpuUtil, "faster", "choice");
  for (std::size_t i = 0; i < std::min(front.size(), kMostShown); ++i) {
    const Choice& one = front[i];
    const std::string row =
        fmt::format("{:>20}{:>11}{:>11}{:>11}{:>8}  ", price_text(one), power_text(one),
                    text_number(one.job_samples_per_s), percent(one.job_gpu_utilization),
                    one.chance_over_last ? percent(*one.chance_over_last) : "");
    out += row + wrapped(values_text(one.values), row.size()) + "\n";
  }
  if (front.size() > kMostShown)
    out += fmt::format("and {} more (--json has all)\n",
                       count(static_cast<std::int64_t>(front.size() - kMostShown)));
  if (std::ranges::any_of(front,
                          [](const Choice& one) { return one.chance_over_last.has_value(); }))
    out += "faster: how likely what would be measured of it is faster than the one above it\n";
  return out;
}

std::string proof(const Recommendation& one) {
  std::string out = item("Proof", proof_text(one));
  for (const auto& how : {layouts_text(one), equals_text(one), sums_text(one)})
    if (!how.empty()) out += item("", how);
  if (!one.first_refusal.empty()) out += item("Cannot be built", "such as: " + one.first_refusal);
  return out;
}

}  // namespace

std::string values_text(const std::vector<ChosenValue>& values) {
  std::string out;
  for (const auto& one : values)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", one.axis, one.value);
  return out;
}

std::string price_text(const Choice& choice) {
  if (!choice.price_USD) return "price not known";
  return fmt::format("{}{} USD", choice.without_price.empty() ? "" : "at least ",
                     text_number(*choice.price_USD, 15));
}

std::string confidence_text(const Choice& choice) {
  constexpr double kSure = 0.995;
  if (!choice.chance || choice.chances.empty()) return "";
  const auto chance = [](double share) {
    return share >= kSure ? std::string("more than 99 %") : percent(share);
  };
  std::string out = chance(*choice.chance) + " that what would be measured meets all constraints";
  const char* before = ": ";
  if (choice.chances.size() > 1)
    for (const ConstraintChance& one : choice.chances)
      if (one.chance < kSure) {
        out += before + one.constraint + " " + chance(one.chance);
        before = ", ";
      }
  return out;
}

std::string range_text(const Choice& choice) {
  if (is_served(choice))
    return served_text(choice, [](const auto& one, const auto& write) {
      return fmt::format("{} to {}", write(one.p10), write(one.p90));
    });
  std::string out;
  for (const PredictionInterval& one : choice.prediction_intervals)
    out += (out.empty() ? "" : "; ") +
           (one.of == "time_to_result_s"
                ? fmt::format("result in {} to {}", time_text(one.p10, one.p90), time_text(one.p90))
                : fmt::format("{} to {} samples/s", text_number(one.p10), text_number(one.p90)));
  return out;
}

std::vector<std::string> served_figures(const Choice& choice) {
  std::vector<std::string> out;
  if (!is_served(choice)) return out;
  const auto add = [&](std::string_view key, bool is_time) {
    const PredictionInterval* const value = told_of(choice, key);
    out.push_back(!value ? "-" : is_time ? time_text(value->p50) : text_number(value->p50, 3));
  };
  add(kFirstToken, true);
  add("itl_s.p95", true);
  add("goodput_per_s", false);
  add("usd_per_mtokens", false);
  return out;
}

std::string tokens_text(const Choice& choice) {
  if (!choice.job_tokens_per_s) return "";
  return fmt::format(" ({} tokens/s)", text_number(*choice.job_tokens_per_s));
}

std::string best_text(const Recommendation& one) {
  if (one.chosen.empty() || !one.chosen.front().chance_best) return "";
  return fmt::format("{} that it is the fastest of the {} ways to split the model below",
                     percent(*one.chosen.front().chance_best), one.rivals.size() + 1);
}

std::string layouts_text(const Recommendation& one) {
  if (one.layouts_tried == 0) return "";
  return fmt::format(
      "choices are all that fit into the GPUs' memory of {} layouts; none is faster than its step "
      "by layers, checked on all {} that were made into scenarios",
      count(one.layouts_tried), count(one.looked_at));
}

std::string surer_text(const SurerChoice& surer) {
  const std::string at = fmt::format("at {} %: ", text_number(100 * surer.confidence));
  if (!surer.choice.empty()) {
    const Choice& one = surer.choice.front();
    const std::string given =
        is_served(one) ? given_text(one) : text_number(one.job_samples_per_s) + " samples/s";
    return fmt::format("{}{}; {}, {}", at, values_text(one.values), price_text(one), given);
  }
  if (surer.all_seen) return at + "no choice is so likely to meet all constraints";
  return at + "not found in a short search; ask for it with `confidence` in the goal";
}

std::string chance_doubt(const Choice& choice) {
  if (choice.by_chance.empty()) return "";
  return fmt::format("so near to {} that with another seed it may not be met",
                     fmt::join(choice.by_chance, " and "));
}

std::vector<std::string> options_text(const Recommendation& one, const Choice& choice) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i + 1 < one.options.size(); i += 2)
    out.push_back(one.options[i] + " " + shell_word(one.options[i + 1]));
  for (const auto& value : choice.values) out.push_back(set_option(value.path + "=" + value.value));
  return out;
}

std::string price_doubt(const Choice& choice) {
  if (choice.chosen_without_price.empty()) return "";
  return fmt::format("with the price of {}, which --prices takes, another choice may be cheaper",
                     fmt::join(choice.chosen_without_price, " and "));
}

std::string power_text(const Choice& choice) {
  if (!choice.power_W) return "power not known";
  return (choice.without_power.empty() ? "" : "at least ") + text(Power{*choice.power_W}, 3);
}

std::string obstacle_text(const Obstacle& obstacle) {
  if (obstacle.key == "chance" && obstacle.closest)
    return fmt::format(
        "{}: choices meet all constraints as predicted, none with that chance; the most likely has "
        "one of {}, with {}",
        obstacle.constraint, percent(*obstacle.closest), values_text(obstacle.values));
  std::string out = obstacle.constraint;
  out += obstacle.alone ? ": no choice meets it" : ": met by some choice, not beside the others";
  if (!obstacle.closest) return out;
  out += fmt::format("; the closest {} is {}, with {}",
                     obstacle.others_held ? "that the others leave" : "of all",
                     text_number(*obstacle.closest, 6), values_text(obstacle.values));
  if (!obstacle.bottleneck.empty()) out += ", held back by " + obstacle.bottleneck;
  return out;
}

std::string proof_text(const Recommendation& one) {
  std::string out = fmt::format("of {} choices ", count(one.choices));
  const auto add = [&](std::int64_t some, const char* what) {
    if (some > 0) out += fmt::format("{} {}, ", count(some), what);
  };
  add(one.not_buildable, "cannot be built");
  add(one.excluded_by_conditions, "fail by price, power, makers or stock");
  add(one.excluded_by_bound, "fail by their analytic bound");
  add(one.excluded_without_price, "lack prices and cannot be called cheaper");
  add(one.excluded_by_aim, "can be no better than the answer");
  out += fmt::format("{} {} simulated", count(one.simulated), one.simulated == 1 ? "was" : "were");
  return out;
}

std::string equals_text(const Recommendation& one) {
  if (one.noise == 0) return "";
  // Up, so that what is said of all other choices holds.
  const std::string noise = text_number(std::ceil(1000 * one.noise) / 10, 3);
  if (one.chosen.size() == 1)
    return fmt::format(
        "no other choice is more than {} % better, as simulated; of those within that, none is "
        "cheaper",
        noise);
  return fmt::format(
      "what is simulated counts as equal within {} %: what gains no more is left out", noise);
}

std::string sums_text(const Recommendation& one) {
  if (one.checked_sums == 0) return "";
  return fmt::format(
      "price and power of choices are sums over groups of axes, checked on {} pairs of "
      "values and on all {} choices that were made into scenarios",
      count(one.checked_sums), count(one.looked_at));
}

std::string to_text(const Recommendation& one) {
  std::string out = (one.title.empty() ? std::string("Recommendation") : one.title) + "\n\n";
  out += item("Wanted", one.aim);
  if (one.chosen.size() == 1)
    out += best_rows(one, one.chosen.front());
  else if (!one.chosen.empty())
    out += "\n" + front_rows(one.chosen) + "\n";
  else
    out += item("Answer", "no choice meets all constraints");
  for (const auto& obstacle : one.obstacles) out += item("In the way", obstacle_text(obstacle));
  return out + proof(one);
}

}  // namespace gpufeed
