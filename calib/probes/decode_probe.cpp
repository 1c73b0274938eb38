// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/decode_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/file_reader.h"
#include "calib/probes/loading.h"
#include "calib/probes/stopwatch.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw InputError({{{"this machine", 0, 0}, fmt::format("{}: {}", what, std::strerror(errno))}});
}

ProbedCodec stored_as(const DecodeTest& test) { return test.codec.value_or(ProbedCodec::npz); }

fs::path file_of(const DecodeTest& test, const fs::path& folder, std::int64_t number) {
  return folder / fmt::format("{}-{}x{}-{:g}-{}", name_of_codec(stored_as(test)), test.width,
                              test.height, test.detail, number % kDecodedFiles);
}

/// Made once: the tests of several workers, and those of samples as stored, find them again.
std::string sample_of(const DecodeTest& test, const fs::path& folder, int number) {
  const fs::path path = file_of(test, folder, number);
  if (std::ifstream in(path, std::ios::binary); in) return {std::istreambuf_iterator<char>(in), {}};
  std::string sample = make_sample(stored_as(test), test.width, test.height, test.detail,
                                   static_cast<std::uint64_t>(number) + 1);
  std::ofstream out(path, std::ios::binary);
  if (!(out << sample << std::flush)) fail("cannot write " + path.string());
  return sample;
}

/// \return bytes of one in a batch
std::size_t make_samples(const DecodeTest& test, const fs::path& folder, DecodePoint& point) {
  std::size_t largest = 0;
  for (int i = 0; i < kDecodedFiles; ++i) {
    const std::string sample = sample_of(test, folder, i);
    point.stored.value += static_cast<double>(sample.size()) / kDecodedFiles;
    std::vector<std::uint8_t> decoded;
    if (test.codec && !decode_sample(*test.codec, sample, decoded))
      fail("a made sample is damaged");
    largest = std::max(largest, test.codec ? decoded.size() : sample.size());
  }
  return largest;
}

/// Adds what batches of these files take to `point`, whose test says by how many workers.
void time_batches(const LoadingSetup& setup, const Loading::FileOf& file_of, DecodePoint& point) {
  const DecodeTest& test = point.test;
  Loading loading(setup);
  constexpr std::int64_t kNoEnd = std::int64_t{1} << 40;
  loading.start(file_of, kNoEnd);
  loading.go();
  const std::int64_t warm = std::int64_t{test.workers} * setup.prefetch;
  const Stopwatch watch;
  std::vector<Seconds> of_workers(static_cast<std::size_t>(test.workers));
  std::int64_t number = 0;
  // as many batches of each worker
  for (; number < 2 * warm || number % test.workers != 0 || watch.by_clock() < test.each;
       ++number) {
    const TakenBatch taken = loading.take(number);
    if (number < warm) continue;
    point.of_sample += taken.work.of_core;
    point.of_sample_read += taken.work.of_core_read;
    of_workers[static_cast<std::size_t>(number % test.workers)] +=
        taken.work.of_core - taken.work.of_core_read;
    point.of_sample_wall += taken.work.by_clock;
    point.of_batch_taken += taken.copied;
  }
  point.samples = (number - warm) * test.batch;
  point.of_sample_slowest = std::ranges::max(of_workers) / (static_cast<double>(point.samples) /
                                                            static_cast<double>(test.workers));
  for (Seconds* sum : {&point.of_sample, &point.of_sample_read, &point.of_sample_wall})
    *sum = *sum / static_cast<double>(point.samples);
  point.of_batch_taken = point.of_batch_taken / static_cast<double>(number - warm);
}

LoadingSetup setup_of(const DecodeTest& test, std::size_t sample_size) {
  LoadingSetup setup;
  setup.codec = test.codec;
  setup.batch = test.batch;
  setup.workers = test.workers;
  setup.sample_size = sample_size;
  return setup;
}

}  // namespace

DecodePoint measure_decoding(const DecodeTest& test, const fs::path& folder) {
  DecodePoint point;
  point.test = test;
  const LoadingSetup setup = setup_of(test, make_samples(test, folder, point));
  point.decoded = {static_cast<double>(setup.sample_size) * test.batch};
  time_batches(
      setup, [&](std::int64_t place) { return file_of(test, folder, place); }, point);
  return point;
}

Pictures look_into(const std::vector<fs::path>& files, Seconds most_time) {
  constexpr std::int64_t kFewest = 4;
  const Stopwatch watch;
  FileReader reader(false);
  std::vector<std::uint8_t> pixels;
  std::map<ProbedCodec, Pictures> of_codec;
  std::int64_t looked_into = 0;
  for (const fs::path& file : files) {
    throw_if_interrupted();
    if (looked_into >= kFewest && watch.by_clock() > most_time) break;
    ++looked_into;
    const std::string_view stored = reader.read(file);
    const auto codec = codec_of_picture(stored);
    if (!codec) continue;
    Pictures& alike = of_codec[*codec];
    alike.codec = codec;
    if (!decode_sample(*codec, stored, pixels)) {
      ++alike.damaged;
      continue;
    }
    alike.files.push_back(file);
    alike.decoded = std::max(alike.decoded, pixels.size());
  }
  Pictures most;
  for (auto& [codec, alike] : of_codec)
    if (!most.codec || alike.files.size() > most.files.size()) most = std::move(alike);
  most.looked_into = looked_into;
  return most;
}

DecodePoint measure_decoding(const Pictures& pictures, int workers, Seconds each) {
  constexpr double kBatch = 16e6;  // bytes, so that many workers of large pictures find room
  const double most = std::clamp(kBatch / static_cast<double>(pictures.decoded), 1.0, 16.0);
  DecodePoint point;
  point.test.codec = pictures.codec;
  point.test.workers = workers;
  point.test.batch = static_cast<int>(most);
  point.test.each = each;
  const LoadingSetup setup = setup_of(point.test, pictures.decoded);
  point.decoded = {static_cast<double>(setup.sample_size) * point.test.batch};
  const auto count = static_cast<std::int64_t>(pictures.files.size());
  time_batches(
      setup,
      [&](std::int64_t place) { return pictures.files[static_cast<std::size_t>(place % count)]; },
      point);
  return point;
}

}  // namespace gpufeed
