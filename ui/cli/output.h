// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/files/write_whole.h"

namespace gpufeed::cli {

/// Whoever read our standard output has gone: time to stop, and no fault.
struct ReaderGone {};

/// Writes to standard output at once; control characters are shown, not sent.
/// \throws ReaderGone, InputError
void print(std::string_view text);

/// A screen of an answer, in colors on a terminal that shows some, unless NO_COLOR is set
/// (no-color.org). \throws ReaderGone, InputError
void print_screen(std::string_view text);

/// The same to standard error; nobody could be told if that fails.
void complain(std::string_view text);

/// How wide the terminal is that standard output goes to; nothing where that is none.
std::optional<std::size_t> columns_of_output();

/// Where a result goes: a file that appears whole or not at all. A pipe or device is written as it
/// is.
class OutputFile {
 public:
  /// Notes an output of the command, tries whether it can be written, and leaves no trace.
  /// \param option  how messages call it: "--json out.json"
  /// \throws InputError
  OutputFile(std::string option, const std::filesystem::path& file);
  /// \throws ReaderGone, InputError
  void write(std::string_view text) const;

 private:
  [[noreturn]] void fail(const std::error_code& error) const;

  std::string option_;
  std::filesystem::path file_;
  bool special_ = false;
};

/// Before long work: that `write_new` will not find a file there, but the folder it lies in.
/// \throws InputError
void check_new(const std::filesystem::path& file);

}  // namespace gpufeed::cli
