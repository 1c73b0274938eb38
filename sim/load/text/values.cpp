// SPDX-License-Identifier: Apache-2.0
#include "sim/load/text/values.h"

#include "sim/load/text/text_places.h"

namespace gpufeed {

std::vector<std::optional<std::string>> values_at(std::string_view text,
                                                  const std::vector<KeyPath>& paths) {
  const toml::table root = parsed_text(text);
  const TextPlaces places(text);
  std::vector<std::optional<std::string>> out;
  for (const KeyPath& path : paths) {
    auto& value = out.emplace_back();
    const toml::node* const node = node_at(root, path.steps);
    if (!node) continue;
    const std::size_t begin = places.of(node->source().begin);
    value = text.substr(begin, places.of(node->source().end) - begin);
  }
  return out;
}

}  // namespace gpufeed
