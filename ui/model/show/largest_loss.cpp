// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/largest_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reports/writers/activities.h"
#include "reports/writers/job_text.h"
#include "reports/writers/phrase_book.h"

namespace gpufeed::ui {
namespace {

/// What of a step is no work on the samples.
constexpr std::array kStepLosses{LimiterCode::step_recompute,  LimiterCode::step_tensor,
                                 LimiterCode::step_experts,    LimiterCode::step_context,
                                 LimiterCode::step_parameters, LimiterCode::step_stages,
                                 LimiterCode::step_bubble,     LimiterCode::step_gradients};

}  // namespace

Loss largest_loss(const Result& result) {
  Loss most;
  const auto take = [&](std::string_view words, double share) {
    if (share > most.share) most = {std::string(words), share};
  };
  double gpus = 0;
  for (const GpuGroup& group : result.gpus) gpus += static_cast<double>(group.count);
  const auto mean = [&](double GpuShare::*share) {
    double sum = 0;
    for (const GpuGroup& group : result.gpus)
      sum += static_cast<double>(group.count) * group.share.*share;
    return gpus > 0 ? sum / gpus : 0;
  };
  for (std::size_t i = kWorkActivities; i < kActivityTexts.size(); ++i)
    take(kActivityTexts[i].whole, mean(kActivityTexts[i].share));
  if (result.time_to_result_s > 0 && std::isfinite(result.time_to_result_s)) {
    take("copying the data in before", result.staging_s / result.time_to_result_s);
    take("building the index of samples", result.index_s / result.time_to_result_s);
  }
  if (!result.transformer) return most;
  const double computing = mean(&GpuShare::compute);
  for (const StepPartTime& part : result.transformer->parts)
    if (std::ranges::count(kStepLosses, part.part.code) > 0)
      take(sentence(part.part), computing * part.share);
  return most;
}

}  // namespace gpufeed::ui
