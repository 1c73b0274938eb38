// SPDX-License-Identifier: Apache-2.0
#include "sim/base/numbers/fnv.h"

#include <fmt/format.h>

namespace gpufeed {

std::string Fnv::text() const { return fmt::format("{:016x}", state_); }

}  // namespace gpufeed
