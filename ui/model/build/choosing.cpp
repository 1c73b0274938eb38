// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/choosing.h"

#include <fmt/format.h>

#include "sim/base/join_ids.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "ui/model/build/new_machine.h"

namespace gpufeed::ui {

Choosing choosing_for(const PartGroup& parts) {
  return {parts.kind,
          fmt::format("Another product for {} ({})", join_ids(parts.ids), parts.ids.size()),
          parts.product,
          [parts](const std::string& text, const std::string& product) {
            return with_product(text, parts, product);
          },
          false};
}

Choosing choosing_for(const RequestedParts& parts, std::size_t index) {
  const bool more = index >= parts.parts.size();
  const std::string heading = more ? "What to add" : "Another product for " + parts.key;
  return {parts.kind, heading, more ? "" : parts.parts[index].product,
          [parts, index](const std::string& text, const std::string& product) {
            RequestedParts changed = parts;
            if (index < changed.parts.size())
              changed.parts[index].product = product;
            else
              changed.parts.push_back({changed.usual, product});
            return with_parts(text, changed);
          },
          false};
}

Choosing choosing_for_key(const std::string& kind, const std::string& heading,
                          const std::string& path, const std::string& now) {
  return {kind, heading, now,
          [path](const std::string& text, const std::string& product) {
            return with_value(text, own_path(path), toml_string(product));
          },
          false};
}

Choosing choosing_to_begin(const std::string& kind, const Catalog& catalog) {
  const bool chassis = kind == "server";
  return {
      kind,
      chassis ? "Build a machine: choose what it goes into" : "Start from a machine as it is sold",
      "",
      [chassis, catalog](const std::string&, const std::string& product) {
        return chassis ? scenario_of_chassis(product, catalog)
                       : scenario_of_system(product, catalog);
      },
      true};
}

}  // namespace gpufeed::ui
