// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

/// The machines as graphs for Graphviz (`dot -Tsvg`), one after the other: an arrow for each
/// direction in which something travels, its load as label, color and width; a line without
/// where nothing does.
std::string to_dot(const std::vector<Result>& results);

}  // namespace gpufeed
