// SPDX-License-Identifier: Apache-2.0
// picture_facts FILE   prints width, height, how many colors a picture has and how bright it is, of
// 255: "1600x1000 213 38". The picture is a PNG, or what Xvfb keeps of its screen (XWD, 32 bits a
// pixel).
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

class Facts {
 public:
  void add(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
    colors_.insert(red << 16U | green << 8U | blue);
    light_ += red + green + blue;
    ++pixels_;
  }
  void print(std::uint32_t width, std::uint32_t height) const {
    fmt::print("{}x{} {} {}\n", width, height, colors_.size(), light_ / 3 / pixels_);
  }

 private:
  std::set<std::uint32_t> colors_;
  std::uint64_t light_ = 0;
  std::uint64_t pixels_ = 0;
};

/// \return whether `file` was one
bool tell_xwd(const std::string& file) {
  enum { header_size, version, width = 4, height = 5, order = 7, bits = 11, line, colors = 19 };
  constexpr std::size_t kWords = 25;
  if (file.size() < 4 * kWords || word(file, version) != 7 || word(file, bits) != 32 ||
      word(file, order) != 0)
    return false;
  const std::size_t start = word(file, header_size) + std::size_t{12} * word(file, colors);
  Facts facts;
  for (std::size_t y = 0; y < word(file, height); ++y)
    for (std::size_t x = 0; x < word(file, width); ++x) {
      const auto* const pixel = reinterpret_cast<const unsigned char*>(file.data()) + start +
                                y * word(file, line) + 4 * x;
      facts.add(pixel[2], pixel[1], pixel[0]);
    }
  facts.print(word(file, width), word(file, height));
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
  Facts facts;
  const auto pixel_count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  for (std::size_t i = 0; i < pixel_count; ++i)
    facts.add(pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]);
  facts.print(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
  stbi_image_free(pixels);
  return 0;
}
