// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/export/storage_load.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// What both phases have in common; files of a thread lie in one folder of its own.
std::string common(const StorageLoad& load) {
  std::string out = fmt::format("elbencho -t {} -n 1 -N {} -s {} -b {}", load.readers, load.files,
                                whole_bytes(load.file.value), whole_bytes(load.request.value));
  if (load.depth > 1) out += fmt::format(" --iodepth {}", load.depth);
  if (load.gpudirect) {
    out += " --gds --gpuids 0";
    for (std::int64_t i = 1; i < load.gpus; ++i) out += fmt::format(",{}", i);
  } else if (load.direct) {
    out += " --direct";
  }
  return out;
}

std::string hosts_of(const StorageLoad& load) {
  return load.nodes > 1 ? fmt::format(" --hosts \"$HOSTS\"") : "";
}

/// Files that are asked for as a whole have nothing random within.
std::string reading(const StorageLoad& load) {
  const bool within = load.random && load.request < load.file;
  return within ? " --rand" : "";
}

}  // namespace

ToolText elbencho_text(const ExportSource& source) {
  const StorageLoad load = storage_load(ExportTool::elbencho, source);
  ToolText out = load.notes;
  if (source.scenario.workload.is<kind::Io>()) out.said.emplace_back("workload.io.engine");
  const bool by_kernel = load.engine == IoEngine::psync || load.engine == IoEngine::libaio;
  if (!by_kernel)
    out.left_out.push_back(fmt::format(
        "workload.io.engine = \"{}\": it takes libaio where more than one request is under way",
        name_of(load.engine)));
  if (load.random && load.request == load.file && load.files > 1)
    out.left_out.emplace_back("the random order of files: each thread reads its own one by one");
  const std::string end = fmt::format("{} \"$DIR\"\n", hosts_of(load));
  std::string text = "DIR=${DIR:-/mnt/data/elbencho}   # where the files lie\n";
  if (load.nodes > 1)
    text += fmt::format(
        "# on each of {0} hosts: elbencho --service\nHOSTS=${{HOSTS:?names of {0} hosts, by "
        "commas}}\n",
        load.nodes);
  text += "mkdir -p \"$DIR\"\n";
  const std::string line = common(load);
  if (load.saves) {
    text += fmt::format("{} -i {} -d -w --sync --dropcache -r{}", line, load.repeat, end);
  } else if (load.read_share >= 1) {
    text +=
        fmt::format("{} -d -w --sync --dropcache{}{} -r{}{}", line, end, line, reading(load), end);
  } else {
    const double percent = std::round(load.read_share * 100);
    text += fmt::format("{} -d -w{}{}{}", line, reading(load),
                        percent > 0 ? fmt::format(" --rwmixpct {:.0f}", percent) : "", end);
    if (percent > 0)
      out.left_out.emplace_back("reads of a mix are of blocks that the same phase wrote before");
  }
  out.text = text;
  return out;
}

}  // namespace gpufeed
