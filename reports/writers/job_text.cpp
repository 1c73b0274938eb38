// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/job_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/rates_text.h"
#include "sim/base/units.h"
#include "sim/model/exchange.h"

namespace gpufeed {
namespace {

std::string layout_text(const Result& result) {
  if (!result.transformer) return "";
  const TransformerSummary& own = *result.transformer;
  return fmt::format(
      "{}; micro-batches of {}, {} in a step of {}; MFU {} % (FLOP of forward and "
      "backward passes over the peak: what is computed again does not count, causal "
      "attention half)",
      in_words(own.layout), text_number(own.micro_batch), text_number(own.micro_batches),
      time_text(own.step_s), text_number(100 * own.model_flop_utilization, 3));
}

std::string step_parts_text(const Result& result) {
  if (!result.transformer) return "";
  constexpr double kLeastShare = 0.005;
  std::vector<std::string> parts;
  for (const StepPartTime& part : result.transformer->parts)
    if (part.share >= kLeastShare)
      parts.push_back(fmt::format("{} {}", sentence(part.part), percent(part.share)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What of a step's exchange nothing hides.
std::string exposed_text(const Result& result) {
  if (!result.transformer) return "";
  constexpr double kLeastShare = 0.0005;
  double all = 0;
  std::vector<std::string> parts;
  for (const StepPartTime& part : result.transformer->parts) {
    if (!is_exchange(part.part.code)) continue;
    all += part.share;
    if (part.share >= kLeastShare)
      parts.push_back(fmt::format("{} {}", sentence(part.part), percent(part.share)));
  }
  if (parts.empty()) return "";
  return fmt::format("{} of a step: {}", percent(all), fmt::join(parts, ", "));
}

/// Days and dollars of more tokens at the same rate.
std::string trillion_text(const Result& result) {
  if (!result.transformer || !result.job_tokens_per_s || *result.job_tokens_per_s <= 0) return "";
  constexpr double kTrillion = 1e12, kHour_s = 3600;
  const double time_s = kTrillion / *result.job_tokens_per_s;
  std::string out = "at this rate " + time_text(time_s);
  if (result.running_cost)
    out +=
        fmt::format(", {} USD", text_number(result.running_cost->per_hour_USD * time_s / kHour_s));
  return out;
}

std::string gpu_memory_text(const Result& result) {
  if (!result.transformer) return "";
  const TransformerSummary& own = *result.transformer;
  std::vector<std::string> parts;
  for (const MemoryPart& part : own.memory)
    parts.push_back(fmt::format("{} {}", name_of(part.name), text(Bytes{part.size_B}, 3)));
  return fmt::format("about {} of {}, {} at least: {}", text(Bytes{own.memory_typical_B}, 3),
                     text(Bytes{own.gpu_memory_B}, 3), text(Bytes{own.memory_floor_B}, 3),
                     fmt::join(parts, ", "));
}

/// While GPUs stand still, loaders go on: what they load then is not waited for afterwards.
std::string stops_text(const CheckpointUse& use) {
  constexpr double kNothing = 0.001;
  const std::string stopped = time_text(use.pause_s), longer = time_text(use.cost_s);
  const std::string stops = fmt::format("each stops the GPUs for {}", stopped);
  const std::string in_all = percent(use.share) + " of the time in all";
  if (use.cost_s <= kNothing * use.pause_s)
    return stops + ", in which loaders catch up: training takes no longer";
  if (stopped == longer) return fmt::format("{}, {}", stops, in_all);
  if (use.cost_s < use.pause_s)
    return fmt::format("{}, in which loaders catch up: training takes {} longer, {}", stops, longer,
                       in_all);
  return fmt::format("{} and, as writes hold back reads, lengthens training by {}, {}", stops,
                     longer, in_all);
}

std::string checkpoints_text(const Result& result) {
  if (!result.checkpoint) return "";
  const CheckpointUse& use = *result.checkpoint;
  std::string out = fmt::format("{} of {}", text_number(static_cast<double>(use.count), 15),
                                text(Bytes{use.size_B}, 3));
  if (use.count > 0) out += "; " + stops_text(use);
  return out + fmt::format("; going back to one takes {}", time_text(use.restart_s));
}

std::string failures_text(const Result& result) {
  if (!result.failures) return "";
  const FailureCost& cost = *result.failures;
  const std::string often =
      fmt::format("one in {} of all machines and stores together", time_text(cost.mtbf_s));
  const std::string missing =
      cost.without_mtbf.empty() ? "" : fmt::format("; not counted: {}", cost.without_mtbf);
  if (!std::isfinite(cost.time_s))
    return fmt::format("{}: the job hardly ever gets through{}{}", often,
                       result.checkpoint ? "" : " without checkpoints", missing);
  const auto share = [&](double part) { return percent(part / cost.time_s); };
  return fmt::format(
      "{}, {} until the job is done, after {} instead of {}: {} of that to checkpoints, {} to "
      "restarts, {} to work done again{}",
      often, text_number(cost.count, 3), time_text(cost.time_s),
      time_text(result.before_training_s() + result.training_s), share(cost.checkpoints_s),
      share(cost.restarts_s), share(cost.lost_s), missing);
}

std::string goodput_text(const Result& result) {
  if (!result.failures) return "";
  const FailureCost& cost = *result.failures;
  std::string out = percent(cost.goodput);
  if (cost.interval_s)
    out += fmt::format(" with a checkpoint in {} of work", time_text(*cost.interval_s));
  if (cost.best_goodput)
    out += fmt::format("; {} every {} steps, in {}; {} if they cost nothing",
                       percent(*cost.best_goodput),
                       text_number(static_cast<double>(*cost.best_interval_steps), 15),
                       time_text(*cost.best_interval_s), percent(*cost.free_goodput));
  return out;
}

std::string exchange_text(const Result& result) {
  if (!result.exchange) return "";
  const bool waits = result.exchange->mode == name_of(ExchangeMode::synchronous);
  if (waits && result.nodes == 1) return "";
  return fmt::format("{}{}: {} from each GPU in a step, {} when nothing else travels",
                     result.exchange->algorithm, waits ? "" : ", asynchronous",
                     text(Bytes{result.exchange->sent_B}, 3), time_text(result.exchange->alone_s));
}

}  // namespace

std::int64_t gpus_of(const Result& result) {
  std::int64_t count = 0;
  for (const auto& group : result.gpus) count += group.count;
  return count;
}

std::string token_rate_text(const Result& result) {
  if (!result.job_tokens_per_s) return "";
  return fmt::format("{} a second, {} per GPU", text_number(*result.job_tokens_per_s),
                     text_number(*result.job_tokens_per_s / static_cast<double>(gpus_of(result))));
}

const Warning* other_length(const Result& result) {
  const auto found = std::ranges::find_if(result.warnings, [](const Warning& warning) {
    return warning.code == WarningCode::samples_shorter_than_sequence ||
           warning.code == WarningCode::samples_longer_than_sequence;
  });
  return found == result.warnings.end() ? nullptr : &*found;
}

std::vector<TextRow> training_rows(const Result& result) {
  std::vector<TextRow> rows;
  const auto add = [&](std::string_view label, std::string words) {
    if (!words.empty()) rows.emplace_back(label, std::move(words));
  };
  add("Exchange", exchange_text(result));
  add("Layout", layout_text(result));
  add("Step goes to", step_parts_text(result));
  add("Exchange exposed", exposed_text(result));
  add("A trillion tokens", trillion_text(result));
  add("GPU memory", gpu_memory_text(result));
  add("Checkpoints", checkpoints_text(result));
  add("Failures", failures_text(result));
  add("Goodput", goodput_text(result));
  return rows;
}

}  // namespace gpufeed
