// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/decode_probe.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "calib/probes/loading.h"
#include "calib/probes/stopwatch.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr int kFiles = 8;

[[noreturn]] void fail(const std::string& what) {
  throw InputError({{{"this machine", 0, 0}, fmt::format("{}: {}", what, std::strerror(errno))}});
}

fs::path file_of(const fs::path& folder, std::int64_t number) {
  return folder / fmt::format("sample-{}", number % kFiles);
}

/// \return bytes of one in a batch
std::size_t make_samples(const DecodeTest& test, const fs::path& folder, DecodePoint& point) {
  std::size_t largest = 0;
  for (int i = 0; i < kFiles; ++i) {
    const std::string sample = make_sample(test.codec.value_or(Codec::npz), test.width, test.height,
                                           test.detail, static_cast<std::uint64_t>(i) + 1);
    std::ofstream out(file_of(folder, i), std::ios::binary);
    if (!(out << sample << std::flush)) fail("cannot write " + file_of(folder, i).string());
    point.stored.value += static_cast<double>(sample.size()) / kFiles;
    std::vector<std::uint8_t> decoded;
    if (test.codec && !decode_sample(*test.codec, sample, decoded))
      fail("a made sample is damaged");
    largest = std::max(largest, test.codec ? decoded.size() : sample.size());
  }
  return largest;
}

}  // namespace

DecodePoint measure_decoding(const DecodeTest& test, const fs::path& folder) {
  DecodePoint point;
  point.test = test;
  LoadingSetup setup;
  setup.codec = test.codec;
  setup.batch = test.batch;
  setup.workers = test.workers;
  setup.sample_size = make_samples(test, folder, point);
  point.decoded = {static_cast<double>(setup.sample_size) * test.batch};
  Loading loading(setup);
  constexpr std::int64_t kNoEnd = std::int64_t{1} << 40;
  loading.start([&](std::int64_t place) { return file_of(folder, place); }, kNoEnd);
  loading.go();
  const std::int64_t warm = std::int64_t{test.workers} * setup.prefetch;
  const Stopwatch watch;
  std::int64_t number = 0;
  for (; number < 2 * warm || watch.by_clock() < test.each; ++number) {
    const TakenBatch taken = loading.take(number);
    if (number < warm) continue;
    point.of_sample += taken.work.of_core;
    point.of_sample_read += taken.work.of_core_read;
    point.of_sample_wall += taken.work.by_clock;
    point.of_batch_taken += taken.copied;
  }
  point.samples = (number - warm) * test.batch;
  for (Seconds* sum : {&point.of_sample, &point.of_sample_read, &point.of_sample_wall})
    *sum = *sum / static_cast<double>(point.samples);
  point.of_batch_taken = point.of_batch_taken / static_cast<double>(number - warm);
  return point;
}

}  // namespace gpufeed
