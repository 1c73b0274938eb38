// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/key_path.h"

namespace gpufeed {

/// What stands at each of many paths, as `value_at` says it: the text is read once.
/// \throws InputError  where text is wrong
std::vector<std::optional<std::string>> values_at(std::string_view text,
                                                  const std::vector<KeyPath>& paths);

}  // namespace gpufeed
