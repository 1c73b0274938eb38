// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed::cli {

/// What stands after an option.
enum class Takes { nothing, a_value, perhaps_a_value, values };

/// One operand or option of a verb.
struct OptionText {
  std::string name;  ///< "--set"; with a short form "-o,--output"; of an operand what stands for it
  std::string form;  ///< what its value looks like: "FILE"; empty without
  std::string help;
  bool is_operand = false;
  Takes takes = Takes::nothing;
  bool seldom = false;  ///< most never need it: the short help leaves it out
};

/// What one verb takes, as data: help, manual pages and completions are made of it.
struct VerbText {
  std::string verb;     ///< as typed: "simulate", "catalog list"
  std::string summary;  ///< one or more sentences
  std::string example;  ///< a command line worth trying, or several
  std::string usage;    ///< its operands: " FILE..."
  std::vector<OptionText> options;
};

/// The left side of its line: "--set PATH=VALUE".
std::string left_side(const OptionText& option);

/// `text` up to the end of its first sentence.
std::string first_sentence(const std::string& text);

/// `text` up to its first full stop, semicolon or colon: a sentence.
std::string gist(const std::string& text);

/// `text` up to the end of its first clause or sentence, without the mark.
std::string first_clause(const std::string& text);

/// Everything, in full sentences.
std::string whole_help(const VerbText& verb);

/// What fits a screen of 24 lines: the first sentence, what is often needed, of each the first
/// clause.
std::string short_help(const VerbText& verb);

}  // namespace gpufeed::cli
