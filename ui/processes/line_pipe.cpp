// SPDX-License-Identifier: Apache-2.0
#include "ui/processes/line_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

[[noreturn]] void give_up(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

LinePipe::LinePipe(const std::string& command) : command_(command) {
  // a socket, for writing to one whose other end is closed can be told not to raise a signal
  int input[2];
  int output[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) give_up("socketpair");
  if (pipe2(output, O_CLOEXEC) != 0) give_up("pipe");
  pid_ = fork();
  if (pid_ < 0) give_up("fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(input[1], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(input[1]);
  close(output[1]);
  to_ = input[0];
  from_ = output[0];
}

LinePipe::~LinePipe() {
  close(to_);
  close(from_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void LinePipe::refuse(const char* what) const { throw InputError({{{command_, 0, 0}, what}}); }

void LinePipe::write(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = send(to_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) refuse("it has ended before the last job did");
    at += static_cast<std::size_t>(count);
  }
}

std::string LinePipe::read() {
  constexpr int kLongest = 60000;  // ms
  while (true) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    pollfd waits{from_, POLLIN, 0};
    const int ready = poll(&waits, 1, kLongest);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) refuse("it has not answered for a minute; does it flush its output?");
    char buffer[4096];
    const ssize_t count = ::read(from_, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) refuse("it has ended without an answer");
    read_.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace gpufeed
