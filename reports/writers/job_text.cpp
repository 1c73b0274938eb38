// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/job_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "sim/base/units.h"
#include "sim/model/exchange.h"

namespace gpufeed {
namespace {

std::string layout_text(const Result& result) {
  if (!result.transformer) return "";
  const TransformerSummary& own = *result.transformer;
  return fmt::format("{}; micro-batches of {}, {} in a step of {}; {} % of the peak's FLOP",
                     in_words(own.layout), text_number(own.micro_batch),
                     text_number(own.micro_batches), time_text(own.step_s),
                     text_number(100 * own.model_flop_utilization, 3));
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

std::string checkpoints_text(const Result& result) {
  if (!result.checkpoint) return "";
  const CheckpointUse& use = *result.checkpoint;
  std::string out = fmt::format("{} of {}", text_number(static_cast<double>(use.count), 15),
                                text(Bytes{use.size_B}, 3));
  if (use.count > 0)
    out +=
        fmt::format("; each stops the GPUs for {} and costs {} of training, {} of the time in all",
                    time_text(use.pause_s), time_text(use.cost_s), percent(use.share));
  return out + fmt::format("; going back to one takes {}", time_text(use.restart_s));
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

std::vector<TextRow> training_rows(const Result& result) {
  std::vector<TextRow> rows;
  const auto add = [&](std::string_view label, std::string words) {
    if (!words.empty()) rows.emplace_back(label, std::move(words));
  };
  add("Exchange", exchange_text(result));
  add("Layout", layout_text(result));
  add("Step goes to", step_parts_text(result));
  add("GPU memory", gpu_memory_text(result));
  add("Checkpoints", checkpoints_text(result));
  return rows;
}

}  // namespace gpufeed
