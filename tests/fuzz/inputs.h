// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/diagnostics.h"

namespace gpufeed {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Input may be refused; all else that is thrown is a fault.
template <class Read>
void read_or_refuse(Read read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

}  // namespace gpufeed
