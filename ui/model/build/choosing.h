// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "ui/model/build/parts.h"
#include "ui/model/build/requested_machine.h"

namespace gpufeed::ui {

/// A product that is to be chosen from the catalog, and what becomes of the scenario then.
struct Choosing {
  std::string kind;     ///< of catalog entries
  std::string heading;  ///< "Another product for ssd0-ssd3"
  std::string now;      ///< the product in its place; empty where there is none
  /// The scenario's text with another product. \throws InputError  where it cannot take it
  std::function<std::string(const std::string& text, const std::string& product)> with;
  bool begins = false;  ///< a new scenario: nothing to compare with
};

/// Parts of a machine that the catalog, or the file, lists.
Choosing choosing_for(const PartGroup& parts);
/// The `index`-th product of a kind in a chassis; one more where it is behind the last.
Choosing choosing_for(const RequestedParts& parts, std::size_t index);
/// What a key names, such as workload.dataset.
Choosing choosing_for_key(const std::string& kind, const std::string& heading,
                          const std::string& path, const std::string& now);
/// A chassis to fill ("server"), or a whole machine ("system"), for a new scenario.
Choosing choosing_to_begin(const std::string& kind, const Catalog& catalog);

}  // namespace gpufeed::ui
