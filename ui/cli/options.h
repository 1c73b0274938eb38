// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/nearest.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gpufeed::cli {

using Arguments = std::vector<std::string>;

/// The command line is wrong; `what()` is one line for the user.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What one verb takes: operands and long options, with their help. The referenced variables must
/// live until `parse`.
class Options {
 public:
  /// \param verb     as typed: "simulate", "catalog list"
  /// \param summary  what it does, one or more sentences
  /// \param example  a command line worth trying
  Options(std::string verb, std::string summary, std::string example);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void operand(const std::string& name, std::string& value, const std::string& help);
  void optional_operand(const std::string& name, std::string& value, const std::string& help);
  void operands(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  void value(const std::string& name, const std::string& form, std::optional<std::string>& value,
             const std::string& help);
  /// An option whose own value may be left out; empty then.
  void optional_value(const std::string& name, const std::string& form,
                      std::optional<std::string>& value, const std::string& help);
  /// An option that may be given again and again.
  void repeatable(const std::string& name, const std::string& form,
                  std::vector<std::string>& values, const std::string& help);

  /// \return false where `--help` was asked for, and printed
  /// \throws UsageError
  bool parse(const Arguments& arguments);
  /// `message` as one of this verb.
  UsageError error(const std::string& message) const;
  std::string help() const;

 private:
  struct Line {
    std::string left;
    std::string help;
  };
  enum class Takes { nothing, a_value, perhaps_a_value, values };
  void add_name(const std::string& name, Takes takes);
  /// Refuses options without what they take, or with what they do not, before the parser, which
  /// would take the next argument for a value, or say it in words of its own.
  void refuse_misused(const Arguments& arguments) const;
  void refuse_leftovers() const;

  std::string verb_;
  std::string summary_;
  std::string example_;
  std::string usage_;
  std::vector<Line> lines_;
  Names names_;  ///< of the options
  std::map<std::string, Takes> takes_;
  bool help_wanted_ = false;
  std::unique_ptr<CLI::App> app_;
};

}  // namespace gpufeed::cli
