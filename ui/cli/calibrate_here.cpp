// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/calibrate_here.h"

#include <fmt/format.h>

#include <filesystem>

#include "calib/discover/gpu_names.h"
#include "calib/fit/raw_fit.h"
#include "calib/probes/raw.h"
#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/load/load.h"
#include "sim/model/catalog/system.h"
#include "ui/cli/measure_here.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestRaw = 256 << 20;

std::string raw_text(const CalibrateHere& given, const Options& options) {
  if (!given.raw) return raw_json(measure_here(given, options));
  Diagnostics problems;
  auto text = read_text_file(*given.raw, kLargestRaw, problems);
  problems.throw_if_any();
  return *text;
}

/// "mine.toml": "mine", which its raw measurements and entries are called after.
fs::path stem_of(const fs::path& output) { return output.parent_path() / output.stem(); }

/// Before anything is measured, which takes minutes. Which decoders will be told is not known yet.
void check_beside(const fs::path& output) {
  const fs::path stem = stem_of(output);
  check_new(stem.string() + ".raw.json");
  std::error_code missing;
  for (const auto& entry :
       fs::directory_iterator(fs::path(stem.string() + ".catalog") / "decoder", missing))
    check_new(entry.path());
}

void write_calibration(const fs::path& output, const Calibration& found, const std::string& raw,
                       bool measured) {
  const fs::path stem = stem_of(output);
  if (measured) write_new(stem.string() + ".raw.json", raw);
  std::error_code error;
  std::vector<fs::path> written;
  try {
    for (const auto& [name, toml] : found.entries) {
      const fs::path file = fs::path(stem.string() + ".catalog") / (name + ".toml");
      fs::create_directories(file.parent_path(), error);
      write_new(file, toml);
      written.push_back(file);
    }
    write_new(output, found.parameters);
  } catch (const InputError&) {  // --raw can fit again what was measured
    for (const fs::path& file : written) fs::remove(file, error);
    const fs::path catalog = stem.string() + ".catalog";
    for (const fs::path& folder : {catalog / "decoder", catalog})
      fs::remove(folder, error);  // where it is empty
    throw;
  }
}

/// The GPU as a machine has it that is made for it alone, if it times transformers.
std::optional<Gpu> gpu_of_catalog(const std::string& called) {
  const Catalog catalog = catalog_with({});
  Diagnostics problems;
  const std::vector<EntryText> all = entries_of_kind(catalog, "gpu", {}, problems);
  for (const EntryText* entry : gpus_called(all, called)) {
    const auto system = parse_system(
        fmt::format("[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
                    "\"amd-epyc-9654\"\nmemory = \"64 "
                    "GB\"\n[[system.gpu]]\nid = \"gpu0\"\nmodel = \"{}\"\nat = \"cpu0\"\n",
                    entry->name),
        entry->name, catalog);
    const Gpu& gpu = *system->gpus.front().model;
    if (gpu.transformers && gpu.kernels && gpu.sms && gpu.memory_bandwidth && gpu.peak_bf16)
      return gpu;
  }
  return {};
}

}  // namespace

void CalibrateHere::add_to(Options& options) {
  options.flag(
      "--io", io,
      "measure the drive that holds --dir: with fio and O_DIRECT, on a file; opening files; "
      "what pages that lie apart in memory cost it");
  options.flag(
      "--decode", decode,
      "measure decoding of JPEG, PNG and npz inside worker processes, on one to all cores");
  options.flag("--memory", memory,
               "measure copies of each NUMA node, first touch, and filling the page cache");
  options.flag("--page-cache", page_cache, "measure the page cache in a memory cgroup (as root)")
      .seldom();
  options.flag("--gpu", gpu,
               "measure GPUs: copies, launches, matrix products, layers of two networks; where "
               "this was built with CUDA");
  options
      .flag("--pytorch", pytorch,
            "measure decoding by Pillow in the workers of PyTorch's DataLoader, and the loader's "
            "own costs")
      .seldom();
  options
      .flag("--training", training,
            "measure training steps of the catalog's networks, and the parts and steps of a "
            "transformer, with PyTorch on the first GPU, while there is time; give it minutes "
            "(--max-time)")
      .seldom();
  options.value("--python", "PROGRAM", python, "which has torch; default: python3").seldom();
  options.value("--dir", "DIR", folder, "where files may be made; they go away afterwards");
  options.value("--max-time", "T", most_time, "how long all may take; default: 120 s");
  options
      .value("--max-bytes", "B", most_bytes, "what may be written below DIR in all; default: 2 GB")
      .seldom();
  options.value("--raw", "FILE", raw, "fit raw measurements that were made before").seldom();
}

int calibrate_here(const CalibrateHere& given, const std::optional<std::string>& output,
                   const Options& options) {
  if (output && *output != "-") {
    check_new(*output);
    if (!given.raw) check_beside(*output);
  }
  const std::string raw = raw_text(given, options);
  const std::string folder =
      output && *output != "-" ? stem_of(*output).filename().string() + ".catalog" : "";
  const Calibration found =
      fit_raw(raw, given.raw.value_or("raw measurements"), folder, gpu_of_catalog);
  if (found.told.empty() && found.refused.empty())
    throw InputError({{{"calibrate", 0, 0}, "nothing could be measured"}});
  if (output == "-") {
    print(found.parameters);
    return kGood;
  }
  for (const auto& line : found.told) print(labeled("  ", line, 4));
  for (const auto& line : found.refused) print(labeled("  not determined: ", line, 6));
  if (!output) return kGood;
  write_calibration(*output, found, raw, !given.raw);
  const std::string stem = stem_of(*output).string();
  print(fmt::format(
      "{0}: written{1}{2}; gpufeed simulate --params {0} takes it\n", *output,
      found.entries.empty() ? "" : fmt::format(", with the entries in {}.catalog", stem),
      given.raw ? "" : fmt::format(", and what was measured in {}.raw.json", stem)));
  return kGood;
}

}  // namespace gpufeed::cli
