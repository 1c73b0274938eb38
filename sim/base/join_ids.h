// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed {

/// Ids of parts in words; three or more that are numbered one after the other are a range:
/// "ssd0-ssd3, ssd6".
std::string join_ids(const std::vector<std::string>& ids);

}  // namespace gpufeed
