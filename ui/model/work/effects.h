// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sim/load/load.h"

namespace gpufeed::ui {

/// What a choice would make of the scenario.
struct Effect {
  std::string problem;  ///< why it cannot be taken, as `gpufeed check` words it; empty: it can
  bool answered = false;
  std::optional<double> price_USD;  ///< of everything; nothing where no part has one
  double samples_per_s = 0;         ///< 0: it has none
  double busy = 0;                  ///< GPUs, share of the job's time
  double tokens_per_s = 0;          ///< 0: it has none
  double time_to_result_s = 0;
  std::string without_price;  ///< the products whose price is not known, as in `Result`
};

/// The effects of choices, found in the background before one is made: first which can be taken,
/// then, of those asked for last, the answers, each in a process of its own.
class Effects {
 public:
  /// A scenario's text with a choice made. \throws InputError  where that cannot be
  using Make = std::function<std::string(const std::string& choice)>;

  /// \param wake  called from other threads when there is something new
  explicit Effects(const Catalog& catalog, std::function<void()> wake = {});
  ~Effects();
  Effects(const Effects&) = delete;
  Effects& operator=(const Effects&) = delete;

  /// Forgets all, and begins with these.
  /// \param name  stands for the scenario's file: paths are relative to it
  void begin(std::vector<std::string> choices, Make make, const std::string& name);
  /// Ends what runs.
  void cancel();
  /// The choices in sight: their answers come first, and no others are sought.
  void want(const std::vector<std::string>& choices);
  /// Nothing where it is not known yet.
  std::optional<Effect> of(const std::string& choice) const;
  /// Waits until all that was asked for is known.
  void finish();

 private:
  struct Task {
    std::string choice;
    bool answer = false;  ///< else only whether it can be taken
    std::uint64_t round = 0;
  };
  void work();
  std::optional<Task> next();
  void serve(const Task& task, const Make& make, const std::string& name);
  bool outdated(std::uint64_t round) const;

  Catalog catalog_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t round_ = 0;
  bool ending_ = false;
  std::size_t busy_ = 0;
  Make make_;
  std::string name_;
  std::vector<std::string> unchecked_;
  std::vector<std::string> wanted_;
  std::set<std::string> answering_;
  std::map<std::string, Effect> known_;
  std::vector<std::thread> threads_;  // last: they use all the others
};

/// "+1200 USD", "−12 %" and so on, of a choice's effect against what is now; empty where nothing
/// can be said.
/// \param without_price_now  no change is told where other products have no price than now
std::string price_change(const Effect& effect, std::optional<double> price_now,
                         const std::string& without_price_now);
std::string rate_change(const Effect& effect, double samples_per_s_now);

}  // namespace gpufeed::ui
