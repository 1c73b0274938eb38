// SPDX-License-Identifier: Apache-2.0
#include "ui/model/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <system_error>

namespace gpufeed::ui {
namespace {

constexpr int kAskEvery_ms = 5;
constexpr int kGood = 0;
constexpr int kRefused = 2;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // nobody reads any more
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, int pipe_end) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  int status = kGood;
  try {
    write_all(pipe_end, work());
  } catch (const std::exception& error) {
    write_all(pipe_end, error.what());
    status = kRefused;
  }
  _exit(status);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

/// Reads until the other end is closed. \return false where `stop` asked to end
bool read_all(int descriptor, const std::function<bool()>& stop, std::string& text) {
  char buffer[65536];
  while (!stop()) {
    pollfd ready{descriptor, POLLIN, 0};
    if (poll(&ready, 1, kAskEvery_ms) <= 0) continue;
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return false;
}

}  // namespace

std::optional<ChildEnd> run_in_child(const std::function<std::string()>& work,
                                     const std::function<bool()>& stop) {
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(ends[0]);
    be_the_child(work, ends[1]);
  }
  close(ends[1]);
  ChildEnd end;
  const bool whole = read_all(ends[0], stop, end.text);
  if (!whole) kill(child, SIGKILL);
  const int status = wait_for(child);
  close(ends[0]);
  if (!whole) return {};
  end.good = WIFEXITED(status) && WEXITSTATUS(status) == kGood;
  if (WIFSIGNALED(status))
    end.text = fmt::format("internal error: the simulation died of signal {} ({})",
                           WTERMSIG(status), strsignal(WTERMSIG(status)));
  return end;
}

}  // namespace gpufeed::ui
