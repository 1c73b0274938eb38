// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

namespace gpufeed {

/// Runs `work` as process 1 of a PID namespace of its own, as in a container: it sees no process of
/// this one. \return its status; nothing where that is not permitted
inline std::optional<int> run_in_container(const std::function<int()>& work) {
  constexpr int kNotPermitted = 77;
  const auto status_of = [](pid_t pid) {
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  };
  const pid_t outer = fork();
  if (outer == 0) {
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
      _exit(kNotPermitted);
    const pid_t inner = fork();
    if (inner == 0) _exit(getpid() == 1 ? work() : 1);
    _exit(status_of(inner));
  }
  const int status = status_of(outer);
  return status == kNotPermitted ? std::optional<int>() : status;
}

}  // namespace gpufeed
