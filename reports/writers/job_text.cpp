// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/job_text.h"

#include <fmt/format.h>

#include "reports/writers/phrases.h"
#include "sim/base/units.h"
#include "sim/model/exchange.h"

namespace gpufeed {

std::int64_t gpus_of(const Result& result) {
  std::int64_t count = 0;
  for (const auto& group : result.gpus) count += group.count;
  return count;
}

std::string token_rate_text(const Result& result) {
  if (!result.tokens_per_s) return "";
  return fmt::format("{} a second, {} per GPU", text_number(*result.tokens_per_s),
                     text_number(*result.tokens_per_s / static_cast<double>(gpus_of(result))));
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

}  // namespace gpufeed
