// SPDX-License-Identifier: Apache-2.0
#include "reports/study/served_choice.h"

#include "reports/study/served_points.h"
#include "reports/writers/engine_text.h"
#include "sim/serving/answer.h"
#include "sim/serving/beside.h"
#include "sim/serving/outcomes.h"
#include "sim/serving/purchase.h"

namespace gpufeed {

ServedChoice::ServedChoice(const Choices& choices, std::int64_t choice, std::size_t workload)
    : choices_(choices),
      number_(choice),
      document_(serving::with_training_beside(choices.workloads[workload].served->load(
          overrides_of(choices.workloads[workload], choice)))) {}

void ServedChoice::examine(Candidate& out, const std::vector<std::string>& keys) const {
  const serving::Machines machines = serving::machines_of(document_);
  out.cost = {machines.price_USD.value_or(0), machines.power_W.value_or(0),
              static_cast<double>(machines.unpriced), static_cast<double>(machines.unpowered)};
  out.price_USD = machines.price_USD;
  out.without_price = machines.without_price;
  serving::Answer known;
  known.gpus = machines.gpus;
  known.price_USD = machines.price_USD;
  known.power_W = machines.power_W;
  known.without_price = machines.without_price;
  known.unpriced = machines.unpriced;
  known.without_power = machines.without_power;
  auto values = values_in(known, keys);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (foresight_of(keys[i]) != Foresight::exact) values[i].reset();
  out.optimistic.push_back(std::move(values));
}

serving::Answer ServedChoice::simulate() const { return serving::one_draw(document_); }

Choice ServedChoice::told(const serving::Answer& answer) const {
  Choice out;
  out.number = number_;
  out.values = values_of(choices_, number_);
  out.price_USD = answer.price_USD;
  out.without_price = answer.without_price;
  out.power_W = answer.power_W;
  out.without_power = answer.without_power;
  out.job_samples_per_s = out.throughput_samples_per_s = answer.requests_per_s;
  out.job_gpu_utilization = out.accelerator_utilization = answer.gpu_busy;
  out.time_to_result_s = answer.duration_s;
  out.bottleneck = bottleneck_text(answer);
  for (const serving::Unmeasured one : answer.unmeasured)
    out.extrapolations.push_back("little or nothing is measured of " + unmeasured_text(one));
  return out;
}

Chances ServedChoice::chances(std::vector<PredictionInterval>& intervals) const {
  const serving::Answer predicted = serving::one_draw(document_);
  const auto outcomes = serving::outcomes_of(document_, predicted);
  intervals = intervals_in(outcomes, predicted);
  return chances_in(outcomes, choices_.goal.constraints);
}

}  // namespace gpufeed
