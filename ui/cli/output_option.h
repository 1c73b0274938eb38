// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "ui/cli/options.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {

/// An option that writes a form of the answer to a file, or to standard output for "-".
class OutputOption {
 public:
  /// \param name  "--json"
  explicit OutputOption(std::string name) : name_(std::move(name)) {}

  /// \param help  what is written; must end where "; - writes it to standard output" may follow
  Options& add_to(Options& options, const std::string& help);
  /// Where it goes to a file, notes that as an output of the command and tries whether it can be
  /// written. \throws InputError
  void open();

  const std::string& name() const { return name_; }
  bool asked_for() const { return given_.has_value(); }
  bool takes_standard_output() const { return given_ == "-"; }
  /// The file; empty without the option, or for standard output.
  std::string file() const { return given_ && *given_ != "-" ? *given_ : std::string(); }
  /// \throws InputError, ReaderGone
  void write(std::string_view text) const;

 private:
  std::string name_;
  std::optional<std::string> given_;
  std::optional<OutputFile> file_;
};

/// Whether one of them takes standard output, and leaves it for nothing else.
/// \throws UsageError  where two do
bool take_standard_output(const Options& options,
                          std::initializer_list<const OutputOption*> outputs);

}  // namespace gpufeed::cli
