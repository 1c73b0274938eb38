// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// Lines of a matrix as people paste it, without colors, bars, quotation and the command.
std::vector<std::string> topo_lines(std::string_view text);

}  // namespace gpufeed
