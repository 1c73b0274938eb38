// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/checks.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"

namespace gpufeed {

void check_matmul(const Scenario& scenario, const System& system, Diagnostics& out) {
  const auto& keys = scenario.workload.get<kind::Matmul>();
  const Location& where = scenario.workload.where;
  if (keys.products.empty())
    out.refuse(ProblemCode::missing_key, "workload.product", where,
               " is missing; name a shape: [[workload.product]] with m, n, k");
  if (keys.quantize && keys.precision != "fp8")
    out.refuse(ProblemCode::idle_key, "workload.quantize", where,
               ": products in {} take their inputs as they are; set "
               "workload.precision = \"fp8\", or leave it out",
               keys.precision);
  if (system.gpus.empty() || !system.gpus.front().model) return;  // reported
  const Ref<Gpu>& gpu = system.gpus.front().model;
  const auto needs = [&](bool known, std::string_view what) {
    if (!known)
      out.refuse(ProblemCode::missing_key, "workload", where,
                 ": {} does not say its {}, which a product's time depends on", gpu.name, what);
  };
  needs(gpu->kernels.has_value(), "kernels");
  if (gpu->kernels && *gpu->kernels && (*gpu->kernels)->provenance.basis == Basis::estimate)
    out.refuse(ProblemCode::missing_key, "workload", where,
               ": no product was ever timed on {}, by {}", gpu.name, (*gpu->kernels).name);
  needs(gpu->sms.has_value(), "sms");
  needs(gpu->memory_bandwidth.has_value(), "memory_bandwidth");
  needs(peak_rate(*gpu, keys.precision).has_value(), "peak in " + keys.precision);
}

}  // namespace gpufeed
