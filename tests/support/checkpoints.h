// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/edits.h"
#include "tests/support/random_machine.h"

/// Machines that save checkpoints, to be computed by hand.
namespace gpufeed::systems {

inline constexpr double kLink = 1e-6;    ///< latency of each link of the machines here
inline constexpr double kWrite = 1e9;    ///< of each drive
inline constexpr double kGpuBus = 1e11;  ///< of each GPU
inline constexpr double kSize = 4e9;

/// Four GPUs that never wait, two drives.
RandomMachine checkpointed_machine();

Checkpoint checkpoint_every(std::int64_t steps);

Scenario saved_every(std::int64_t steps, const RandomMachine& m = checkpointed_machine());

/// Drives that all read and write so fast.
void set_drives(Scenario& scenario, double read, double write);

void set_array_write(Scenario& scenario, double rate);

/// Who writes, and where to.
void draw_writing(Scenario& scenario, Checkpoint& checkpoint, Random& random);

/// One GPU that waits for one drive, which four workers keep reading.
Scenario starving(double read, double write);

}  // namespace gpufeed::systems
