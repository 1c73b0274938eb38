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

std::string in_quotes(const std::string& value) {
  constexpr std::size_t kLongest = 60;
  if (value.size() <= kLongest) return fmt::format("\"{}\"", value);
  std::size_t cut = kLongest;
  while ((static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("\"{}...\"", value.substr(0, cut));
}

}  // namespace gpufeed
