// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/measure_here.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "calib/discover/live.h"
#include "calib/probes/child.h"
#include "calib/probes/core_use.h"
#include "calib/probes/fio_probe.h"
#include "calib/probes/gpu_program.h"
#include "calib/probes/pace.h"
#include "calib/probes/pytorch_program.h"
#include "calib/probes/scratch.h"
#include "calib/probes/stopwatch.h"
#include "calib/probes/written.h"
#include "ui/cli/output.h"
#include "ui/cli/quantity_option.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kRepeats = 3;

// What is written whatever may be: samples, small files, what fio and PyTorch say.
constexpr Bytes kOpened{18e6};
constexpr Bytes kFioSays{4e6};
constexpr Bytes kSamples{50e6};
constexpr Bytes kFilled{34e6};
constexpr Bytes kPytorchSamples{80e6};
constexpr Bytes kLeastShare{20e6};  ///< of what grows with what may be written
constexpr Bytes kLeast{64e6};

/// One step of the measurement: what it is, how many settings of a time it has, and how to do it.
struct Step {
  std::string what;
  std::size_t settings = 0;
  Seconds beside;  ///< what each takes beside its time, about
  std::function<void()> run;
};

class Measurer {
 public:
  Measurer(const CalibrateHere& given, const fs::path& folder, Bytes most, Seconds most_time)
      : scratch_(folder, most), share_(share_of(given, most)), pace_(most_time) {
    raw_.version = PROJECT_VERSION;
    raw_.time = utc_now();
    raw_.machine = machine_in_words();
    raw_.threads_per_core = threads_of_core();
    raw_.tools = codec_versions();
    if (given.io) plan_io(folder);
    if (given.decode) plan_decoding();
    if (given.memory) plan_memory(folder);
    if (given.page_cache) plan_page_cache();
    if (given.gpu) plan_gpus();
    if (given.pytorch) plan_pytorch(given.python.value_or("python3"));
    if (given.training) plan_training(given.python.value_or("python3"));
    for (const Step& step : steps_) pace_.expect(step.settings, step.beside);
  }

  const Pace& pace() const { return pace_; }

  /// What must be written at least.
  static Bytes least_written(const CalibrateHere& given) {
    return std::max(kLeast, fixed(given) + kLeastShare * sharers(given));
  }

