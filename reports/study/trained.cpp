// SPDX-License-Identifier: Apache-2.0
#include "reports/study/trained.h"

namespace gpufeed {

double longer_first_s(const Result& result) {
  return result.first_epoch_s < result.training_s ? result.first_epoch_s - result.epoch_s : 0;
}

double samples_trained(const Result& result) { return static_cast<double>(result.job_samples); }

}  // namespace gpufeed
