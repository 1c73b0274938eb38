// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/replay_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <system_error>

#include "calib/probes/child.h"
#include "calib/probes/memory_probe.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNote = "gpufeed-dataset";
constexpr std::int64_t kOfFolder = 1000;

std::optional<ProbedCodec> codec_of(const Scenario& scenario, Diagnostics& out) {
  const Dataset& dataset = *scenario.workload.dataset();
  const std::string name = dataset.decoder ? dataset.decoder->name : "";
  if (scenario.loader.decode == DecodeOn::none || name == "calibrated-bytes") return {};
  for (const ProbedCodec codec : {ProbedCodec::jpeg, ProbedCodec::png, ProbedCodec::npz})
    if (name == "calibrated-" + name_of_codec(codec)) return codec;
  out.error(scenario.workload.where,
            "replay decodes with calibrated-jpeg, calibrated-png or calibrated-npz (gpufeed "
            "calibrate --decode), or not, with calibrated-bytes or loader.decode = \"none\"; the "
            "data set's decoder is \"{}\"",
            name);
  return {};
}

void check(const Scenario& scenario, Diagnostics& out) {
  const auto* emulated = scenario.workload.find<kind::Emulated>();
  if (!emulated || !emulated->job)
    return out.error(scenario.workload.where,
                     "replay runs workload.kind = \"emulated\" with a job: a timer in the GPU's "
                     "place; found kind \"{}\"",
                     name_of(scenario.workload.kind()));
  if (scenario.nodes != 1 || gpus_per_node(scenario) != 1)
    out.error(scenario.workload.where, "replay runs one accelerator on one machine; found {}",
              scenario.nodes * gpus_per_node(scenario));
  if (scenario.loader.style.value != LoaderStyle::pytorch)
    out.error(scenario.where, "replay has PyTorch's loader; loader.style is \"{}\"",
              name_of(scenario.loader.style.value));
  if (scenario.loader.workers_per_gpu.value < 1)
    out.error(scenario.where, "replay needs a worker; loader.workers_per_gpu is 0");
  if (scenario.workload.dataset()->samples_per_file != 1)
    out.error(scenario.workload.where, "replay reads a file a sample; found record files");
}

std::string note_text(const ReplayPlan& plan) {
  return fmt::format("{} {} {}x{} {:.0f}\n", plan.files,
                     plan.codec ? name_of_codec(*plan.codec) : "bytes", plan.width, plan.height,
                     plan.codec == ProbedCodec::npz || !plan.codec ? plan.file_size.value : 0.0);
}

[[noreturn]] void refuse(const fs::path& at, const std::string& why) {
  throw InputError({Problem{{at.string(), 0, 0}, why}});
}

/// Whether a folder holds more than notes, which another process may be writing just now.
bool holds_files(const fs::path& folder) {
  std::error_code error;
  return std::ranges::any_of(fs::directory_iterator(folder, error), [](const auto& entry) {
    return !entry.path().filename().string().starts_with(kNote);
  });
}

/// A folder that holds another data set is not touched.
void claim(const ReplayPlan& plan) {
  const fs::path note = plan.folder / kNote;
  std::error_code error;
  fs::create_directories(plan.folder, error);
  if (error) refuse(plan.folder, "cannot be written: " + error.message());
  // in this order: whoever makes the same data set writes the note before its files
  const bool files = holds_files(plan.folder);
  Diagnostics none;
  const std::string there = read_text_file(note, kMaxTextSize, none, ReadAs::own).value_or("");
  if (!there.empty() && there != note_text(plan))
    refuse(plan.folder, fmt::format("holds another data set ({}); name a new folder",
                                    there.substr(0, there.size() - 1)));
  if (there.empty() && files)
    refuse(plan.folder, "holds other files; name a new or an empty folder");
  if (!there.empty()) return;
  write_whole(note.string(), note, note_text(plan));
}

/// Refuses files that others cut short, lengthened or exchanged. Samples of bytes and arrays are
/// all as long as one another; a picture is far shorter than most only where it is damaged.
void check_sizes(const ReplayPlan& plan, std::vector<double> sizes) {
  const bool pictures = plan.codec && *plan.codec != ProbedCodec::npz;
  const std::vector<double> by_number = sizes;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  const double least = pictures ? *middle / 3 : *middle;
  const double most = pictures ? std::numeric_limits<double>::infinity() : *middle;
  const auto found =
      std::ranges::find_if(by_number, [&](double size) { return size < least || size > most; });
  if (found == by_number.end()) return;
  refuse(sample_file(plan, found - by_number.begin()),
         fmt::format("holds {}, where the others of the data set hold {}; remove it, and it is "
                     "made again",
                     text(Bytes{*found}, 4), text(Bytes{*middle}, 4)));
}

