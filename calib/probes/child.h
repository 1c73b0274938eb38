// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace gpufeed {

/// A signal asked the process to end, and it has tidied up. `what` says what it leaves behind.
class Interrupted : public std::exception {
 public:
  Interrupted(int signal, const char* left) : signal_(signal), left_(left) {}
  int signal() const { return signal_; }
  const char* what() const noexcept override { return left_; }

 private:
  int signal_;
  const char* left_;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP (unless ignored) do not end the process: what waits
/// or loops asks `throw_if_interrupted`, so that files and processes are tidied up. So does the
/// first SIGALRM where something handles it, which the next one meets.
class InterruptGuard {
 public:
  /// \param left  what an interruption leaves behind, a literal
  explicit InterruptGuard(const char* left = "nothing was written");
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

bool interrupted();
/// \throws Interrupted
void throw_if_interrupted();

/// A process that dies with this one, whatever ends it. Where this goes away first, it is ended
/// with all that it started: it leads a group of processes of its own, which gets SIGTERM, and
/// SIGKILL once it has ended, or half a second later.
class Child {
 public:
  /// Runs `work` in a process of its own; what it returns is the exit status.
  explicit Child(const std::function<int()>& work);
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// Until it ends; ends it when interrupted.
  /// \return its exit status, or 128 and the signal's number
  /// \throws Interrupted
  int wait();

 private:
  pid_t pid_ = -1;
};

/// Runs a program with its output into files.
/// \return its exit status; 127 where there is no such program
int run_program(const std::vector<std::string>& command, const std::string& output_file);

}  // namespace gpufeed
