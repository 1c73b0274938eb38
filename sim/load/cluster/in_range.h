// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <variant>

#include "sim/load/read/forms.h"

namespace gpufeed {

/// Whether what was read from elsewhere than TOML may stand at a key.
template <class M>
bool in_range(const Rule<M>& rule, const M& value) {
  if constexpr (std::same_as<typename Rule<M>::Bound, std::monostate>)
    return true;
  else if constexpr (IsOptional<M>::value)
    return rule.allows(*value);
  else
    return rule.allows(value);
}

}  // namespace gpufeed
