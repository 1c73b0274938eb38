// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed {

/// What became of a part that was found.
enum class PartState { in_system, asked };

/// A part of the machine, in words.
struct PartText {
  std::string id;
  std::string what;
  PartState state = PartState::in_system;  ///< asked: a comment of the file until it is answered
};

/// Each line of the text as a comment of TOML.
std::string commented(const std::string& text);

}  // namespace gpufeed
