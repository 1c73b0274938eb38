// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/engine_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "reports/writers/csv_line.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

// Other screens have rows of these names, too.
namespace gpufeed::engine_text {
namespace {

using serving::Answer;
using serving::Bottleneck;
using serving::GoalTerm;
using serving::Interval;
using serving::Latency;
using serving::TierUse;
using serving::Unmeasured;

constexpr std::size_t kIndent = 14;

std::string number(double value) { return text_number(value, 4); }

std::string latency_row(std::string_view name, const Latency& one) {
  return fmt::format("{:<14}{:>12}{:>12}{:>12}{:>12}\n", name, time_text(one.mean),
                     time_text(one.p50), time_text(one.p95), time_text(one.p99));
}

std::string words_for(Unmeasured why) {
  switch (why) {
    case Unmeasured::generation:
      return "GPUs of this generation";
    case Unmeasured::precision:
      return "weights or caches in 8 or 4 bits (up to twice as slow)";
    case Unmeasured::experts:
      return "models of experts (some were 1.6 times as slow)";
    case Unmeasured::tiers:
      return "the time to the first token from tiers";
    case Unmeasured::preemption:
      return "preemption";
    case Unmeasured::long_context:
      return "contexts of more than 32,768 tokens";
    case Unmeasured::window_attention:
      return "attention over a window, which is counted as over all tokens";
    case Unmeasured::mixed_prefill:
      return "much prefill between decoding";
  }
  return "";
}

std::string bottleneck_of(const Answer& answer) {
  switch (answer.bottleneck) {
    case Bottleneck::prefill:
      return fmt::format("prefill: prompts take {} of the GPUs' steps",
                         percent(answer.prefill_share));
    case Bottleneck::decode:
      return fmt::format("decode: it takes {} of the GPUs' steps",
                         percent(1 - answer.prefill_share));
    case Bottleneck::kv_room:
      return fmt::format("room for KV caches: prompts waited for it {} of the GPUs' steps",
                         percent(answer.kv_blocked));
    case Bottleneck::sequences:
      return "as many sequences as may ran, while others waited: raise serving.sequences";
    case Bottleneck::memory:
    case Bottleneck::volume:
    case Bottleneck::store:
      return fmt::format("{}: what is read from it waits for what others read and write",
                         answer.bottleneck_tier);
  }
  return "";
}

std::string range_of(const Interval& one) {
  return fmt::format("{} to {}", time_text(one.low, one.high), time_text(one.high));
}

std::string tier_rows(const Answer& answer) {
  constexpr double kPiledUp = 0.1;  // of what is written: more than the last blocks
  std::string out;
  for (const TierUse& tier : answer.tiers) {
    std::string text_of = fmt::format(
        "{}, {} of {}: {} of the tokens found; {} read, {} written; load {}, a read waits {}",
        tier.name, text(Bytes{tier.held_B}, 3), text(Bytes{tier.capacity_B}, 3),
        percent(tier.hit_share), text(Bytes{tier.bytes_read_B}, 3),
        text(Bytes{tier.bytes_written_B}, 3), percent(tier.load), time_text(tier.mean_wait_s));
    if (tier.left_blocks > 0)
      text_of += fmt::format("; {} blocks were computed again, which was faster", tier.left_blocks);
    if (tier.behind_B > kPiledUp * tier.bytes_written_B)
      text_of += fmt::format("; {} were still to be written after the last answer",
                             text(Bytes{tier.behind_B}, 3));
    out += labeled("Tier", text_of, kIndent);
    if (tier.worse_than_computing)
      out += labeled(
          "Warning",
          fmt::format("{} gives a replica {}, below the {} at which computing a prompt "
                      "again takes as long: read always, it is worse than none",
                      tier.name,
                      text(Bandwidth{tier.kind == serving::TierKind::store
                                         ? tier.read_Bps / static_cast<double>(answer.replicas)
                                         : tier.read_Bps},
                           3),
                      text(Bandwidth{tier.break_even_Bps}, 3)),
          kIndent);
  }
  return out;
}

std::string beside_rows(const Answer& answer) {
  std::string out;
  for (const auto& one : answer.beside)
    out += labeled(
        "Beside",
        fmt::format("{} trains {} samples/s, alone {}: {} gives {}, of which its GPUs "
                    "ask for {} and KV caches take {} on the mean",
                    one.training, number(one.samples_per_s), number(one.alone_samples_per_s),
                    one.store, text(Bandwidth{one.store_Bps}, 3),
                    text(Bandwidth{one.demand_Bps}, 3), text(Bandwidth{one.served_Bps}, 3)),
        kIndent);
  return out;
}

std::string reuse_row(const Answer& answer) {
  std::vector<std::string> parts;
  for (const auto& one : answer.reuse)
    parts.push_back(fmt::format("{} {}",
                                one.blocks ? text(Bytes{one.bytes_B}, 3)
                                           : fmt::format("all ({})", text(Bytes{one.bytes_B}, 3)),
                                percent(one.share)));
  if (parts.empty()) return "";
  return labeled("Repeated",
                 fmt::format("of {} blocks of the log, one cache of this size would find: {}",
                             text_number(static_cast<double>(answer.blocks_of_log), 9),
                             fmt::join(parts, ", ")),
                 kIndent);
}

std::string cost_row(const Answer& answer) {
  std::string out;
  if (answer.usd_per_mtokens)
    out = fmt::format("{} USD for 10^6 tokens generated", text_number(*answer.usd_per_mtokens, 3));
  if (answer.kwh_per_mtokens)
    out +=
        fmt::format("{}{} kWh{}", out.empty() ? "" : ", ", text_number(*answer.kwh_per_mtokens, 3),
                    out.empty() ? " for 10^6 tokens generated" : "");
  if (out.empty()) return labeled("Cost", "no price and no power is known", kIndent);
  out += ", at full power";
  if (!answer.without_price.empty()) out += "; not counted: " + answer.without_price;
  return labeled("Cost", out, kIndent);
}

std::string what_if_rows(const Answer& answer) {
  if (answer.what_if.empty())
    return labeled("What if", "--why simulates it again with more of each, one by one", kIndent);
  constexpr std::size_t kName = 40;
  std::string out =
      fmt::format("\n{:<{}}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "What if", kName, "TTFT 95 %",
                  "ITL 95 %", "tokens/s", answer.has_goal ? "goodput/s" : "requests/s", "USD/10^6");
  const auto row = [&](std::string_view name, double ttft, double itl, double tokens, double good,
                       const std::optional<double>& cost) {
    out += fmt::format("{:<{}}{:>12}{:>12}{:>12}{:>12}{:>10}\n", clipped(name, kName - 1), kName,
                       time_text(ttft), time_text(itl), number(tokens), text_number(good, 3),
                       cost ? text_number(*cost, 3) : "-");
  };
  row("as it is", answer.ttft_s.p95, answer.itl_s.p95, answer.tokens_per_s, answer.goodput_per_s,
      answer.usd_per_mtokens);
  for (const auto& one : answer.what_if)
    row(one.change, one.ttft_p95_s, one.itl_p95_s, one.tokens_per_s, one.goodput_per_s,
        one.usd_per_mtokens);
  return out;
}

std::string requests_row(const Answer& answer) {
  std::string out = fmt::format("{} in {}, {} tokens in and {} out on the mean",
                                text_number(static_cast<double>(answer.requests), 9),
                                time_text(answer.duration_s), number(answer.prompt_tokens_mean),
                                number(answer.answer_tokens_mean));
  if (answer.refused > 0)
    out += fmt::format("; {} refused, longer than a replica's KV cache", answer.refused);
  return labeled("Requests", out, kIndent);
}

std::string goal_row(const Answer& answer) {
  if (!answer.goal_met) return "";
  std::vector<std::string> terms;
  for (const GoalTerm& one : answer.goal) {
    terms.push_back(fmt::format("{} is {}, at most {} asked: {}", name_of(one.time),
                                time_text(one.reached_s), time_text(one.asked_s),
                                one.met ? "met" : "missed"));
    if (answer.draws)
      terms.back() +=
          fmt::format(" (met in {} of {} outcomes)", one.draws_met, answer.draws->count);
  }
  return labeled(
      "Goal",
      fmt::format("{}; {} of the requests keep to all its times: {} a second",
                  fmt::join(terms, "; "), percent(*answer.goal_met), number(answer.goodput_per_s)),
      kIndent);
}

std::string kv_row(const Answer& answer) {
  std::string out =
      fmt::format("{} tokens on the GPUs of a replica; in use {} on the mean, {} at most",
                  text_number(static_cast<double>(answer.kv_tokens), 9), percent(answer.kv_mean),
                  percent(answer.kv_most));
  if (answer.preemptions > 0)
    out += fmt::format("; {} preemptions, {} tokens computed again",
                       text_number(static_cast<double>(answer.preemptions), 9),
                       number(answer.anew_tokens));
  return labeled("KV cache", out, kIndent);
}

std::string basis_of(const Answer& answer) {
  if (!answer.draws)
    return std::string(
               "of simulations with all times as short and as long as in one of ten "
               "measurements") +
           (answer.is_drawn ? ", without other draws of the requests, which --why simulates" : "");
  return fmt::format("of {} simulations, {}with all times off by as much as measurements were",
                     answer.draws->count, answer.is_drawn ? "each with other requests and " : "");
}

std::string likely_row(const Answer& answer) {
  std::string out =
      fmt::format("TTFT 95 % {}, E2E mean {}, four times of five",
                  range_of(answer.ttft_p95_range_s), range_of(answer.e2e_mean_range_s));
  out += "; " + basis_of(answer);
  std::vector<std::string> why;
  for (const Unmeasured one : answer.unmeasured) why.push_back(words_for(one));
  if (!why.empty())
    out += fmt::format("; extrapolated: little or nothing is measured of {}", fmt::join(why, "; "));
  return labeled("Likely", out, kIndent);
}

std::string draws_row(const Answer& answer) {
  if (!answer.draws) return "";
  const auto& [count, ttft, goodput] = *answer.draws;
  std::string out = fmt::format("all {}: TTFT 95 % {}, {} {} to {} a second", count, range_of(ttft),
                                answer.has_goal ? "goodput" : "requests", number(goodput.low),
                                number(goodput.high));
  if (answer.meets_chance)
    out += fmt::format("; {} that all of the goal is met", percent(*answer.meets_chance));
  return labeled("Outcomes", out, kIndent);
}

std::string csv_of(const std::string& value) { return csv_text(value); }
std::string csv_of(double value) { return fmt::format("{}", value); }
std::string csv_of(std::int64_t value) { return std::to_string(value); }
std::string csv_of(bool value) { return value ? "true" : "false"; }
template <NamedEnum E>
std::string csv_of(E value) {
  return std::string(name_of(value));
}
template <class T>
requires(!HasFields<T>) std::string csv_of(const std::optional<T>& value) {
  return value ? csv_of(*value) : "";
}

template <class T>
void add_lines(std::string& out, const std::string& path, const std::vector<T>& list);

template <HasFields T>
void add_lines(std::string& out, const std::string& path, const std::optional<T>& value);

template <class T>
void add_lines(std::string& out, const std::string& path, const T& value) {
  if constexpr (HasFields<T>) {
    T::fields([&](const auto& field) {
      add_lines(out, path + (path.empty() ? "" : ".") + std::string(field.name),
                value.*field.member);
    });
  } else {
    out += csv_line({path, csv_of(value)});
  }
}
template <class T>
void add_lines(std::string& out, const std::string& path, const std::vector<T>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    add_lines(out, fmt::format("{}[{}]", path, i), list[i]);
}

template <HasFields T>
void add_lines(std::string& out, const std::string& path, const std::optional<T>& value) {
  if (value) add_lines(out, path, *value);
}

std::string screen_of(const Answer& answer) {
  std::string out = (answer.title.empty() ? "Serving " + answer.model : answer.title) + "\n\n";
  out += labeled(
      "Engine",
      fmt::format("{} in {} on {} x {}{}", answer.model, answer.precision, answer.gpus, answer.gpu,
                  answer.replicas == 1
                      ? std::string()
                      : fmt::format(", {} replicas of {}", answer.replicas, answer.tensor)),
      kIndent);
  out += requests_row(answer);
  out += labeled("Rate",
                 fmt::format("{} tokens/s generated, {} tokens/s of prompts, {} requests/s",
                             number(answer.tokens_per_s), number(answer.prompt_tokens_per_s),
                             number(answer.requests_per_s)),
                 kIndent);
  out += goal_row(answer);
  out += labeled("GPUs",
                 fmt::format("busy {}, {} requests in a step on the mean", percent(answer.gpu_busy),
                             number(answer.mean_batch)),
                 kIndent);
  out += kv_row(answer);
  out += labeled("Found",
                 fmt::format("{} of the prompts' tokens, {} on GPUs", percent(answer.hit_share),
                             percent(answer.gpu_hit_share)),
                 kIndent);
  out += tier_rows(answer) + beside_rows(answer) + reuse_row(answer);
  out += labeled("Bottleneck", bottleneck_of(answer), kIndent);
  if (answer.overloaded)
    out += labeled("Warning",
                   "more comes than is answered: waiting grows as long as this goes on, and the "
                   "times below are those of this stretch alone",
                   kIndent);
  out += cost_row(answer) + likely_row(answer) + draws_row(answer);
  out +=
      fmt::format("\n{:<14}{:>12}{:>12}{:>12}{:>12}\n", "Time", "mean", "median", "95 %", "99 %");
  out += latency_row("first token", answer.ttft_s) + latency_row("between two", answer.itl_s) +
         latency_row("whole answer", answer.e2e_s);
  return out + what_if_rows(answer);
}

std::string lines_of(const Answer& answer) {
  std::string out = csv_line({"key", "value"});
  add_lines(out, "", answer);
  return out;
}

}  // namespace
}  // namespace gpufeed::engine_text

namespace gpufeed {

std::string to_text(const serving::Answer& answer) { return engine_text::screen_of(answer); }
std::string bottleneck_text(const serving::Answer& answer) {
  return engine_text::bottleneck_of(answer);
}
std::string basis_text(const serving::Answer& answer) { return engine_text::basis_of(answer); }
std::string unmeasured_text(serving::Unmeasured why) { return engine_text::words_for(why); }
std::string to_csv(const serving::Answer& answer) { return engine_text::lines_of(answer); }

}  // namespace gpufeed
