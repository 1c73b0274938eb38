// SPDX-License-Identifier: Apache-2.0
#include "ui/processes/child_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>
#include <system_error>
#include <utility>

#include "sim/base/files/run_files.h"
#include "sim/base/files/write_whole.h"

namespace gpufeed {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// The files that it has read beside those that were read `before`: each ends in 0, and so does
/// the list.
std::string read_beside(const std::set<std::filesystem::path>& before) {
  std::string out;
  for (const auto& file : files_read())
    if (!before.contains(file)) out += file.string() + '\0';
  return out + '\0';
}

/// Notes what the child has read, and leaves what it returned.
std::string taken_from(const std::string& sent) {
  std::size_t at = 0;
  while (at < sent.size() && sent[at] != '\0') {
    const std::size_t end = std::min(sent.find('\0', at), sent.size());
    note_read(sent.substr(at, end - at));
    at = std::min(end + 1, sent.size());
  }
  return sent.substr(std::min(at + 1, sent.size()));
}

}  // namespace

ChildProcess::ChildProcess(const std::function<ChildEnd()>& work, int status_if_killed)
    : end_{status_if_killed, ""} {
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  std::fflush(nullptr);  // or the child would write what waits in our buffers once more
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    const auto before = files_read();
    const ChildEnd own = work();
    write_all(ends[1], read_beside(before) + own.text);
    _exit(own.status);
  }
  close(ends[1]);
  reading_end_ = ends[0];
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  wait_for_end();
  close(reading_end_);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      reading_end_(other.reading_end_),
      end_(std::move(other.end_)) {}

bool ChildProcess::receive() {
  char buffer[65536];
  const ssize_t count = read(reading_end_, buffer, sizeof buffer);
  if (count > 0) end_.text.append(buffer, static_cast<std::size_t>(count));
  if (count > 0 || (count < 0 && errno == EINTR)) return false;
  const int status = wait_for_end();
  close(reading_end_);
  pid_ = 0;
  end_.text = taken_from(end_.text);
  if (WIFEXITED(status)) end_.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status))
    end_.text = fmt::format("internal error: the simulation died of signal {} ({})\n",
                            WTERMSIG(status), strsignal(WTERMSIG(status)));
  return true;
}

int ChildProcess::wait_for_end() const {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace gpufeed
