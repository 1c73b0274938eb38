// SPDX-License-Identifier: Apache-2.0
#include "sim/model/fields/old_name.h"

#include <fmt/format.h>

#include "sim/base/printable.h"

namespace gpufeed {

std::string line_of(const OldName& old) {
  return fmt::format("{}: note: {} is called {} since version {}; the old name still works",
                     printable(text(old.where)), printable(text(old.key)), old.name, old.since);
}

}  // namespace gpufeed
