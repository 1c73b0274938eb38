// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/calibrate_here.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "calib/fit/raw_fit.h"
#include "calib/probes/child.h"
#include "calib/probes/fio_probe.h"
#include "calib/probes/gpu_program.h"
#include "calib/probes/pytorch_program.h"
#include "calib/probes/raw.h"
#include "calib/probes/scratch.h"
#include "reports/writers/layout.h"
#include "sim/load/read/text_input.h"
#include "ui/cli/output.h"
#include "ui/cli/quantity_option.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestRaw = 256 << 20;
constexpr int kRepeats = 3;

/// One step of the measurement: what it is, how many settings of a time it has, and how to do it.
struct Step {
  std::string what;
  std::size_t settings = 0;
  std::function<void(Seconds each)> run;
};

class Measurer {
 public:
  Measurer(const CalibrateHere& given, const fs::path& folder, Bytes most)
      : scratch_(folder, most), file_size_{most.value / 2} {
    raw_.version = PROJECT_VERSION;
    raw_.time = utc_now();
    raw_.machine = machine_in_words();
    raw_.tools = codec_versions();
    if (given.io) plan_io(folder);
    if (given.decode) plan_decoding();
    if (given.memory) plan_memory();
    if (given.page_cache) plan_page_cache();
    if (given.gpu) plan_gpus();
    if (given.pytorch) plan_pytorch(given.python.value_or("python3"));
  }

  std::size_t settings() const {
    std::size_t sum = 0;
    for (const Step& step : steps_) sum += step.settings;
    return sum;
  }

  RawMeasurements run(Seconds each) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      throw_if_interrupted();
      complain(fmt::format("  {} of {}: {}, about {:.0f} s\n", i + 1, steps_.size(), steps_[i].what,
                           static_cast<double>(steps_[i].settings) * each.value));
      steps_[i].run(each);
    }
    return std::move(raw_);
  }

 private:
  void plan_io(const fs::path& folder) {
    raw_.drive = disk_of(folder);
    if (raw_.drive.empty())
      throw InputError({{{folder.string(), 0, 0},
                         "this lies on no disk of this machine; --io "
                         "measures local drives"}});
    const std::string version = fio_version(scratch_.path());
    if (version.empty())
      throw InputError({{{"--io", 0, 0}, "there is no program fio; install the package fio"}});
    raw_.tools = version + ", " + raw_.tools;
    // up to what a reader of whole samples asks for at once
    FioTest reads{
        {4096, 16384, 65536, 262144, 1048576, 8388608}, {1, 2, 4, 16}, false, {}, file_size_};
    FioTest writes{{4096, 65536, 1048576}, {1, 4, 16}, true, {}, file_size_};
    for (const FioTest& test : {reads, writes})
      steps_.push_back({test.writes ? "fio, writes" : "fio, reads", settings_of(test),
                        [this, test](Seconds each) {
                          FioTest timed = test;
                          timed.each = each;
                          raw_.fio.push_back(run_fio(timed, scratch_.path()));
                        }});
    steps_.push_back({"opening files", kRepeats, [this](Seconds each) {
                        for (int i = 0; i < kRepeats; ++i)
                          raw_.opening.push_back(measure_opening(scratch_.path(), each));
                      }});
  }

  void plan_decoding() {
    struct Shape {
      int width;
      int height;
      double detail;
    };
    const std::vector<Shape> shapes{{160, 120, 0.1}, {320, 240, 0.5}, {500, 375, 0.1},
                                    {500, 375, 0.5}, {800, 600, 0.2}, {1280, 960, 0.4}};
    std::vector<DecodeTest> tests;
    const std::optional<Codec> as_stored;
    for (const auto& codec : {std::optional{Codec::jpeg}, {Codec::png}, {Codec::npz}, as_stored}) {
      for (const Shape& shape : shapes) {
        const bool pictures = codec && *codec != Codec::npz;
        if (!pictures && shape.width == 500 && shape.detail > 0.3) continue;
        tests.push_back({codec, shape.width, shape.height, shape.detail});
      }
      for (long workers = 2; workers <= sysconf(_SC_NPROCESSORS_ONLN); workers *= 2) {
        tests.push_back({codec, 500, 375, 0.1});
        tests.back().workers = static_cast<int>(workers);
      }
    }
    steps_.push_back({"decoding in workers", tests.size(), [this, tests](Seconds each) {
                        for (DecodeTest test : tests) {
                          test.each = each;
                          raw_.decoding.push_back(measure_decoding(test, scratch_.path()));
                        }
                      }});
  }

  void plan_memory() {
    steps_.push_back({"memory", std::size_t{6} * kRepeats, [this](Seconds each) {
                        const fs::path file = scratch_.path() / "cached";
                        constexpr double kMost = 256 << 20;
                        make_random_file(file, {std::min(kMost, file_size_.value)});
                        for (int i = 0; i < kRepeats; ++i) {
                          const auto copies = measure_copies(each);
                          raw_.copies.insert(raw_.copies.end(), copies.begin(), copies.end());
                          raw_.cached_reads.push_back(measure_cached_reads(file, each));
                          raw_.filling.push_back(measure_filling(scratch_.path(), each));
                          raw_.first_touch.push_back(measure_first_touch());
                          constexpr Bytes kRequest{4194304};
                          raw_.large_reads.push_back(measure_large_reads(file, kRequest, each));
                        }
                        fs::remove(file);
                      }});
  }

  void plan_page_cache() {
    steps_.push_back({"page cache in a memory cgroup", 4, [this](Seconds) {
                        PageCacheTest test;
                        test.folder = scratch_.path() / "files";
                        test.files = 256;
                        test.file_size = {std::min(1048576.0, file_size_.value / 256)};
                        test.cached_share = raw_.page_cache_share = 0.5;
                        test.epochs = 4;
                        raw_.page_cache_files = test.file_size * static_cast<double>(test.files);
                        make_files(test);
                        raw_.page_cache = measure_page_cache(test);
                        fs::remove_all(test.folder);
                      }});
  }

  /// Without a GPU the rest is measured all the same.
  void plan_gpus() {
    constexpr std::size_t kAsLong = 10;
    steps_.push_back({"GPUs", kAsLong, [this](Seconds) {
                        GpuProbe probe = measure_gpus(scratch_.path());
                        raw_.gpu = std::move(probe.json);
                        if (!probe.why_none.empty())
                          complain(fmt::format("  --gpu: {}\n", probe.why_none));
                      }});
  }

  /// Neither does it stop where there is no PyTorch.
  void plan_pytorch(const std::string& python) {
    steps_.push_back({"PyTorch's loader", pytorch_settings(), [this, python](Seconds each) {
                        PytorchProbe probe = measure_pytorch(python, scratch_.path(), each);
                        raw_.pytorch = std::move(probe.json);
                        if (!probe.why_none.empty())
                          complain(fmt::format("  --pytorch: {}\n", probe.why_none));
                      }});
  }

  Scratch scratch_;
  Bytes file_size_;
  RawMeasurements raw_;
  std::vector<Step> steps_;
};

