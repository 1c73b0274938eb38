// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/cluster/answer.h"
#include "sim/model/result/result.h"
#include "sim/model/serving/answer.h"
#include "ui/model/build/repairs.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// A scenario to simulate.
struct Request {
  std::uint64_t number = 0;  ///< the newest is the greatest
  std::string text;
  std::string name;  ///< stands for the file in messages; paths are relative to it
};

/// What became of a request: first the scenario or what is wrong with it, then the result, then the
/// result with its range, which takes longer.
struct News {
  std::uint64_t number = 0;
  std::shared_ptr<const Scenario> scenario;       ///< null where it is wrong
  std::shared_ptr<const Result> result;           ///< null before it is simulated
  std::shared_ptr<const serving::Answer> served;  ///< instead of both, of what serves a model
  std::shared_ptr<const cluster::Answer> shared;  ///< likewise, of a cluster that jobs share
  std::vector<Problem> problems;                  ///< that of a process that died has no place
  std::vector<Repair> repairs;                    ///< what would solve some of them
  double seconds = 0;                             ///< since the request
  bool whole = false;                             ///< nothing follows
};

/// Loads and simulates in a thread of its own. The newest request wins: it ends what runs.
class Runner {
 public:
  /// \param wake  called from the thread when there is news
  explicit Runner(const Catalog& catalog, std::function<void()> wake = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void submit(Request request);
  const Catalog& catalog() const { return catalog_; }
  /// Ends what runs; no news of it comes.
  void cancel();
  /// What came since it was last asked, oldest first.
  std::vector<News> take();
  /// Waits until nothing runs or waits.
  void wait_until_idle();

 private:
  void run();
  void serve(const Request& request);
  void simulate_scenario(const Request& request, News& news);
  void simulate_serving(const Request& request, News& news);
  void simulate_cluster(const Request& request, News& news);
  /// Does `work` in a child process. \return whether it was not stopped
  bool answer(News& news, const std::function<Result()>& work);
  void post(News news);
  bool outdated(std::uint64_t serial);

  Catalog catalog_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Request> waiting_;
  std::uint64_t serial_ = 0;   ///< of what was asked last, canceling included
  std::uint64_t running_ = 0;  ///< its serial, while one runs
  bool busy_ = false;
  bool ending_ = false;
  std::vector<News> news_;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace gpufeed::ui
