// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpufeed {

/// Seconds since some moment, which no setting of the clock moves.
double steady_seconds();

/// How a pool judges those who hold its tasks.
struct PoolRules {
  double lease_s = 60;     ///< without a beat for so long, a worker counts as gone
  double glance_s = 0.25;  ///< between two looks at the folder
  std::function<double()> now = steady_seconds;

  double beat_s() const { return lease_s / 4; }  ///< between two beats
};

/// Numbered tasks that any number of processes share, on any machines that see one folder, over NFS
/// too. Workers come and go, are killed or stopped. Each task is done by one of them at a time,
/// unless its holder is gone or takes more than twice as long as the one that asks, and longer than
/// a glance: then a second does it as well, so that nobody waits for the slow. Tasks must give the
/// same whoever does them.
///
/// In the folder: ID.worker, which counts the beats of a worker; TASK.N.held, another name (a hard
/// link, made by one alone) of the file of the worker that was the N-th to take it; TASK.ID.done.
/// Whether a worker lives is judged by whether its beats move, by the clock of the one that looks:
/// clocks of machines need not agree.
class WorkPool {
 public:
  /// Joins, or founds. \param identity  what the tasks are, in lines "name<TAB>value" \param tasks
  /// and one more, number `tasks`, which comes when all others are done: it joins what they gave
  /// \throws InputError  where the folder's tasks are others, by the name of the first line that
  ///                     differs, or it cannot be written
  WorkPool(const std::filesystem::path& folder, const std::string& identity, std::int64_t tasks,
           PoolRules rules = {});
  /// Leaves: what it holds, others may take.
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  const std::string& id() const { return id_; }
  /// A task to do; nothing where there is none at present.
  std::optional<std::int64_t> take();
  /// It is done, and what it gave is where others find it.
  void finish(std::int64_t task);
  /// To be called several times in `lease_s`.
  void beat();
  /// Reads the folder anew, where that was not just done.
  void look();

  /// Of the tasks, as far as seen; without the one that joins.
  std::int64_t finished() const { return finished_; }
  /// Whether the one that joins is done.
  bool ended() const { return tasks_.back().done; }
  /// Those who have finished a task.
  const std::set<std::string>& contributors() const { return contributors_; }

 private:
  struct Task {
    bool done = false;
    std::int64_t holders = 0;       ///< that took it, one after the other
    bool mine = false;              ///< this worker took it
    double seen_s = 0;              ///< when the last was seen first
    double began_s = 0;             ///< mine: when it was taken
    std::string beat;               ///< of the last holder
    std::optional<double> moved_s;  ///< when that was seen to move; nothing: not looked at yet
  };

  std::filesystem::path file(std::int64_t task, const std::string& what) const;
  void check_identity(const std::string& identity) const;
  void note(std::string_view name);
  bool hold(std::int64_t number);
  bool may_be_taken_over(std::int64_t number);
  bool waits_for_others(std::int64_t number) const;

  std::filesystem::path folder_;
  PoolRules rules_;
  std::string id_;
  std::filesystem::path own_;
  std::vector<Task> tasks_;
  std::int64_t finished_ = 0;
  std::set<std::string> contributors_;
  std::size_t next_ = 0;  ///< where to look for a free one
  std::int64_t beats_ = 0;
  double looked_s_ = 0;
  double spent_s_ = 0;  ///< on tasks of its own
  std::int64_t spent_on_ = 0;
};

}  // namespace gpufeed
