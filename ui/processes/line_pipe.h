// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace gpufeed {

/// A command of the user's that is spoken to line by line. Its error output is the program's own.
class LinePipe {
 public:
  /// \throws std::system_error  where there can be no more processes
  explicit LinePipe(const std::string& command);
  /// Closes its input and kills it where it does not end.
  ~LinePipe();
  LinePipe(const LinePipe&) = delete;
  LinePipe& operator=(const LinePipe&) = delete;

  /// \throws InputError  it has ended
  void write(const std::string& line);
  /// \throws InputError  it has ended, or says nothing for a minute
  std::string read();

 private:
  [[noreturn]] void refuse(const char* what) const;

  std::string command_;
  pid_t pid_ = 0;
  int to_ = -1, from_ = -1;
  std::string read_;  ///< behind the last line
};

}  // namespace gpufeed
