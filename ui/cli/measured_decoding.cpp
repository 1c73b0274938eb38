// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "calib/discover/live.h"
#include "calib/probes/child.h"
#include "calib/probes/core_use.h"
#include "calib/probes/decode_probe.h"
#include "calib/probes/raw.h"
#include "ui/cli/measured_folder.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {
namespace {

constexpr Seconds kEach{2};

/// Hardware threads that this process may run on.
int threads_allowed() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? std::max(1, CPU_COUNT(&allowed)) : 1;
}

/// What of the files that were looked into is not decoded.
std::string not_decoded(const Pictures& pictures) {
  if (!pictures.codec)
    return fmt::format("Of {} files that were looked into none is a JPEG or a PNG.",
                       pictures.looked_into);
  std::vector<std::string> parts;
  if (pictures.damaged > 0)
    parts.push_back(fmt::format("{} could not be decoded", pictures.damaged));
  const auto others = pictures.looked_into - pictures.damaged - std::ssize(pictures.files);
  if (others > 0)
    parts.push_back(
        fmt::format("{} hold something other than {}", others, name_of_codec(*pictures.codec)));
  if (parts.empty()) return "";
  return fmt::format("Of {} files that were looked into: {}.", pictures.looked_into,
                     fmt::join(parts, ", and "));
}

}  // namespace

void measure_decoding(MeasuredFolder& found) {
  const InterruptGuard guard;
  const Pictures pictures = look_into(found.samples.some, kEach);
  found.not_decoded = not_decoded(pictures);
  if (pictures.files.empty()) return;
  const int threads = threads_allowed();
  const int workers = std::max(1, threads / threads_of_core());
  const CoreUse cores;
  const DecodePoint point = gpufeed::measure_decoding(pictures, workers, kEach);
  const double others = cores.taken_by_others();
  if (others > kBusyMachine) complain(fmt::format("  {}\n", others_in_words(others)));
  MeasuredDecoding decoding;
  decoding.of_sample = point.of_sample - point.of_sample_read;
  decoding.load = std::min(
      1.0, static_cast<double>(threads) / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
  decoding.jpeg = pictures.codec == ProbedCodec::jpeg;
  decoding.source = fmt::format(
      "{} to RGB in {} workers, {} samples of {} files, by gpufeed dataset on {}; others took "
      "{:.0f} % of the cores; cropping, resizing and augmenting come on top",
      library_of_codec(*pictures.codec), workers, point.samples, pictures.files.size(),
      machine_in_words(), 100 * others);
  found.decoding = std::move(decoding);
}

}  // namespace gpufeed::cli
