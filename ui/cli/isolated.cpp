// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/isolated.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/base/diagnostics.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Outcome outcome_of(const Job& job) {
  try {
    return {kGood, job()};
  } catch (const InputError& error) {
    return {kWrongInput, error.what()};
  } catch (const std::exception& error) {
    return {kOurFault, fmt::format("internal error: {}\n", error.what())};
  }
}

/// A job under way in a child process, whose text comes through a pipe.
class Child {
 public:
  Child(const Job& job, Outcome& outcome) : outcome_(&outcome) {
    int ends[2];
    if (pipe(ends) != 0) fail("pipe");
    std::fflush(nullptr);  // or the child would write what waits in our buffers once more
    pid_ = fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      const Outcome own = outcome_of(job);
      write_all(ends[1], own.text);
      _exit(own.status);
    }
    close(ends[1]);
    reading_end_ = ends[0];
  }
  ~Child() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    wait_for_end();
    close(reading_end_);
  }
  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)),
        reading_end_(other.reading_end_),
        outcome_(other.outcome_) {}
  Child& operator=(Child&&) = delete;

  int reading_end() const { return reading_end_; }

  /// Takes what the child has written. \return whether it has ended
  bool receive() {
    char buffer[65536];
    const ssize_t count = read(reading_end_, buffer, sizeof buffer);
    if (count > 0) outcome_->text.append(buffer, static_cast<std::size_t>(count));
    if (count > 0 || (count < 0 && errno == EINTR)) return false;
    const int status = wait_for_end();
    close(reading_end_);
    pid_ = 0;
    outcome_->status = WIFEXITED(status) ? WEXITSTATUS(status) : kOurFault;
    if (WIFSIGNALED(status))
      outcome_->text = fmt::format("internal error: the simulation died of signal {} ({})\n",
                                   WTERMSIG(status), strsignal(WTERMSIG(status)));
    return true;
  }

 private:
  int wait_for_end() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    return status;
  }

  pid_t pid_ = 0;
  int reading_end_ = -1;
  Outcome* outcome_;
};

void receive_from(std::vector<Child>& children) {
  std::vector<pollfd> ready;
  ready.reserve(children.size());
  for (const Child& child : children) ready.push_back({child.reading_end(), POLLIN, 0});
  if (poll(ready.data(), ready.size(), -1) < 0) {
    if (errno == EINTR) return;
    fail("poll");
  }
  std::vector<Child> left;
  for (std::size_t i = 0; i < ready.size(); ++i)
    if (ready[i].revents == 0 || !children[i].receive()) left.push_back(std::move(children[i]));
  children.swap(left);
}

}  // namespace

std::vector<Outcome> run_isolated(const std::vector<Job>& jobs) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Outcome> outcomes(jobs.size());
  std::vector<Child> children;
  for (std::size_t next = 0; next < jobs.size() || !children.empty();) {
    if (next < jobs.size() && children.size() < cores) {
      children.emplace_back(jobs[next], outcomes[next]);
      ++next;
    } else {
      receive_from(children);
    }
  }
  return outcomes;
}

}  // namespace gpufeed::cli
