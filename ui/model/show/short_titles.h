// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed::ui {

/// A product's title, and what still names it where there is less room, each shorter than the one
/// before: without what follows a comma or stands in parentheses, then without the maker, then
/// without its size.
std::vector<std::string> short_titles(std::string_view title);

}  // namespace gpufeed::ui
