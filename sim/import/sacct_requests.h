// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// Output of `sacct --parsable2` as a log of jobs for `gpufeed requests`: a line for each job that
/// ended, with what it asked for (ReqMem, Timelimit, gres/gpu) and used (MaxRSS, the largest of its
/// steps; End - Start), its name, user, partition, cores and nodes, and when it was submitted and
/// ended. A MaxRSS is of one task: of steps with several, each is taken to have as much.
/// \source  sacct(1) of Slurm
std::string requests_of_sacct(std::string_view text, const std::string& name, Diagnostics& out);

}  // namespace gpufeed
