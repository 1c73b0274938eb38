// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

using Names = std::vector<std::string>;

/// The name of `known` that `name` is most likely a misspelling of: edit distance (insert, delete,
/// replace, swap of neighbors) at most a third of its length, or the only one that begins with it.
/// Ties go to the first in `known`.
std::optional<std::string> nearest(std::string_view name, const Names& known);

/// `did you mean "x"?` where a near name exists, else `did you mean one of a, b?` where at most
/// twelve contain it, hyphens and case aside, or share its numbers, such as "4090"; else
/// `known: a, b, c` (at most twelve).
std::string suggestion(std::string_view name, const Names& known);

}  // namespace gpufeed
