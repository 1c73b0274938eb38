// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// What a user is told, to the letter, where `read` refuses its input; else "accepted".
template <class Read>
std::string refusal_of(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace gpufeed
