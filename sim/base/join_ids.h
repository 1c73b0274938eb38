// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed {

/// Ids of parts in words; three or more that are numbered one after the other are a range:
/// "ssd0-ssd3, ssd6".
std::string join_ids(const std::vector<std::string>& ids);

/// The same of parts of several nodes, such as "node3 gpu0", by nodes that have the same ones:
/// "gpu0-gpu6 of node0-node3". Other ids stand as `join_ids` says them.
std::string join_ids_of_nodes(const std::vector<std::string>& ids);

}  // namespace gpufeed
