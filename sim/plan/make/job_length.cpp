// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/job_length.h"

#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {

JobLength job_length(const Scenario& scenario) {
  const Workload& workload = scenario.workload;
  const std::int64_t samples = dataset_samples(workload);
  const std::int64_t step = global_batch(scenario) / scenario.loader.jobs;
  JobLength length;
  const bool one_more = !scenario.loader.drop_last && samples % step != 0;
  length.steps_per_epoch = samples / step + (one_more ? 1 : 0);
  const auto& asked = workload.get<RunsEpochs>();
  length.steps = asked.epochs ? *asked.epochs * length.steps_per_epoch
                              : asked.samples.value_or(samples) / step;
  length.epochs = (length.steps + length.steps_per_epoch - 1) / length.steps_per_epoch;
  return length;
}

}  // namespace gpufeed
