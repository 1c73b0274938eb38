// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace gpufeed {

/// Puts another number in the place of one of `text`, and leaves its unit: most of what comes out
/// is still a scenario.
inline std::string with_another_number(std::string text, unsigned seed) {
  constexpr std::array<std::string_view, 16> kNumbers{
      "0",      "1",    "2",     "3",   "7",      "16",  "100",  "4096",
      "1e-300", "1e-9", "0.001", "0.5", "99.999", "1e9", "1e15", "1e300"};
  constexpr std::string_view kDigits = "0123456789";
  std::minstd_rand random(seed);
  const std::size_t start = text.find_first_of(kDigits, random() % (text.size() + 1));
  if (start == std::string::npos) return text;
  const std::size_t end = std::min(text.find_first_not_of("0123456789._e", start), text.size());
  return text.replace(start, end - start, kNumbers[random() % kNumbers.size()]);
}

/// Seven of eight times another number, else what libFuzzer does.
inline std::size_t mutate_scenario(std::uint8_t* data, std::size_t size, std::size_t most,
                                   unsigned seed) {
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text =
      with_another_number({reinterpret_cast<const char*>(data), size}, seed).substr(0, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace gpufeed
