// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/figures.h"

#include <cmath>

#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

using Number = std::optional<double>;

Number known(double value) { return std::isfinite(value) && value > 0 ? Number(value) : Number(); }

Number price_of_rate(const Result& result) {
  const Number rate = known(result.job_samples_per_s);
  return result.price_USD && rate ? Number(*result.price_USD / *rate) : Number();
}

std::string dollars(double value) {
  constexpr double kWhole = 1000;  // cents matter to prices of a sample/s
  return text_number(value, value < kWhole ? 3 : 6) + " USD";
}
std::string rate(double value) { return text_number(value) + " samples/s"; }
std::string tokens(double value) { return text_number(value) + " tokens/s"; }
std::string time(double value) { return time_text(value); }
std::string bytes(double value) { return text(Bytes{value}, 3); }
std::string watts(double value) { return text(Power{value}, 3); }

bool never(const Result& /*result*/) { return false; }
bool lacks_price(const Result& result) { return !result.without_price.empty(); }
bool lacks_power(const Result& result) { return !result.without_power.empty(); }

}  // namespace

std::string Figure::text(const Result& result) const {
  const Number value = of(result);
  return value ? (is_part(result) ? "over " : "") + words(*value) : "–";
}

const std::vector<Figure>& figures() {
  static const std::vector<Figure> kAll{
      {term::kJobRate.data(), "Samples of the whole job over its time, all GPUs together.",
       Better::high, true, [](const Result& r) { return known(r.job_samples_per_s); }, rate, never},
      {"Tokens", "Tokens per second of a language model, all GPUs together.", Better::high, true,
       [](const Result& r) { return r.job_tokens_per_s; }, tokens, never},
      {term::kGpuUtilization.data(), "The share of the whole job's time in which GPUs compute.",
       Better::high, true, [](const Result& r) { return known(r.job_gpu_utilization); }, percent,
       never},
      {"At most possible", "What the machine could attain in the long run.", Better::high, false,
       [](const Result& r) { return known(r.bound.samples_per_s); }, rate, never},
      {"First epoch", "Its time: nothing is in the page cache yet.", Better::low, true,
       [](const Result& r) { return known(r.first_epoch_s); }, time, never},
      {"Later epochs", "Their mean time.", Better::low, true,
       [](const Result& r) { return known(r.epoch_s); }, time, never},
      {"Time to result", "Copy-in and training.", Better::low, true,
       [](const Result& r) { return known(r.time_to_result_s); }, time, never},
      {"Read in an epoch", "From storage, in each epoch after the first.", Better::none, false,
       [](const Result& r) { return known(r.cache.read_later_epoch_B); }, bytes, never},
      {"Price", "Of all machines and stores.", Better::low, false,
       [](const Result& r) { return r.price_USD; }, dollars, lacks_price},
      {"Price per sample/s", "The price over the job's rate.", Better::low, true, price_of_rate,
       dollars, lacks_price},
      {"Power", "Drawn at full load, all machines and stores.", Better::low, false,
       [](const Result& r) { return r.power_W; }, watts, lacks_power}};
  return kAll;
}

}  // namespace gpufeed::ui
