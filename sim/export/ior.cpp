// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/export/storage_load.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// It takes multiples of eight bytes alone.
double transfer_of(const StorageLoad& load) {
  constexpr double kAccess = 8;
  return std::ceil(load.request.value / kAccess) * kAccess;
}

/// A task has one file; what a reader has in several is in one, its order told by -z.
/// \source  IOR's user guide: options
std::string line_of(const StorageLoad& load) {
  const double transfer = transfer_of(load);
  const double bytes = load.file.value * static_cast<double>(load.files);
  const double blocks = std::max(1.0, std::ceil(bytes / transfer));
  std::string out =
      fmt::format("mpirun -np {} ior -a POSIX -F -t {} -b {}", load.nodes * load.readers,
                  whole_bytes(transfer), whole_bytes(blocks * transfer));
  if (load.direct) out += " --posix.odirect";
  return out;
}

}  // namespace

ToolText ior_text(const ExportSource& source) {
  const StorageLoad load = storage_load(ExportTool::ior, source);
  ToolText out = load.notes;
  if (load.read_share > 0 && load.read_share < 1)
    throw InputError({{source.scenario.workload.where,
                       "workload.io.read_share mixes reads and writes, and a phase of ior does one "
                       "of them: export fio or elbencho, or a read share of 0 % or 100 %",
                       ProblemCode::conflict, KeyPath("workload.io.read_share")}});
  if (load.depth > 1)
    out.left_out.push_back(fmt::format(
        "workload.io.queue_depth = {}: a task of its POSIX interface has one request under way",
        load.depth));
  if (transfer_of(load) != load.request.value)
    out.left_out.push_back(fmt::format("requests of {} B: it takes multiples of eight, here {}",
                                       whole_bytes(load.request.value),
                                       whole_bytes(transfer_of(load))));
  if (load.gpudirect)
    out.left_out.emplace_back("data.path = \"gpudirect\": it reads into host memory");
  if (load.files > 1)
    out.left_out.push_back(
        fmt::format("{} files of {} B of each reader: a task has one as large as all of them",
                    load.files, whole_bytes(load.file.value)));
  const std::string line = line_of(load);
  const std::string where = " -o \"$DIR/gpufeed\"\n";
  std::string text = "DIR=${DIR:-/mnt/data}   # where the files lie\n";
  if (load.nodes > 1)
    text += fmt::format("# {} tasks on each of {} hosts; -C reads what another host wrote\n",
                        load.readers, load.nodes);
  const std::string other = load.nodes > 1 ? " -C" : "";
  const std::string order = load.random ? " -z" : "";
  if (load.saves)
    text += fmt::format("{} -w -r -e -i {}{}{}", line, load.repeat, other, where);
  else if (load.read_share > 0)
    text += fmt::format("{} -w -e -k{}{} -r -k{}{}{}", line, where, line, order, other, where);
  else
    text += fmt::format("{} -w -k{}{}", line, order, where);
  out.text = text;
  return out;
}

}  // namespace gpufeed
