// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

volatile sig_atomic_t asked_to_end = 0;  ///< the signal's number
const char* left_behind = "";

struct sigaction at_limit {};  ///< what ends the process when its time is up

extern "C" void note_signal(int number) {
  asked_to_end = number;
  if (number == SIGALRM) sigaction(SIGALRM, &at_limit, nullptr);  // where tidying takes too long
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;  // without SA_RESTART: waits return
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction present {};
  sigaction(SIGHUP, nullptr, &present);
  if (present.sa_handler != SIG_IGN)  // what nohup started outlives its terminal
    sigaction(SIGHUP, &action, nullptr);
}

constexpr int kNoProgram = 127;

/// Whether a child has ended, which is left for waitpid: until then its number names its group.
bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

/// Ends a group of processes and reaps its first: SIGTERM lets them tidy up, for a while.
void end_group(pid_t first) {
  constexpr useconds_t kLongestPause = 10000;
  constexpr useconds_t kPatience = 500000;
  kill(-first, SIGTERM);
  // most end at once, and what measures how long workers take waits here
  useconds_t pause = 10;
  for (useconds_t waited = 0; waited < kPatience && !has_ended(first); waited += pause) {
    pause = std::min(kLongestPause, 2 * pause);
    usleep(pause);
  }
  kill(-first, SIGKILL);
  while (waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

InterruptGuard::InterruptGuard(const char* left) {
  asked_to_end = 0;
  left_behind = left;
  handle(note_signal);
  sigaction(SIGALRM, nullptr, &at_limit);
  if (at_limit.sa_handler == SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigaction(SIGALRM, &action, nullptr);
}
InterruptGuard::~InterruptGuard() {
  handle(SIG_DFL);
  sigaction(SIGALRM, &at_limit, nullptr);
  asked_to_end = 0;
}

bool interrupted() { return asked_to_end != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted(asked_to_end, left_behind);
}

Child::Child(const std::function<int()>& work) {
  const pid_t parent = getpid();
  sigset_t every;
  sigset_t before;
  sigfillset(&every);
  sigprocmask(SIG_BLOCK, &every, &before);  // one that came now would meet this process's handlers
  pid_ = fork();
  if (pid_ != 0) sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid_ < 0)
    throw InputError({{{"this machine", 0, 0},
                       fmt::format("cannot start a process: {}", std::strerror(errno))}});
  if (pid_ > 0) {
    setpgid(pid_, pid_);  // both do it: whoever comes first
    return;
  }
  setpgid(0, 0);
  signal(SIGTTIN, SIG_IGN);  // no longer the terminal's own group, it would be stopped
  signal(SIGTTOU, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  handle(SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (getppid() != parent) _exit(1);  // it died before it could be told
  int status = 1;
  try {
    status = work();
  } catch (...) {  // there is nobody here to tell
  }
  _exit(status);
}

Child::~Child() {
  if (pid_ > 0) end_group(pid_);
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

int Child::wait() {
  // asks again and again: a signal just before a wait without an end would not end it
  constexpr useconds_t kPause = 10000;
  int status = 0;
  for (pid_t ended = 0; ended != pid_;) {
    throw_if_interrupted();
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) return kNoProgram;
    if (ended == 0) usleep(kPause);
  }
  pid_ = -1;
  constexpr int kSignals = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignals + WTERMSIG(status);
}

int run_program(const std::vector<std::string>& command, const std::string& output_file) {
  Child child([&] {
    const int out = open(output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) return 1;
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    return kNoProgram;
  });
  return child.wait();
}

}  // namespace gpufeed
