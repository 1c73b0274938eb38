// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "sim/export/storage_load.h"
#include "sim/import/fio/fio_file.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr int kSeconds = 60;  ///< of a job that ends by time, which no scenario says

std::string direction(const StorageLoad& load) {
  const std::string random = load.random ? "rand" : "";
  if (load.read_share >= 1) return random + "read";
  if (load.read_share <= 0) return random + "write";
  return random + "rw";
}

/// What fio calls the engine, and the options that go with it.
void add_engine(const StorageLoad& load, FioOptions& out) {
  switch (load.engine) {
    case IoEngine::io_uring_polled:
      out.insert(
          out.end(),
          {{"ioengine", "io_uring"}, {"hipri", "1"}, {"fixedbufs", "1"}, {"registerfiles", "1"}});
      return;
    default:
      out.push_back({"ioengine", std::string(name_of(load.engine))});
  }
}

FioOptions options_of(const StorageLoad& load) {
  FioOptions out;
  add_engine(load, out);
  out.push_back({"rw", direction(load)});
  if (load.read_share > 0 && load.read_share < 1)
    out.push_back({"rwmixread", fmt::format("{:.0f}", load.read_share * 100)});
  out.push_back({"bs", whole_bytes(load.request.value)});
  out.push_back({"direct", load.direct ? "1" : "0"});
  out.push_back({"iodepth", std::to_string(load.depth)});
  if (load.batch > 1) out.push_back({"iodepth_batch_submit", std::to_string(load.batch)});
  out.push_back({"numjobs", std::to_string(load.readers)});
  out.push_back({"filesize", whole_bytes(load.file.value)});
  if (load.files > 1) {
    out.push_back({"nrfiles", std::to_string(load.files)});
    out.push_back({"openfiles", "1"});
    out.push_back({"file_service_type", load.random ? "random" : "sequential"});
  }
  return out;
}

/// Jobs of a file of ours.
FioFile fresh_file(const StorageLoad& load) {
  FioFile file;
  FioOptions options = options_of(load);
  options.push_back({"group_reporting", "1"});
  if (load.timed) {
    options.push_back({"time_based", "1"});
    options.push_back({"runtime", std::to_string(kSeconds)});
  }
  if (!load.saves) {
    file.sections.push_back({"gpufeed", options});
    return file;
  }
  std::erase_if(options, [](const FioOption& one) { return one.name == "rw"; });
  options.push_back({"filename_format", "rank.$jobnum.$filenum"});
  options.push_back({"loops", std::to_string(load.repeat)});
  file.sections = {{"global", options},
                   {"save", {{"rw", "write"}, {"end_fsync", "1"}}},
                   {"load", {{"stonewall", "1"}, {"rw", "read"}}}};
  return file;
}

}  // namespace

ToolText fio_text(const ExportSource& source, const std::optional<ExportPattern>& pattern) {
  const StorageLoad load = storage_load(ExportTool::fio, source);
  ToolText out = load.notes;
  if (source.scenario.workload.is<kind::Io>())
    out.said.insert(out.said.end(), {"workload.io.engine", "workload.io.batch"});
  if (load.engine == IoEngine::spdk)
    out.left_out.emplace_back("the engine spdk is SPDK's own, which fio loads by LD_PRELOAD");
  if (load.nodes > 1)
    out.left_out.push_back(
        fmt::format("{} nodes at once: start it on each (fio --client)", load.nodes));
  if (load.gpudirect)
    out.left_out.emplace_back(
        "data.path = \"gpudirect\": fio's engine libcufile, where it was built in, reads into "
        "GPUs");
  if (pattern) {
    FioFile file = parse_fio_file(pattern->text, pattern->name);
    FioOptions wanted = options_of(load);
    if (load.endless) {
      std::erase_if(wanted, [](const FioOption& one) { return one.name == "filesize"; });
      out.chosen.clear();
    }
    fit(file, wanted, pattern->name);
    out.text = text_of(file);
    return out;
  }
  if (load.timed) out.chosen.push_back(fmt::format("{} seconds (runtime)", kSeconds));
  out.text = "# Where the files lie: fio --directory=/mnt/data FILE\n" + text_of(fresh_file(load));
  return out;
}

}  // namespace gpufeed
