// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "ui/cli/files.h"

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

/// Writes all of `text` to a file descriptor. \return 0 or the error's number
int write_all(int descriptor, std::string_view text);

/// Where a result goes: a file that appears whole or not at all. A pipe or device is written as it
/// is.
class OutputFile {
 public:
  /// Tries whether it can be written, and leaves no trace.
  /// \param option  how messages call it: "--json out.json"
  /// \throws InputError
  OutputFile(std::string option, const std::filesystem::path& file);
  /// \throws InputError
  void write(std::string_view text) const;

 private:
  int open_temporary(std::string& name) const;
  [[noreturn]] void fail(int error) const;

  std::string option_;
  std::filesystem::path file_;
  bool special_ = false;
};

/// Where `option FILE` goes, noted as an output of the command; nothing for standard output or
/// without the option. \throws InputError
std::optional<OutputFile> output_for(const std::string& option,
                                     const std::optional<std::string>& file, CommandFiles& files);

/// Before long work: that `write_new` will not find a file there, but the folder it lies in.
/// \throws InputError
void check_new(const std::filesystem::path& file);

/// Writes a file that must not exist yet. \throws InputError
void write_new(const std::filesystem::path& file, std::string_view text);

}  // namespace gpufeed::cli
