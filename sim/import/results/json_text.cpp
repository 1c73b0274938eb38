// SPDX-License-Identifier: Apache-2.0
#include "sim/import/results/json_text.h"

#include <algorithm>

namespace gpufeed {

JsonWithin json_within(std::string_view text) {
  const std::size_t from = text.find('{');
  const std::size_t end = text.rfind('}');
  JsonWithin out{nlohmann::json(nlohmann::json::value_t::discarded), 1};
  if (from == std::string_view::npos || end == std::string_view::npos || end < from) return out;
  out.line += static_cast<std::size_t>(std::ranges::count(text.substr(0, from), '\n'));
  out.root = nlohmann::json::parse(text.substr(from, end + 1 - from), nullptr, false);
  return out;
}

std::string plain_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gpufeed
