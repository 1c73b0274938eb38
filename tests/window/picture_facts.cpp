// SPDX-License-Identifier: Apache-2.0
// picture_facts FILE         prints width, height, how many colors a picture has and how bright it
// is,
//                            of 255: "1600x1000 213 38". The picture is a PNG, or what Xvfb keeps
//                            of its screen (XWD, 32 bits a pixel).
// picture_facts FILE OTHER   prints how many of 1,000 pixels of two PNG are clearly of other
// colors;
//                            1000 where their sizes differ
#include <fmt/format.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// A PNG's pixels, three bytes each.
struct Pixels {
  int width = 0, height = 0;
  unsigned char* rgb = nullptr;

  explicit Pixels(const char* file) {
    int channels = 0;
    rgb = stbi_load(file, &width, &height, &channels, 3);
  }
  ~Pixels() { stbi_image_free(rgb); }
  Pixels(const Pixels&) = delete;
  Pixels& operator=(const Pixels&) = delete;
  std::size_t count() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

int unlike(const Pixels& one, const Pixels& other) {
  constexpr int kClearly = 48;  // more than how edges of letters are smoothed
  if (one.width != other.width || one.height != other.height) return 1000;
  std::size_t others = 0;
  for (std::size_t i = 0; i < one.count(); ++i) {
    int most = 0;
    for (std::size_t c = 3 * i; c < 3 * i + 3; ++c)
      most = std::max(most, std::abs(one.rgb[c] - other.rgb[c]));
    others += most > kClearly ? 1 : 0;
  }
  return static_cast<int>(1000 * others / std::max<std::size_t>(1, one.count()));
}

}  // namespace

int main(int count, char** values) {
  if (count == 2) {
    std::ifstream in(values[1], std::ios::binary);
    if (tell_xwd({std::istreambuf_iterator<char>(in), {}})) return 0;
  }
  if (count == 3) {
    const Pixels one(values[1]), other(values[2]);
    if (one.rgb && other.rgb) {
      fmt::print("{}\n", unlike(one, other));
      return 0;
    }
  }
  const Pixels pixels(count == 2 ? values[1] : "");
  if (!pixels.rgb) {
    fmt::print(stderr, "cannot be read as a picture\n");
    return 2;
  }
  Facts facts;
  for (std::size_t i = 0; i < pixels.count(); ++i)
    facts.add(pixels.rgb[3 * i], pixels.rgb[3 * i + 1], pixels.rgb[3 * i + 2]);
  facts.print(static_cast<std::uint32_t>(pixels.width), static_cast<std::uint32_t>(pixels.height));
  return 0;
}
