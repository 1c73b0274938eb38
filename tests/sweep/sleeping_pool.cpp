// SPDX-License-Identifier: Apache-2.0
// sleeping_pool [TASKS]   sixteen processes share tasks that sleep a second, of which one
// takes ten times as long, in a folder as the workers of a pool do; tells how near that comes to
// work that is dealt out perfectly. Exit status 1 below 0.95.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "sim/base/files/work_pool.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

constexpr int kWorkers = 16;
constexpr double kTask_s = 1;
constexpr double kSlower = 10;
constexpr double kWanted = 0.95;

void sleep(double s) { std::this_thread::sleep_for(std::chrono::duration<double>(s)); }

void work(const std::filesystem::path& folder, std::int64_t tasks, double takes_s) {
  constexpr double kPoll_s = 0.02;
  WorkPool pool(folder, fmt::format("tasks that sleep\t{}\n", tasks), tasks);
  while (true) {
    pool.beat();
    const auto task = pool.take();
    if (pool.ended()) return;
    if (task && *task < tasks) sleep(takes_s);
    if (task) pool.finish(*task);
    if (!task) sleep(kPoll_s);
  }
}

}  // namespace

int main(int count, char** values) {
  const std::int64_t tasks = count > 1 ? std::atoll(values[1]) : 2000;
  const TemporaryFolder folder;
  const double began = steady_seconds();
  std::vector<pid_t> workers;
  for (int i = 0; i < kWorkers; ++i) {
    const pid_t worker = fork();
    if (worker == 0) {
      work(folder / "pool", tasks, i == 0 ? kSlower * kTask_s : kTask_s);
      _exit(0);
    }
    workers.push_back(worker);
  }
  // The slow one may be in a task that others have done: it holds nobody up.
  for (std::size_t i = 1; i < workers.size(); ++i) waitpid(workers[i], nullptr, 0);
  const double took = steady_seconds() - began;
  waitpid(workers.front(), nullptr, 0);
  const double ideal = static_cast<double>(tasks) * kTask_s / (kWorkers - 1 + 1 / kSlower);
  fmt::print("sleeping_pool: {} tasks in {:.1f} s, {:.3f} of ideal\n", tasks, took, ideal / took);
  return ideal / took >= kWanted ? 0 : 1;
}
