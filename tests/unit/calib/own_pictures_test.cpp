// SPDX-License-Identifier: Apache-2.0
// A data set's own files: which are decoded, and what that takes.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "calib/probes/codecs.h"
#include "calib/probes/decode_probe.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

std::vector<std::filesystem::path> jpegs_of(const TemporaryFolder& folder, int width, int height) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < 5; ++i)
    files.push_back(folder.write(
        std::to_string(width) + "-" + std::to_string(i),
        make_sample(ProbedCodec::jpeg, width, height, 0.2, static_cast<std::uint64_t>(i) + 1)));
  return files;
}

}  // namespace

TEST_CASE("of a folder's files those of one codec are decoded, whatever their names say") {
  const TemporaryFolder folder;
  auto files = jpegs_of(folder, 64, 48);
  files.push_back(folder.write("a.jpg", make_sample(ProbedCodec::png, 64, 48, 0.2, 1)));
  files.push_back(folder.write("b.jpg", "\xff\xd8\xff and nothing of a picture"));
  files.push_back(folder.write("c.jpg", "a letter"));
  files.push_back(folder.write("d.jpg", ""));
  const Pictures pictures = look_into(files, Seconds{60});
  CHECK(pictures.codec == ProbedCodec::jpeg);
  CHECK(pictures.files.size() == 5);
  CHECK(pictures.decoded == 64 * 48 * 3);
  CHECK(pictures.looked_into == 9);
  CHECK(pictures.damaged == 1);
}

TEST_CASE("files that are no pictures have no codec, and time ends the look at four") {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < 9; ++i) files.push_back(folder.write(std::to_string(i), "text"));
  const Pictures none = look_into(files, Seconds{0});
  CHECK(!none.codec);
  CHECK(none.files.empty());
  CHECK(none.looked_into == 4);
}

TEST_CASE("a picture that says it is larger than any loader takes is not decoded") {
  std::string picture = make_sample(ProbedCodec::jpeg, 64, 48, 0.2, 1);
  const std::size_t head = picture.find("\xff\xc0");
  REQUIRE(head != std::string::npos);
  for (const std::size_t at : {5U, 6U, 7U, 8U}) picture[head + at] = '\x7f';  // height, width
  std::vector<std::uint8_t> out;
  CHECK(!decode_sample(ProbedCodec::jpeg, picture, out));
  CHECK(out.empty());
}

TEST_CASE("cores take as many times as long for a picture as it has pixels, about") {
  const TemporaryFolder folder;
  const auto time_of = [&](int width, int height) {
    const Pictures pictures = look_into(jpegs_of(folder, width, height), Seconds{60});
    const DecodePoint point = measure_decoding(pictures, 2, Seconds{0.05});
    CHECK(point.samples >= 2);
    CHECK(point.of_sample > point.of_sample_read);
    return point.of_sample - point.of_sample_read;
  };
  const double times = time_of(1024, 768) / time_of(128, 96);
  CHECK(times > 16);  // of 64: what each takes beside its pixels counts in the small one
}
