// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sim/load/read/front_door.h"

namespace gpufeed {

/// What a scenario may have at a path of keys, as `fields()` of the types on its way say.
struct KeyAt {
  bool known = false;
  std::string_view entry;  ///< the catalog's kind of entry, where one stands there
  bool list = false;       ///< an array or tables by name
};

/// \param keys  such as store, nas, model; an array's elements are passed over
KeyAt key_at(std::span<const std::string> keys);

/// The tables of a scenario that stand where an entry of the catalog may be named, by their place:
/// "store.nas.model".
std::map<std::string, toml::table*> entry_tables(toml::table& scenario);

}  // namespace gpufeed