  RawMeasurements run() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      throw_if_interrupted();
      step_ = &steps_[i];
      complain(fmt::format("  {} of {}: {}\n", i + 1, steps_.size(), step_->what));
      step_->run();
    }
    return std::move(raw_);
  }

 private:
  static Bytes fixed(const CalibrateHere& given) {
    Bytes sum;
    if (given.io) sum += kOpened + kFioSays;
    if (given.decode) sum += kSamples;
    if (given.memory) sum += kFilled;
    if (given.pytorch) sum += kPytorchSamples;
    return sum;
  }
  static double sharers(const CalibrateHere& given) {
    return int{given.io} + int{given.memory} + int{given.page_cache};
  }
  static Bytes share_of(const CalibrateHere& given, Bytes most) {
    return (most - fixed(given)) / std::max(1.0, sharers(given));
  }

  /// The time of each of the next settings of this step.
  Seconds next(std::size_t settings = 1) {
    throw_if_interrupted();
    return pace_.next(clock_.by_clock(), settings, step_->beside);
  }

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
    plan_fio("fio, reads",
             fio_grid({4096, 16384, 65536, 262144, 1048576, 8388608}, {1, 2, 4, 16}, kRepeats),
             false);
    plan_fio("fio, writes", fio_grid({4096, 65536, 1048576}, {1, 4, 16}, 1), true);
    constexpr int kOpenings = 9;  // a few us between times that vary by as many
    steps_.push_back({"opening files", kOpenings, {0.1}, [this] {
                        for (int i = 0; i < kOpenings; ++i)
                          raw_.opening.push_back(measure_opening(scratch_.path(), next()));
                      }});
    steps_.push_back({"reads into non-contiguous pages, and into huge ones",
                      std::size_t{2} * kRepeats,
                      {0.05},
                      [this] {
                        constexpr Bytes kRequest{4194304};
                        for (int i = 0; i < kRepeats; ++i)
                          raw_.large_reads.push_back(
                              measure_large_reads(fio_data(scratch_.path()), kRequest, next(2)));
                      }});
    plan_pairs();
  }

  /// A pair takes several times as long as one read.
  void plan_pairs() {
    steps_.push_back({"a large read beside another", kRepeats, {0.1}, [this] {
                        for (int i = 0; i < kRepeats; ++i)
                          raw_.paired_reads.push_back(
                              measure_paired_reads(fio_data(scratch_.path()), next()));
                      }});
  }

  /// A third of the bytes is the file, the rest what is written over it.
  void plan_fio(const char* what, const std::vector<std::vector<FioSetting>>& parts, bool writes) {
    std::size_t settings = 0;
    for (const auto& part : parts) settings += part.size();
    const Bytes file = share_ / 3;
    steps_.push_back(
        {what, settings, {0.2}, [this, parts, writes, file] {
           sync();  // what others wrote before would come in between
           WriteBudget budget(share_ - file, parts);
           std::size_t left_out = 0;
           for (const auto& part : parts) {
             const auto all = part.size();
             FioTest test{writes ? budget.share(part) : part, writes, next(all), file};
             left_out += all - test.settings.size();
             if (test.settings.empty()) continue;
             raw_.fio.push_back(run_fio(test, scratch_.path()));
             budget.settle(written_by(raw_.fio.back()));
           }
           if (left_out > 0)
             complain(fmt::format(
                 "  left out: {} settings that --max-bytes leaves too little for\n", left_out));
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
    constexpr int kLarge = 500 * 375;
    constexpr int kFew = 4;  // a batch of as many bytes; of slow ones not so many
    const int cores = std::max(all_threads() / raw_.threads_per_core, 1);
    std::vector<DecodeTest> tests;
    const std::optional<ProbedCodec> as_stored;
    for (const auto& codec :
         {std::optional{ProbedCodec::jpeg}, {ProbedCodec::png}, {ProbedCodec::npz}, as_stored}) {
      for (const Shape& shape : shapes) {
        const bool pictures = codec && *codec != ProbedCodec::npz;
        if (!pictures && shape.width == 500 && shape.detail > 0.3) continue;
        tests.push_back({codec, shape.width, shape.height, shape.detail});
        if (shape.width * shape.height > kLarge) {
          tests.back().batch = kFew;
          continue;
        }
        if (cores < 2) continue;
        tests.push_back(tests.back());  // next to it, for a machine's pace drifts
        tests.back().workers = cores;
      }
      for (const int workers : crowds()) {
        if (workers == cores) continue;
        tests.push_back({codec, 500, 375, 0.1});
        tests.back().workers = workers;
      }
    }
    steps_.push_back({"decoding in workers", tests.size(), {0.3}, [this, tests] {
                        for (DecodeTest test : tests) {
                          test.each = next();
                          raw_.decoding.push_back(measure_decoding(test, scratch_.path()));
                        }
                      }});
  }

  static int all_threads() { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }

  /// Powers of two, and one for each thread.
  static std::set<int> crowds() {
    std::set<int> counts;
    for (int workers = 2; workers <= all_threads(); workers *= 2) counts.insert(workers);
    if (all_threads() > 1) counts.insert(all_threads());
    return counts;
  }

  void plan_memory(const fs::path& folder) {
    if (lies_in_memory(folder))
      complain(
          fmt::format("  --memory: {} lies in memory, where filling the page cache cannot be "
                      "measured\n",
                      folder.string()));
    constexpr std::size_t kParts = 3;
    const std::size_t each = kParts + copy_settings();
    steps_.push_back({"memory", each * kRepeats, {0.25}, [this] {
                        const fs::path file = scratch_.path() / "cached";
                        constexpr double kMost = 256 << 20;
                        make_random_file(file, {std::min(kMost, share_.value)});
                        for (int i = 0; i < kRepeats; ++i) measure_memory(file);
                        fs::remove(file);
                      }});
  }

  void measure_memory(const fs::path& file) {
    const auto copies = measure_copies(next(copy_settings()));
    raw_.copies.insert(raw_.copies.end(), copies.begin(), copies.end());
    raw_.cached_reads.push_back(measure_cached_reads(file, next()));
    raw_.filling.push_back(measure_filling(scratch_.path(), next()));
    next();
    raw_.first_touch.push_back(measure_first_touch());
  }

  void plan_page_cache() {
    constexpr std::size_t kAsLong = 4;
    steps_.push_back({"page cache in a memory cgroup", kAsLong, {0.5}, [this] {
                        const Seconds time = next(kAsLong) * static_cast<double>(kAsLong);
                        PageCacheTest test;
                        test.folder = scratch_.path() / "files";
                        test.file_size = {std::min(1048576.0, share_.value / kMostFiles)};
                        test.cached_share = raw_.page_cache_share = 0.5;
                        test.epochs = 4;
                        make_within(time * kOfMaking, test);
                        raw_.page_cache_files = test.file_size * static_cast<double>(test.files);
                        raw_.page_cache = measure_page_cache(test);
                        fs::remove_all(test.folder);
                      }});
  }

  static constexpr std::int64_t kMostFiles = 256;
  static constexpr double kOfMaking = 0.25;  ///< of the time; reading them takes about as much more

  /// As many files as the drive takes in so long, which reads them about as fast.
  static void make_within(Seconds time, PageCacheTest& test) {
    const Stopwatch watch;
    constexpr std::int64_t kFewest = 32;
    for (test.files = kFewest;; test.files *= 2) {
      make_files(test);
      sync();
      if (test.files == kMostFiles || watch.by_clock() * 2 > time) return;
    }
  }

  /// Without a GPU the rest is measured all the same.
  void plan_gpus() {
    constexpr std::size_t kAsLong = 10;
    steps_.push_back({"GPUs", kAsLong, {1}, [this] {
                        next(kAsLong);
                        GpuProbe probe = measure_gpus(scratch_.path());
                        raw_.gpu = std::move(probe.json);
                        if (!probe.why_none.empty())
                          complain(fmt::format("  --gpu: {}\n", probe.why_none));
                      }});
  }

  /// Neither does it stop where there is no PyTorch.
  void plan_pytorch(const std::string& python) {
    steps_.push_back({"PyTorch's loader", pytorch_settings(), {0.5}, [this, python] {
                        PytorchProbe probe =
                            measure_pytorch(python, scratch_.path(), next(pytorch_settings()));
                        raw_.pytorch = std::move(probe.json);
                        if (!probe.why_none.empty())
                          complain(fmt::format("  --pytorch: {}\n", probe.why_none));
                      }});
  }

  void plan_training(const std::string& python) {
    constexpr std::size_t kAsLong = 20;  // a network or two in each
    steps_.push_back({"training with PyTorch", kAsLong, {5}, [this, python] {
                        const Seconds time = next(kAsLong) * static_cast<double>(kAsLong);
                        PytorchProbe probe = measure_training(python, scratch_.path(), time / 2);
                        raw_.training = std::move(probe.json);
                        const bool trains = probe.why_none.empty();
                        if (trains) {
                          probe = measure_transformer(python, scratch_.path(), time / 2);
                          raw_.transformer = std::move(probe.json);
                        }
                        if (!probe.why_none.empty())
                          complain(fmt::format("  --training: {}\n", probe.why_none));
                      }});
  }

  Scratch scratch_;
  Bytes share_;  ///< of what may be written, of each that takes as much as it gets
  Pace pace_;
  Stopwatch clock_;
  RawMeasurements raw_;
  std::vector<Step> steps_;
  const Step* step_ = nullptr;  ///< the present one
};

/// Before minutes are spent on it.
void tell_if_busy() {
  constexpr useconds_t kLook = 300'000;
  const CoreUse cores;
  usleep(kLook);
  if (const double others = cores.taken_by_others(); others > kBusyMachine)
    complain(
        fmt::format("  others take {:.0f} % of the cores now, which what is measured will "
                    "show; a quiet machine tells more\n",
                    100 * others));
}

}  // namespace

RawMeasurements measure_here(const CalibrateHere& given, const Options& options) {
  if (!given.folder) throw options.error("--dir DIR says where files may be made");
  const auto most_time = quantity_of(given.most_time, Seconds{120}, "--max-time", options);
  const auto most = quantity_of(given.most_bytes, Bytes{2e9}, "--max-bytes", options);
  if (const Bytes least = Measurer::least_written(given); most < least)
    throw options.error(
        fmt::format("--max-bytes must be {} at least for these measurements", text(least)));
  const InterruptGuard guard;
  const Bytes before = written_so_far();
  Measurer measurer(given, *given.folder, most, most_time);
  if (const Seconds least = measurer.pace().least(); most_time < least)
    throw options.error(fmt::format("--max-time must be {:.0f} s at least for these measurements",
                                    std::ceil(least.value)));
  complain(fmt::format("Measuring for about {:.0f} s, writing at most {} below {}\n",
                       measurer.pace().about().value, text(most, 3), *given.folder));
  tell_if_busy();
  const Stopwatch watch;
  const CoreUse cores;
  RawMeasurements raw = measurer.run();
  raw.others = cores.taken_by_others();
  raw.took = watch.by_clock();
  raw.most_time = most_time;
  raw.written = written_so_far() - before;
  raw.most_written = most;
  complain(fmt::format("  written to drives in all: {}\n", text(raw.written, 3)));
  complain(fmt::format("  {}\n", others_in_words(raw.others)));
  return raw;
}

}  // namespace gpufeed::cli
