// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/range_text.h"

#include <cmath>

#include "reports/writers/key_words.h"
#include "reports/writers/phrases.h"
#include "reports/writers/terms.h"

namespace gpufeed {
namespace {

std::string shares_text(const Interval80& interval) {
  const std::string low = percent(interval.p10), high = percent(interval.p90);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

std::string times_text(const Interval80& interval) {
  const std::string low = time_text(interval.p10, interval.p90), high = time_text(interval.p90);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

}  // namespace

std::string interval_text(const Interval80& interval) {
  const std::string low = text_number(interval.p10), high = text_number(interval.p90);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

bool order_of_magnitude(const Interval80& interval) {
  constexpr double kWide = 4;
  return interval.p90 > kWide * interval.p10;
}

std::string deviation_text(double deviation) {
  constexpr double kInPercent = 0.5;  // more is not as far down as it is up
  const double off = std::expm1(deviation);
  return off > kInPercent ? fmt::format("within a factor of {}", text_number(1 + off, 2))
                          : fmt::format("±{} %", text_number(100 * off, 2));
}

std::string parameter_in_words(const RangeCause& cause) {
  if (cause.of_key.empty()) return cause.parameter;
  return fmt::format("{} of {}", key_in_words(cause.of_key), cause.owner);
}

std::string cause_text(const RangeCause& cause) {
  return fmt::format("{} ({}, {}; {} of the variance)", cause.parameter,
                     deviation_text(cause.deviation),
                     cause.basis.empty() ? "the model" : cause.basis, percent(cause.share));
}

std::string range_rows(const Range& range) {
  std::string out =
      item("P10 to P90 (80 %)",
           fmt::format("{} samples/s; {} {}; result in {}", interval_text(range.job_samples_per_s),
                       term::kGpuUtilization, shares_text(range.job_gpu_utilization),
                       times_text(range.time_to_result_s)));
  std::string causes;
  for (const auto& cause : range.causes) causes += (causes.empty() ? "" : "; ") + cause_text(cause);
  if (causes.empty()) return out;
  return out + item(term::kMainUncertainty, causes) +
         item("To narrow it", range.causes.front().remedy);
}

}  // namespace gpufeed
