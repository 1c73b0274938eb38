// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "reports/study/sweep_store.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What `--shard` says: I/N; or auto, by what the scheduler told this process: the array of Slurm,
/// and in it the rank of Open MPI or of a step of Slurm; the array of SGE. Arrays of PBS and
/// indexed jobs of Kubernetes tell no count: auto/N. All points without the option. Variables:
/// sbatch(1), srun(1), mpirun(1) of Open MPI 4, qsub(1) of SGE and of PBS Pro,
/// kubernetes.io/docs/concepts/workloads/controllers/job.
/// \throws UsageError  where it is neither, or no scheduler told
Shard shard_of(const std::optional<std::string>& given, const Options& options);

}  // namespace gpufeed::cli
