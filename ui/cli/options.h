// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "ui/cli/limits.h"
#include "ui/cli/verb_text.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gpufeed::cli {

using Arguments = std::vector<std::string>;

/// An argument that nobody types: instead of running, a verb throws its `VerbText`.
inline constexpr const char* kDescribe = "\x1e";

/// The command line is wrong; `what()` is one line for the user.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What one verb takes: operands and long options, with their help; every verb has limits. The
/// referenced variables must live until `parse`.
class Options {
 public:
  /// \param verb     as typed: "simulate", "catalog list"
  /// \param summary  what it does, one or more sentences
  /// \param example  a command line worth trying
  Options(std::string verb, std::string summary, std::string example);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  Options& operand(const std::string& name, std::string& value, const std::string& help);
  Options& optional_operand(const std::string& name, std::string& value, const std::string& help);
  Options& operands(const std::string& name, std::vector<std::string>& values,
                    const std::string& help);
  Options& flag(const std::string& name, bool& value, const std::string& help);
  Options& value(const std::string& name, const std::string& form,
                 std::optional<std::string>& value, const std::string& help);
  /// An option whose own value may be left out; empty then.
  Options& optional_value(const std::string& name, const std::string& form,
                          std::optional<std::string>& value, const std::string& help);
  /// An option that may be given again and again.
  Options& repeatable(const std::string& name, const std::string& form,
                      std::vector<std::string>& values, const std::string& help);

  /// The last one is seldom needed: it stands behind `--help-all`.
  void seldom() { text_.options.back().seldom = true; }

  /// From here on the limits hold, for the processes that the command starts too: each may take as
  /// much memory.
  /// \return false where `--help` or `--help-all` was asked for, and printed
  /// \throws UsageError; VerbText for `kDescribe`
  bool parse(const Arguments& arguments);
  /// `message` as one of this verb.
  UsageError error(const std::string& message) const;
  const Limits& limits() const { return limits_; }

 private:
  Options& add_option(const std::string& name, const std::string& form, const std::string& help,
                      Takes takes);
  Options& add_operand(const std::string& name, const std::string& usage, const std::string& help,
                       Takes takes);
  /// Refuses options without what they take, or with what they do not, before the parser, which
  /// would take the next argument for a value, or say it in words of its own.
  void refuse_misused(const Arguments& arguments) const;
  void refuse_leftovers() const;

  VerbText text_;
  Limits limits_;
  Names names_;  ///< of the options
  std::map<std::string, Takes> takes_;
  bool help_wanted_ = false;
  bool whole_help_wanted_ = false;
  std::unique_ptr<CLI::App> app_;
};

}  // namespace gpufeed::cli
