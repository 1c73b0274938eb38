// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/load/read/catalog.h"
#include "sim/model/result/result.h"
#include "ui/model/decide/sweep_form.h"

namespace gpufeed::ui {

/// A scenario of which one or two parameters take several values.
struct SweepJob {
  std::string text;  ///< of the scenario
  std::string name;  ///< stands for its file in messages; paths are relative to it
  std::vector<SweepAxis> axes;

  std::size_t points() const;
  /// Which value each axis has at a point; the last axis varies fastest.
  std::vector<std::size_t> at(std::size_t point) const;
  /// The scenario of a point. \throws InputError
  std::string text_at(std::size_t point) const;
};

/// What became of a point.
struct SweptPoint {
  enum class State { waiting, good, failed } state = State::waiting;
  std::shared_ptr<const Result> result;  ///< without what only pictures need; null unless good
  std::vector<Problem> problems;         ///< of one that failed
};

/// Simulates the points of a job in the background, each in a process of its own, so that it can
/// be ended at any moment and no frame waits. All calls are of one thread.
class Sweeper {
 public:
  /// \param wake  called from other threads when there is news
  explicit Sweeper(const Catalog& catalog, std::function<void()> wake = {});
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  /// Begins a sweep; one that runs is canceled. \throws InputError  where a value of an axis
  /// cannot be written into the scenario
  void start(SweepJob job);
  /// Ends what runs; the points that are finished stay.
  void cancel();
  /// Takes in what has finished. \return whether anything has
  bool poll();
  /// Waits for the end.
  void finish();

  bool running() const { return running_; }
  bool canceled() const { return canceled_; }
  /// Null points before the first sweep.
  const SweepJob& job() const { return job_; }
  const std::vector<SweptPoint>& points() const { return points_; }
  std::size_t finished() const { return finished_; }
  /// Whether the points are of another scenario than this text, which differs from theirs in more
  /// than the values of the axes.
  bool is_old(const std::string& text) const;
  /// Raised by every change of the above.
  std::uint64_t version() const { return version_; }

 private:
  struct News {
    std::size_t point;
    SweptPoint swept;
  };
  void work();
  SweptPoint evaluate(std::size_t point);
  void join();

  Catalog catalog_;
  std::function<void()> wake_;
  SweepJob job_;
  std::vector<SweptPoint> points_;
  std::size_t finished_ = 0;
  bool running_ = false;
  bool canceled_ = false;
  std::uint64_t version_ = 0;
  mutable std::string asked_;  ///< of `is_old`, last; frames ask again and again
  mutable bool old_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::vector<News> news_;
  std::vector<std::thread> threads_;
};

}  // namespace gpufeed::ui
