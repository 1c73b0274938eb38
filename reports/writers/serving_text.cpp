// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/serving_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>
#include <vector>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/terms.h"

namespace gpufeed {
namespace {

std::string rate_text(const Result& result, const ServingSummary& serving) {
  const double rate = result.throughput_samples_per_s;
  std::string out = fmt::format("{} requests/s", text_number(rate));
  if (serving.overloaded)
    return out + fmt::format("; OVERLOAD: {} arrive, {} times what can be answered",
                             text_number(serving.offered_requests_per_s),
                             text_number(serving.offered_requests_per_s / rate, 3));
  return out + fmt::format(" ({} of at most {})", percent(rate / serving.capacity_requests_per_s),
                           text_number(serving.capacity_requests_per_s));
}

std::string latency_rows(const ServingSummary& serving) {
  if (serving.overloaded)
    return item("Latency", "grows without end: the queue of unanswered requests does");
  std::string out =
      item("Latency",
           fmt::format("mean {}; half within {}, 90 % within {}, 99 % within {}",
                       latency_text(serving.latency_mean_s), latency_text(serving.latency_p50_s),
                       latency_text(serving.latency_p90_s), latency_text(serving.latency_p99_s)));
  const RequestTimes& times = serving.times;
  std::vector<std::string> parts;
  for (const auto& [seconds, what] : {std::pair{times.read_s, "reading"},
                                      {times.decode_s, "decoding"},
                                      {times.copy_s, "copy to the GPU"},
                                      {times.wait_s, "waiting for batch and GPU"},
                                      {times.forward_s, "forward pass"}})
    if (seconds > 0) parts.push_back(fmt::format("{} {}", what, time_text(seconds)));
  return out + item("  of which", fmt::format("{}", fmt::join(parts, ", ")));
}

}  // namespace

std::string latency_text(double seconds) {
  return std::isfinite(seconds) ? time_text(seconds) : "endless";
}

std::string serving_rows(const Result& result) {
  if (!result.serving) return "";
  const ServingSummary& serving = *result.serving;
  std::string out =
      item("Cold start",
           fmt::format("{} for {} into every GPU; limited by {}; not counted: starting the process "
                       "and its GPU libraries",
                       time_text(serving.cold_start_s), text(Bytes{serving.model_B}, 3),
                       in_words(serving.cold_start_limit))) +
      item("Throughput", rate_text(result, serving)) + latency_rows(serving) +
      item(term::kGpuUtilization,
           fmt::format("{}, with {} request{} in a batch", percent(result.accelerator_utilization),
                       text_number(serving.mean_batch, serving.mean_batch < 100 ? 3 : 15),
                       serving.mean_batch == 1 ? "" : "s"));
  if (serving.cores_busy > 0) out += item("Cores busy", percent(serving.cores_busy));
  const double known = 100 * serving.latency_uncertainty;
  out += item("Simulated",
              fmt::format("{} requests{}", text_number(static_cast<double>(serving.requests), 15),
                          std::isfinite(known) ? fmt::format("; mean latency known to {} %",
                                                             known < 0.01 ? "better than 0.01"
                                                                          : text_number(known, 1))
                                               : ""));
  return out;
}

}  // namespace gpufeed
