// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/load/csv/access_log.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"

namespace gpufeed {
namespace {

void load_log(IoJob& io, Diagnostics& out) {
  if (!io.log || io.log->path.empty()) return;
  namespace fs = std::filesystem;
  const bool on_command_line = io.log->where.file.starts_with("--");
  const fs::path folder = on_command_line ? "" : fs::path(io.log->where.file).parent_path();
  io.requests = load_access_log(folder / io.log->path, out);
}

void check_job(IoJob& io, const Scenario& scenario, const System& system, Diagnostics& out) {
  Names sockets;
  for (const auto& socket : system.sockets) sockets.push_back(text_of(socket.id));
  join_part(io.memory, {PartKind::socket}, scenario, system);
  if (io.memory.given() && !io.memory.part)
    out.add(unknown_part(io.memory.where, "workload.io.memory", "socket", text_of(io.memory.id),
                         sockets));
}

}  // namespace

void check_io(Scenario& scenario, const System& system, Diagnostics& out) {
  auto& io = scenario.workload.get<kind::Io>().io;
  if (!io) return;
  load_log(*io, out);
  check_job(*io, scenario, system, out);
}

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
