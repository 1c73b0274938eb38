#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbatch --array=1-8 job.sh    in the folder of the sweep; its shards come there.
#SBATCH --job-name=gpufeed-sweep
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=shard-%a.log
# A task that is requeued, or that runs into its time limit and is sent again, goes on where it was.
exec gpufeed sweep "${SWEEP:-sweep.toml}" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
