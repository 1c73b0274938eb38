// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "sim/base/diagnostics.h"

namespace gpufeed {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Taken for progress by libFuzzer, as newly covered code is: inputs that are refused in other
/// words. The only progress it sees where the code is not instrumented. The first is of inputs that
/// pass.
__attribute__((section("__libfuzzer_extra_counters"))) inline std::array<std::uint8_t, 4096> said{};

/// Of a message without what it quotes: its numbers, and where it stands.
inline std::size_t kind_of_message(std::string_view message) {
  std::size_t hash = 0;
  for (const char letter : message)
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
      hash = 31 * hash + static_cast<unsigned char>(letter);
  return 1 + hash % (said.size() - 1);
}

/// Input may be refused; all else that is thrown is a fault.
template <class Read>
void read_or_refuse(Read read) {
  try {
    read();
    said[0] = 1;
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) said[kind_of_message(sentence(problem))] = 1;
  }
}

}  // namespace gpufeed