/// Before it is begun: what is there already takes no more.
void check_space(const ReplayPlan& plan) {
  std::error_code error;
  const auto space = fs::space(plan.folder, error);
  std::int64_t there = 0;
  while (there < plan.files && fs::exists(sample_file(plan, there), error)) ++there;
  const Bytes needs = plan.file_size * static_cast<double>(plan.files - there);
  if (!error && static_cast<double>(space.available) < needs.value)
    refuse(plan.folder,
           fmt::format("{} are free, {} are needed",
                       text(Bytes{static_cast<double>(space.available)}, 3), text(needs, 3)));
}

/// Each whole or not there; on the disk once all are.
void make_sample_file(const ReplayPlan& plan, std::int64_t number) {
  const fs::path file = sample_file(plan, number);
  std::error_code error;
  if (number % kOfFolder == 0) fs::create_directories(file.parent_path(), error);
  try {
    PartFile part(file);
    if (plan.codec)
      part.write(make_sample(*plan.codec, plan.width, plan.height, kSampleDetail,
                             static_cast<std::uint64_t>(number + 1)));
    else
      make_random_file(part.path(), plan.file_size);
    part.take_place();
  } catch (const std::system_error& failed) {
    refuse(file, "cannot be written: " + failed.code().message());
  }
}

}  // namespace

fs::path sample_file(const ReplayPlan& plan, std::int64_t number) {
  return plan.folder / std::to_string(number / kOfFolder) / std::to_string(number);
}

ReplayPlan plan_replay(const Scenario& scenario, const fs::path& folder) {
  Diagnostics out;
  check(scenario, out);
  out.throw_if_any();
  ReplayPlan plan;
  const auto& emulated = *scenario.workload.find<kind::Emulated>();
  const Dataset& dataset = *scenario.workload.dataset();
  plan.folder = folder;
  plan.codec = codec_of(scenario, out);
  out.throw_if_any();
  plan.files = emulated.dataset_samples.value_or(dataset.samples);
  plan.file_size = dataset.sample_size;
  if (plan.codec) {
    constexpr double kColors = 3;
    constexpr double kAspect = 4.0 / 3;
    const double pixels = plan.codec == ProbedCodec::npz
                              ? dataset.sample_size.value / kColors
                              : static_cast<double>(dataset.pixels.value_or(500 * 375));
    plan.width = static_cast<int>(std::lround(std::sqrt(pixels * kAspect)));
    plan.height = static_cast<int>(std::lround(pixels / plan.width));
  }
  plan.batch = static_cast<int>(emulated.batch_per_gpu.value);
  plan.workers = static_cast<int>(scenario.loader.workers_per_gpu.value);
  plan.prefetch = static_cast<int>(scenario.loader.prefetch_batches.value);
  plan.direct = scenario.data.mode == ReadMode::direct;
  plan.cache_memory = scenario.loader.cache_memory;
  plan.shuffled = scenario.loader.order == SampleOrder::permutation;
  plan.compute_time = (*emulated.job)->compute_time;
  plan.epochs = static_cast<int>(emulated.epochs.value_or((*emulated.job)->epochs));
  plan.seed = static_cast<std::uint64_t>(scenario.run.seed);
  return plan;
}

Bytes make_dataset(const ReplayPlan& plan) {
  claim(plan);
  check_space(plan);
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(plan.files));
  bool made = false;
  for (std::int64_t i = 0; i < plan.files; ++i) {
    throw_if_interrupted();
    std::error_code missing;
    auto size = fs::file_size(sample_file(plan, i), missing);
    if (missing) {
      make_sample_file(plan, i);
      made = true;
      size = fs::file_size(sample_file(plan, i), missing);
    }
    sizes.push_back(static_cast<double>(size));
  }
  check_sizes(plan, sizes);
  if (made) sync();  // it would be written while the loader is measured
  return {std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(plan.files)};
}

}  // namespace gpufeed
