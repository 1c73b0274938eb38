// SPDX-License-Identifier: Apache-2.0
#include "reports/study/study_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/base/fault.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/start_threads.h"
#include "sim/base/files/write_whole.h"
#include "sim/base/numbers/fnv.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr double kLook_s = 0.05;                  ///< between two looks at a round's small folder
constexpr std::chrono::milliseconds kPoll{20};    ///< of a thread that finds nothing to do
constexpr std::chrono::milliseconds kPause{100};  ///< of the one that waits for them

[[noreturn]] void refuse_damaged(const fs::path& file, std::string_view why) {
  throw InputError({{{file.string(), 0, 0},
                     fmt::format("{}: remove the folder of the pool, and begin again", why)}});
}

std::string contents_of(const fs::path& file) {
  constexpr std::size_t kMost = std::size_t{1} << 32U;
  Diagnostics out;
  auto text = read_text_file(file, kMost, out, ReadAs::own);
  if (!text) refuse_damaged(file, "cannot be read");
  return *std::move(text);
}

void put(const fs::path& file, std::string_view text) try {
  put_whole(file, text);
} catch (const std::system_error& error) {
  throw InputError({{{file.string(), 0, 0}, "cannot be written: " + error.code().message()}});
}

/// Each text after its length and a line's end.
std::vector<std::string> texts_in(const fs::path& file, std::size_t count) {
  const std::string all = contents_of(file);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(all.data() + at, all.data() + all.size(), length);
    const auto begin = static_cast<std::size_t>(end - all.data()) + 1;
    if (error != std::errc{} || begin > all.size() || length > all.size() - begin) break;
    texts.push_back(all.substr(begin, length));
    at = begin + length;
  }
  if (texts.size() != count) refuse_damaged(file, "is damaged");
  return texts;
}

/// A worker of one round: threads that take tasks, and the one that waits for them and beats.
class Round {
 public:
  Round(fs::path folder, const std::string& identity, std::size_t count, const PoolRules& rules,
        const std::function<std::string(std::size_t)>& work)
      : folder_(std::move(folder)),
        count_(count),
        beat_s_(rules.beat_s()),
        work_(work),
        pool_(folder_, identity, static_cast<std::int64_t>(count), rules) {}

  std::vector<std::string> complete(unsigned jobs, const std::function<bool()>& stop,
                                    const std::function<void(std::int64_t)>& progress) {
    std::vector<std::thread> threads;
    {
      const std::scoped_lock lock(mutex_);  // none ends before all are counted
      running_ = start_a_thread_at_least(threads, std::max(1U, jobs), [this] { serve(); });
    }
    bool stopped = false;
    double beat = steady_seconds();
    for (std::unique_lock lock(mutex_); running_ > 0;) {
      ended_.wait_for(lock, kPause, [&] { return running_ == 0; });
      if (steady_seconds() - beat >= beat_s_) {
        pool_.beat();
        beat = steady_seconds();
      }
      if (!stopped && stop()) stopped = over_ = true;
      progress(pool_.finished());
    }
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    if (stopped) throw PoolStopped();
    return texts_in(folder_ / kRows, count_);
  }

 private:
  static constexpr const char* kRows = "rows";

  /// Until the round is over.
  void serve() {
    std::unique_lock lock(mutex_);
    try {
      const FaultsThrow guard;
      while (!over_) {
        const auto task = pool_.take();
        over_ = over_ || pool_.ended();
        if (over_) break;
        lock.unlock();
        if (task)
          do_task(static_cast<std::size_t>(*task));
        else
          std::this_thread::sleep_for(kPoll);
        lock.lock();
        if (task) pool_.finish(*task);
      }
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      if (!failure_) failure_ = std::current_exception();
      over_ = true;
    }
    --running_;
    ended_.notify_all();
  }

  void do_task(std::size_t task) {
    if (task < count_) return put(row(task), work_(task));
    std::string all;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::string text = contents_of(row(i));
      all += fmt::format("{}\n", text.size()) + text;
    }
    put(folder_ / kRows, all);
  }

  fs::path row(std::size_t task) const { return folder_ / fmt::format("{}.row", task); }

  const fs::path folder_;
  const std::size_t count_;
  const double beat_s_;
  const std::function<std::string(std::size_t)>& work_;
  std::mutex mutex_;
  WorkPool pool_;
  std::condition_variable ended_;
  bool over_ = false;        ///< nothing further is begun
  std::size_t running_ = 0;  ///< threads
  std::exception_ptr failure_;
};

}  // namespace

std::string identity_of(const std::vector<PlanPart>& parts) {
  std::string out;
  for (const PlanPart& part : parts) {
    Fnv digest;
    digest.add(part.text);
    out += fmt::format("{}\t{}\n", part.name, digest.text());
  }
  return out;
}

StudyPool::StudyPool(fs::path folder, std::string version, PoolRules rules,
                     std::function<bool()> stop)
    : folder_(std::move(folder)),
      parts_{{"the version of gpufeed", std::move(version)}},
      rules_(std::move(rules)),
      stop_(std::move(stop)) {
  rules_.glance_s = kLook_s;
}

void StudyPool::is_of(std::vector<PlanPart> parts) {
  std::ranges::move(parts, std::back_inserter(parts_));
}

std::vector<std::string> StudyPool::round(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<void(std::int64_t finished)>& progress) {
  return Round(folder_ / fmt::format("round-{}", ++rounds_),
               identity_of(parts_) + fmt::format("the number of tasks\t{}\n", count), count, rules_,
               work)
      .complete(jobs, stop_, progress);
}

}  // namespace gpufeed
