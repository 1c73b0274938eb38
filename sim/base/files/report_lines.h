// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"

namespace gpufeed {

/// One text of a report by lines, and which of them somebody has read: what nobody read is told.
class ReportLines {
 public:
  /// \throws InputError  where there are more lines
  ReportLines(std::string_view text, std::string name, std::size_t most_lines = 1000000);

  std::size_t size() const { return lines_.size(); }
  const std::string& operator[](std::size_t line) const { return lines_[line]; }
  const std::string& name() const { return name_; }  ///< of the file, for messages
  void use(std::size_t line) { used_[line] = true; }
  void use(std::size_t from, std::size_t to);  ///< without `to`
  /// First and last line, from 1, of each stretch that nobody read and that holds words.
  std::vector<std::pair<std::size_t, std::size_t>> unread() const;
  /// The lines of a stretch as one text; the others are empty, so that places in it are right.
  std::string text(std::size_t from, std::size_t to) const;

 private:
  std::string name_;
  std::vector<std::string> lines_;
  std::vector<bool> used_;
};

/// What nobody read, by its lines and first words, at most 20 stretches. Prompts and frames alone
/// are nothing.
Names unread_in_words(const ReportLines& lines);

}  // namespace gpufeed
