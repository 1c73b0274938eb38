// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpufeed {

/// What a scenario may have at a path of keys, as `fields()` of the types on its way say.
struct KeyAt {
  bool known = false;
  std::string_view entry;  ///< the catalog's kind of entry, where one stands there
  bool list = false;       ///< an array or tables by name
};

/// \param keys  such as store, nas, model; an array's elements are passed over
KeyAt key_at(std::span<const std::string> keys);

}  // namespace gpufeed
