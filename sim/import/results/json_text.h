// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gpufeed {

struct JsonWithin {
  nlohmann::json root;   ///< discarded: it is not whole
  std::size_t line = 1;  ///< on which it begins
};

/// What stands from the first brace to the last one: programs print other lines around it.
JsonWithin json_within(std::string_view text);

/// Text as it is, other values as JSON writes them.
std::string plain_text(const nlohmann::json& value);

}  // namespace gpufeed
