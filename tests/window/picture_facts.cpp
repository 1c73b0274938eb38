// SPDX-License-Identifier: Apache-2.0
// picture_facts FILE   prints width, height and how many colors a picture has: "1600x1000 213". The
// picture is a PNG, or what Xvfb keeps of its screen (XWD, 32 bits a pixel).
#include <fmt/format.h>
#include <stb/stb_image.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace {

/// A big-endian word of the header, by its number in XWDFile.h.
std::uint32_t word(const std::string& file, std::size_t number) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8U | static_cast<unsigned char>(file[4 * number + i]);
  return value;
}

/// \return whether `file` was one
bool tell_xwd(const std::string& file) {
  enum { header_size, version, width = 4, height = 5, bits = 11, line = 12, colors = 19 };
  constexpr std::size_t kWords = 25;
  if (file.size() < 4 * kWords || word(file, version) != 7 || word(file, bits) != 32) return false;
  const std::size_t start = word(file, header_size) + std::size_t{12} * word(file, colors);
  std::set<std::string> found;
  for (std::size_t y = 0; y < word(file, height); ++y)
    for (std::size_t x = 0; x < word(file, width); ++x)
      found.insert(file.substr(start + y * word(file, line) + 4 * x, 3));
  fmt::print("{}x{} {}\n", word(file, width), word(file, height), found.size());
  return true;
}

}  // namespace

int main(int count, char** values) {
  if (count == 2) {
    std::ifstream in(values[1], std::ios::binary);
    if (tell_xwd({std::istreambuf_iterator<char>(in), {}})) return 0;
  }
  int width = 0, height = 0, channels = 0;
  unsigned char* const pixels =
      count == 2 ? stbi_load(values[1], &width, &height, &channels, 3) : nullptr;
  if (!pixels) {
    fmt::print(stderr, "cannot be read as a picture\n");
    return 2;
  }
  std::set<int> colors;
  const auto pixel_count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  for (std::size_t i = 0; i < pixel_count; ++i)
    colors.insert(pixels[3 * i] << 16 | pixels[3 * i + 1] << 8 | pixels[3 * i + 2]);
  fmt::print("{}x{} {}\n", width, height, colors.size());
  stbi_image_free(pixels);
  return 0;
}
