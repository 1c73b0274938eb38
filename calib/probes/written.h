// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"

namespace gpufeed {

/// What this process, and those that it started and waited for, have written to file systems that
/// lie on storage, as the kernel counts it: whole pages, when they become dirty or go there.
Bytes written_so_far();

}  // namespace gpufeed