RawMeasurements measure(const CalibrateHere& given, const Options& options) {
  if (!given.folder) throw options.error("--dir DIR says where files may be made");
  const auto most_time = quantity_of(given.most_time, Seconds{120}, "--max-time", options);
  const auto most = quantity_of(given.most_bytes, Bytes{2e9}, "--max-bytes", options);
  constexpr Bytes kLeast{64e6};
  if (most.value < kLeast.value)
    throw options.error(fmt::format("--max-bytes must be {} at least", text(kLeast)));
  const InterruptGuard guard;
  Measurer measurer(given, *given.folder, most);
  constexpr double kShortest = 0.2;
  constexpr double kLongest = 5;
  const auto settings = static_cast<double>(std::max<std::size_t>(1, measurer.settings()));
  const double each = std::min(kLongest, most_time.value / settings);
  if (each < kShortest)
    throw options.error(fmt::format("--max-time must be {:.0f} s at least for these measurements",
                                    std::ceil(kShortest * settings)));
  complain(fmt::format("Measuring for about {:.0f} s, writing at most {} below {}\n",
                       each * settings, text(most, 3), *given.folder));
  return measurer.run({each});
}

std::string raw_text(const CalibrateHere& given, const Options& options) {
  if (!given.raw) return raw_json(measure(given, options));
  Diagnostics problems;
  auto text = read_text_file(*given.raw, kLargestRaw, problems);
  problems.throw_if_any();
  return *text;
}

/// "mine.toml": "mine", which its raw measurements and entries are called after.
fs::path stem_of(const fs::path& output) { return output.parent_path() / output.stem(); }

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

}  // namespace

void CalibrateHere::add_to(Options& options) {
  options.flag("--io", io, "measure the drive that holds --dir, with fio and O_DIRECT, on a file");
  options.flag(
      "--decode", decode,
      "measure decoding of JPEG, PNG and npz inside worker processes, on one to all cores");
  options.flag("--memory", memory,
               "measure copies of each NUMA node, first touch, reads into small and huge pages");
  options.flag("--page-cache", page_cache, "measure the page cache in a memory cgroup (as root)");
  options.flag("--gpu", gpu,
               "measure GPUs: copies, launches, matrix products; where this was built with CUDA");
  options.flag(
      "--pytorch", pytorch,
      "measure decoding by Pillow in the workers of PyTorch's DataLoader, and the loader's "
      "own costs");
  options.value("--python", "PROGRAM", python, "which has torch; default: python3");
  options.value("--dir", "DIR", folder, "where files may be made; they go away afterwards");
  options.value("--max-time", "T", most_time, "how long all may take; default: 120 s");
  options.value("--max-bytes", "B", most_bytes, "what may be written below DIR; default: 2 GB");
  options.value("--raw", "FILE", raw, "fit raw measurements that were made before");
}

int calibrate_here(const CalibrateHere& given, const std::optional<std::string>& output,
                   const Options& options) {
  if (output && *output != "-") check_new(*output);
  const std::string raw = raw_text(given, options);
  const std::string folder =
      output && *output != "-" ? stem_of(*output).filename().string() + ".catalog" : "catalog";
  const Calibration found = fit_raw(raw, given.raw.value_or("raw measurements"), folder);
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
