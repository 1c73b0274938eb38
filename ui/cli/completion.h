// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/nearest.h"

namespace gpufeed::cli {

/// The shells that `completion_for` knows.
const Names& completed_shells();

/// What `shell` reads to complete verbs and options of gpufeed.
std::string completion_for(const std::string& shell);

}  // namespace gpufeed::cli
