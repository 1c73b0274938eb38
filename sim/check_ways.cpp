// SPDX-License-Identifier: Apache-2.0
#include "sim/check_ways.h"

#include <variant>

// Each of these has the `simulate_kind` of its kind; what takes time also `check_kind`.
#include "sim/kinds/checkpointing/checkpointing.h"
#include "sim/kinds/collective/collective.h"
#include "sim/kinds/io/io_job.h"
#include "sim/kinds/matmul/matmul.h"
#include "sim/kinds/pipeline/pipeline.h"
#include "sim/kinds/serving/inference.h"
#include "sim/kinds/training/training.h"
#include "sim/kinds/transfers/transfers.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

template <class Kind>
void check_itself(const Kind& keys, const Scenario& scenario) {
  if constexpr (requires { check_kind(keys, scenario); })
    check_kind(keys, scenario);
  else
    simulate_kind(keys, scenario);
}

}  // namespace

void check_ways(const Scenario& scenario) {
  std::visit([&](const auto& keys) { check_itself(keys, scenario); }, scenario.workload.of_kind);
}

}  // namespace gpufeed
