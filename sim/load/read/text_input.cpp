// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/text_input.h"

#include <fstream>

namespace gpufeed {
namespace fs = std::filesystem;

std::optional<std::string> read_text_file(const fs::path& file, std::size_t most,
                                          Diagnostics& out) {
  const Location where{file.lexically_normal().string(), 0, 0};
  std::error_code error;
  const auto refuse = [&](const char* why) {
    out.error(where, "{}", why);
    return std::nullopt;
  };
  if (!fs::exists(file, error)) return refuse("there is no such file");
  if (!fs::is_regular_file(file, error)) return refuse("not a regular file");
  const auto size = fs::file_size(file, error);
  if (!error && size > most) {
    out.error(where, "the file is larger than {} MiB", most >> 20);
    return {};
  }
  std::ifstream in(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(error ? most : size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || (!in && !in.eof())) return refuse("the file cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::size_t utf8_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const auto tail = [&](std::size_t i) { return i < rest.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    const bool out_of_range = (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
    return out_of_range ? 0 : 4;
  }
  return 0;
}

std::string in_quotes(const std::string& value) {
  constexpr std::size_t kLongest = 60;
  if (value.size() <= kLongest) return fmt::format("\"{}\"", value);
  std::size_t cut = kLongest;
  while ((static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("\"{}...\"", value.substr(0, cut));
}

}  // namespace gpufeed
