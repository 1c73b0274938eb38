// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// `gpufeed import results`, also by the names of the tools. \throws InputError, UsageError
int import_results(const Arguments& arguments);

/// Whether somebody may call it that: elbencho, ior, nvbandwidth, nccl-tests, rccl-tests, darshan.
bool names_results(const std::string& what);

}  // namespace gpufeed::cli
