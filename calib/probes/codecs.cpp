// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/codecs.h"

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>  // which jpeglib.h needs
#include <cstdlib>
#include <cstring>
#include <random>

#include <jpeglib.h>

namespace gpufeed {
namespace {

constexpr std::size_t kColors = 3;
using Bytes8 = std::vector<std::uint8_t>;

Bytes8 picture(int width, int height, double detail, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(-1, 1);
  constexpr double kMiddle = 128;
  constexpr double kWaves = 70;
  constexpr double kNoise = 55;
  Bytes8 out;
  out.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * kColors);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double wave = std::sin(x * 0.031 + static_cast<double>(seed)) * std::cos(y * 0.027) +
                          0.4 * std::sin((x + 2 * y) * 0.11);
      const double grain = noise(random) * detail;
      for (std::size_t c = 0; c < kColors; ++c) {
        const double value =
            kMiddle + kWaves * wave * (1 - 0.2 * static_cast<double>(c)) + kNoise * grain;
        out.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
      }
    }
  return out;
}

std::string jpeg_of(Bytes8 pixels, int width, int height) {
  constexpr int kQuality = 90;
  jpeg_compress_struct coder{};
  jpeg_error_mgr errors{};
  coder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&coder);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&coder, &memory, &size);
  coder.image_width = static_cast<JDIMENSION>(width);
  coder.image_height = static_cast<JDIMENSION>(height);
  coder.input_components = kColors;
  coder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&coder);
  jpeg_set_quality(&coder, kQuality, TRUE);
  jpeg_start_compress(&coder, TRUE);
  while (coder.next_scanline < coder.image_height) {
    JSAMPROW row = &pixels[coder.next_scanline * static_cast<std::size_t>(width) * kColors];
    jpeg_write_scanlines(&coder, &row, 1);
  }
  jpeg_finish_compress(&coder);
  std::string out(reinterpret_cast<char*>(memory), size);
  jpeg_destroy_compress(&coder);
  std::free(memory);
  return out;
}

/// What a user's files may hold is no picture of a loader's.
bool too_large(double width, double height) {
  constexpr double kMostPixels = 1 << 28;
  return width * height > kMostPixels;
}

/// libjpeg's own way out of damage ends the process.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf damaged;
};

void leave(j_common_ptr coder) {
  std::longjmp(reinterpret_cast<JpegErrors*>(coder->err)->damaged, 1);
}
void say_nothing(j_common_ptr) {}

bool decode_jpeg(std::string_view sample, Bytes8& out) {
  jpeg_decompress_struct coder{};
  JpegErrors errors{};
  coder.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = leave;
  errors.base.output_message = say_nothing;
  jpeg_create_decompress(&coder);
  if (setjmp(errors.damaged) != 0) {
    jpeg_destroy_decompress(&coder);
    return false;
  }
  jpeg_mem_src(&coder, reinterpret_cast<const unsigned char*>(sample.data()), sample.size());
  const bool good = jpeg_read_header(&coder, TRUE) == JPEG_HEADER_OK &&
                    !too_large(coder.image_width, coder.image_height);
  if (good) {
    coder.out_color_space = JCS_RGB;
    jpeg_start_decompress(&coder);
    const std::size_t row_size = coder.output_width * kColors;
    out.resize(row_size * coder.output_height);
    while (coder.output_scanline < coder.output_height) {
      JSAMPROW row = &out[coder.output_scanline * row_size];
      jpeg_read_scanlines(&coder, &row, 1);
    }
    jpeg_finish_decompress(&coder);
  }
  jpeg_destroy_decompress(&coder);
  return good;
}

png_image png_head(int width, int height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  return image;
}

std::string png_of(const Bytes8& pixels, int width, int height) {
  png_image image = png_head(width, height);
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr);
  std::string out(size, '\0');
  png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0, nullptr);
  return out;
}

bool decode_png(std::string_view sample, Bytes8& out) {
  png_image image = png_head(0, 0);
  if (!png_image_begin_read_from_memory(&image, sample.data(), sample.size())) return false;
  if (too_large(image.width, image.height)) {
    png_image_free(&image);
    return false;
  }
  image.format = PNG_FORMAT_RGB;
  out.resize(PNG_IMAGE_SIZE(image));
  return png_image_finish_read(&image, nullptr, out.data(), 0, nullptr) != 0;
}

/// The bytes and their CRC-32 behind them; a zip's headers are left out, which cost nothing.
std::string npz_of(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random());
  const uLong sum =
      crc32(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(out.size()));
  const auto stored = static_cast<std::uint32_t>(sum);
  out.append(reinterpret_cast<const char*>(&stored), sizeof stored);
  return out;
}

bool decode_npz(std::string_view sample, Bytes8& out) {
  std::uint32_t stored = 0;
  if (sample.size() < sizeof stored) return false;
  const std::size_t size = sample.size() - sizeof stored;
  std::memcpy(&stored, sample.data() + size, sizeof stored);
  out.resize(size);
  std::memcpy(out.data(), sample.data(), size);
  return crc32(0, out.data(), static_cast<uInt>(size)) == stored;
}

}  // namespace

std::string name_of_codec(ProbedCodec codec) {
  return codec == ProbedCodec::jpeg ? "jpeg" : codec == ProbedCodec::png ? "png" : "npz";
}

std::string make_sample(ProbedCodec codec, int width, int height, double detail,
                        std::uint64_t seed) {
  if (codec == ProbedCodec::npz)
    return npz_of(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * kColors,
                  seed);
  const Bytes8 pixels = picture(width, height, detail, seed);
  return codec == ProbedCodec::jpeg ? jpeg_of(pixels, width, height)
                                    : png_of(pixels, width, height);
}

bool decode_sample(ProbedCodec codec, std::string_view sample, std::vector<std::uint8_t>& out) {
  if (codec == ProbedCodec::jpeg) return decode_jpeg(sample, out);
  return codec == ProbedCodec::png ? decode_png(sample, out) : decode_npz(sample, out);
}

std::optional<ProbedCodec> codec_of_picture(std::string_view file) {
  if (file.starts_with("\xff\xd8\xff")) return ProbedCodec::jpeg;
  if (file.starts_with("\x89PNG\r\n\x1a\n")) return ProbedCodec::png;
  return {};
}

std::string library_of_codec(ProbedCodec codec) {
  constexpr int kThousand = 1000;
  constexpr int kMillion = 1000000;
  if (codec == ProbedCodec::jpeg)
    return fmt::format("libjpeg-turbo {}.{}.{}", LIBJPEG_TURBO_VERSION_NUMBER / kMillion,
                       LIBJPEG_TURBO_VERSION_NUMBER / kThousand % kThousand,
                       LIBJPEG_TURBO_VERSION_NUMBER % kThousand);
  if (codec == ProbedCodec::png) return fmt::format("libpng {}", PNG_LIBPNG_VER_STRING);
  return fmt::format("zlib {}", zlibVersion());
}

std::string codec_versions() {
  return fmt::format("{}, {}, {}", library_of_codec(ProbedCodec::jpeg),
                     library_of_codec(ProbedCodec::png), library_of_codec(ProbedCodec::npz));
}

}  // namespace gpufeed
