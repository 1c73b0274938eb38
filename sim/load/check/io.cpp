// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/load/csv/access_log.h"
#include "sim/model/scenario.h"

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

}  // namespace gpufeed
