// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include <array>

#include "sim/kinds/io/io_job.h"
#include "sim/kinds/pipeline/pipeline.h"
#include "sim/kinds/serving/inference.h"
#include "sim/kinds/training/training.h"
#include "sim/kinds/transfers/transfers.h"

namespace gpufeed {
namespace {

struct Kind {
  WorkloadKind kind;
  Result (*simulate)(const Scenario&);
};

constexpr std::array kKinds{
    Kind{WorkloadKind::training, simulate_training},
    Kind{WorkloadKind::emulated, simulate_training},
    Kind{WorkloadKind::loader, simulate_training},
    Kind{WorkloadKind::io, simulate_io},
    Kind{WorkloadKind::transfers, simulate_transfers},
    Kind{WorkloadKind::pipeline, simulate_pipeline},
    Kind{WorkloadKind::inference, simulate_inference},
};

constexpr bool every_kind_in_its_place() {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i].kind != static_cast<WorkloadKind>(i)) return false;
  return kKinds.size() == EnumNames<WorkloadKind>::names.size();
}
static_assert(every_kind_in_its_place());

}  // namespace

Result simulate(const Scenario& scenario) {
  return kKinds[static_cast<std::size_t>(scenario.workload.kind)].simulate(scenario);
}

}  // namespace gpufeed
