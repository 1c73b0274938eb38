// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string_view>

#include "sim/load/read/front_door.h"

namespace gpufeed {

/// What a scenario may have at a path of keys, as `fields()` of the types on its way say.
struct KeyAt {
  bool known = false;
  std::string_view entry;       ///< the catalog's kind of entry, where one stands there
  bool list = false;            ///< an array or tables by name
  std::string_view name = {};   ///< of the path's last key, which may be given by its alias
  std::string_view alias = {};  ///< that it has
  std::string_view since = {};  ///< the version since which the alias is old
};

/// \param path  such as store.nas.model; which element of an array is meant does not matter
KeyAt key_at(const KeyPath& path);

/// The tables of a scenario that stand where an entry of the catalog may be named, by their place:
/// store.nas.model.
std::map<KeyPath, toml::table*> entry_tables(toml::table& scenario);

}  // namespace gpufeed
