// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/run_replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include "calib/probes/child.h"
#include "calib/probes/loading.h"
#include "calib/probes/memory_cgroup.h"
#include "calib/probes/pages_apart.h"
#include "calib/probes/stopwatch.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw InputError({Problem{{"replay", 0, 0}, what}});
}

/// Timers that end when they should, not up to 50 us later.
void sharpen_timers() { prctl(PR_SET_TIMERSLACK, 1UL); }

class Replay {
 public:
  explicit Replay(const ReplayPlan& plan)
      : plan_(plan),
        cgroup_(plan.cache_memory ? std::make_unique<MemoryCgroup>(*plan.cache_memory) : nullptr),
        loading_(setup()),
        order_(static_cast<std::size_t>(plan.files)) {
    std::iota(order_.begin(), order_.end(), std::int64_t{0});
    sharpen_timers();
  }

  ReplayLoader measure_loader() {
    constexpr int kTimes = 5;
    constexpr int kPlaces = 24;
    ReplayLoader loader;
    std::vector<double> starts;
    for (int i = 0; i < kTimes; ++i) {
      throw_if_interrupted();
      starts.push_back(start_and_stop().value);
    }
    loader.worker_start = {median(starts) / plan_.workers};
    const auto any_file = [this](std::int64_t place) { return file_of(place % plan_.files); };
    if (loading_.reads_apart()) loader.place = {median(loading_.places(any_file, kPlaces))};
    measure_taking(loader);
    return loader;
  }

  std::vector<ReplayEpoch> run(const std::function<void(int done)>& after_epoch) {
    forget_files();
    std::vector<ReplayEpoch> epochs;
    epochs.reserve(static_cast<std::size_t>(plan_.epochs));
    for (int i = 0; i < plan_.epochs; ++i) {
      epochs.push_back(run_epoch(i));
      if (after_epoch) after_epoch(i + 1);
    }
    return epochs;
  }

 private:
  LoadingSetup setup() const {
    LoadingSetup setup;
    setup.codec = plan_.codec;
    constexpr std::size_t kColors = 3;
    setup.sample_size = plan_.codec ? static_cast<std::size_t>(plan_.width) *
                                          static_cast<std::size_t>(plan_.height) * kColors
                                    : static_cast<std::size_t>(plan_.file_size.value);
    setup.batch = plan_.batch;
    setup.workers = plan_.workers;
    setup.prefetch = plan_.prefetch;
    setup.direct = plan_.direct;
    if (cgroup_) setup.enter = [this] { cgroup_->enter(); };
    return setup;
  }

  std::filesystem::path file_of(std::int64_t place) const {
    return sample_file(plan_, order_[static_cast<std::size_t>(place)]);
  }

  /// Batches under way or waiting.
  std::int64_t ahead() const { return std::int64_t{plan_.workers} * plan_.prefetch; }

  /// Of batches that workers have just written, while they write the next ones. Of those that
  /// workers read from the storage it takes half as long again, for a core then has less of them in
  /// its caches: so a set that the page cache holds is read once before, to have the files there as
  /// readers leave them (as they were written they lie in larger pages, workers read twice as fast,
  /// and taking over comes off worse), and of any other the first reading tells.
  void measure_taking(ReplayLoader& loader) {
    forget_files();
    take_some(loader);
    if (!plan_.overflows()) take_some(loader);
  }

  void take_some(ReplayLoader& loader) {
    constexpr std::int64_t kRounds = 32;
    constexpr Seconds kLong{1};
    const std::int64_t batches = std::min(plan_.steps(), kRounds * ahead());
    std::vector<double> copies;
    double woken = 0;
    loading_.start([this](std::int64_t place) { return file_of(place); }, batches);
    loading_.go();
    const Stopwatch watch;
    for (std::int64_t batch = 0; batch < batches && watch.by_clock() < kLong; ++batch) {
      const TakenBatch taken = loading_.take(batch);
      copies.push_back(taken.of_core_copied.value);
      woken += taken.woken.value_or(Seconds{}).value;
      std::this_thread::sleep_for(std::chrono::duration<double>(plan_.compute_time.value));
    }
    loading_.stop();
    loader.wake = {woken / static_cast<double>(copies.size())};
    loader.take_over = {median(copies)};
  }

  Seconds start_and_stop() {
    const Stopwatch watch;
    loading_.start([this](std::int64_t place) { return file_of(place); }, 0);
    loading_.stop();
    return watch.by_clock();
  }

  void forget_files() const {
    sync();
    for (std::int64_t i = 0; i < plan_.files; ++i) {
      const int fd = open(sample_file(plan_, i).c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) fail("cannot be read: " + sample_file(plan_, i).string());
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
      close(fd);
    }
  }

  /// What the workers hold themselves is not the page cache's.
  void limit_cache() {
    if (cgroup_ && !limited_) cgroup_->limit(cgroup_->usage() + *plan_.cache_memory);
    limited_ = true;
  }

  ReplayEpoch run_epoch(int number) {
    if (plan_.shuffled) {
      std::mt19937_64 random(plan_.seed * 1000 + static_cast<std::uint64_t>(number));
      std::ranges::shuffle(order_, random);
    }
    ReplayEpoch epoch;
    const Stopwatch watch;
    loading_.start([this](std::int64_t place) { return file_of(place); }, plan_.steps());
    limit_cache();
    loading_.go();
    const auto compute = std::chrono::duration<double>(plan_.compute_time.value);
    for (std::int64_t step = 0; step < plan_.steps(); ++step) {
      const TakenBatch taken = loading_.take(step);
      epoch.waited += taken.waited;
      epoch.taken += taken.copied;
      epoch.reading += taken.work.by_clock_read;
      epoch.of_core_read += taken.work.of_core_read;
      epoch.making += taken.work.of_core - taken.work.of_core_read;
      std::this_thread::sleep_for(compute);
      epoch.computed += plan_.compute_time;
    }
    epoch.read = loading_.read_from_storage();
    loading_.stop();
    epoch.time = watch.by_clock();
    epoch.samples = plan_.steps() * plan_.batch;
    if (plan_.look_at_pages)
      epoch.apart = pages_apart_in_last(static_cast<std::size_t>(epoch.samples), [&](auto place) {
        return file_of(static_cast<std::int64_t>(place));
      });
    return epoch;
  }

  const ReplayPlan& plan_;
  std::unique_ptr<MemoryCgroup> cgroup_;  // before the workers in it, and gone after them
  Loading loading_;
  std::vector<std::int64_t> order_;
  bool limited_ = false;
};

}  // namespace

ReplayLoader measure_loader(const ReplayPlan& plan) { return Replay(plan).measure_loader(); }

std::vector<ReplayEpoch> run_replay(const ReplayPlan& plan,
                                    const std::function<void(int done)>& after_epoch) {
  return Replay(plan).run(after_epoch);
}

}  // namespace gpufeed
