// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gpufeed {

/// A screen as `to_text` writes it, for a terminal that shows colors: what the bars say by letters
/// they say by color as well (ECMA-48, 256 colors as xterm has them), and what holds the machine
/// back and warnings are bold. Without the control sequences it is the same text.
std::string colored(std::string_view screen);

}  // namespace gpufeed
