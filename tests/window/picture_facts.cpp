// SPDX-License-Identifier: Apache-2.0
// picture_facts FILE   prints width, height and how many colors a picture has: "1600x1000 213".
#include <fmt/format.h>
#include <stb/stb_image.h>

#include <cstdio>
#include <set>

int main(int count, char** values) {
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
