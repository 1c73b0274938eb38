// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace gpufeed {

/// How work in a process of its own ended.
struct ChildEnd {
  int status = 0;    ///< the process' exit status; that of `ChildProcess` where a signal killed it
  std::string text;  ///< what the work returned; of a killed one, what killed it
};

/// Work under way in a process of its own, whose text comes through a pipe: it can be stopped at
/// any moment, and takes nobody with it. It must start no threads.
class ChildProcess {
 public:
  /// \param status_if_killed  to give where a signal ends it
  /// \throws std::system_error  where there can be no more processes
  ChildProcess(const std::function<ChildEnd()>& work, int status_if_killed);
  /// Kills it where it has not ended.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// A descriptor that can be read, as poll says it, when there is something to receive.
  int reading_end() const { return reading_end_; }
  /// Takes what there is to read; waits where there is nothing. \return whether it has ended
  bool receive();
  /// Once it has ended.
  const ChildEnd& end() const { return end_; }

 private:
  int wait_for_end() const;

  pid_t pid_ = 0;
  int reading_end_ = -1;
  ChildEnd end_;
};

}  // namespace gpufeed
