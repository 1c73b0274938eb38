// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpufeed {

/// FNV-1a, 64 bits: the same on every machine. It shows what was changed by accident or by hand,
/// not what was changed by someone who makes the number fit.
class Fnv {
 public:
  void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3U; }
  void add_bytes(std::string_view bytes) {
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
  }
  /// "ab", "c" is not "a", "bc".
  void add(std::string_view text) {
    add_bytes(text);
    add_byte(0);
  }
  std::uint64_t number() const { return state_; }
  /// Sixteen hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

}  // namespace gpufeed
