// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/text_input.h"

#include <fmt/format.h>

namespace gpufeed {

std::string in_quotes(const std::string& value) {
  constexpr std::size_t kLongest = 60;
  if (value.size() <= kLongest) return fmt::format("\"{}\"", value);
  std::size_t cut = kLongest;
  while ((static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("\"{}...\"", value.substr(0, cut));
}

}  // namespace gpufeed
