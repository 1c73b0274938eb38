// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/cluster/document.h"

namespace gpufeed {

/// Jobs that another scheduler has logged.
struct LoggedJobs {
  std::vector<cluster::JobRow> jobs;         ///< the first arrives at 0
  std::map<std::string, int> left_out = {};  ///< rows by the reason
};

/// Output of `sacct --parsable2` (fields apart by |, the first line naming them): JobID, Submit,
/// Start and End are needed; AllocTRES (cpu, mem, gres/gpu), ReqMem, NCPUS, NNodes, Timelimit, User
/// and Partition are taken where they stand. Steps belong to their job. Dates are taken as they
/// are, without a time zone.
/// \source  sacct(1) of Slurm
LoggedJobs parse_sacct(std::string_view text, const std::string& name, Diagnostics& out);

/// The Standard Workload Format: lines of 18 numbers behind those that begin with `;`; -1 is not
/// known. Processors are taken as GPUs, or as cores.
/// \source  Feitelson, Parallel Workloads Archive: Standard Workload Format, version 2.2
LoggedJobs parse_swf(std::string_view text, const std::string& name, bool cores, Diagnostics& out);

}  // namespace gpufeed
