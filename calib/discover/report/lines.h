// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpufeed {

/// One text of a report by lines, and which of them somebody has read: what nobody read is told.
class ReportLines {
 public:
  ReportLines(std::string_view text, std::string name);

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

/// Without spaces around it.
std::string_view trimmed(std::string_view text);
/// What follows "key:" (spaces around the colon allowed) in a line that begins with it.
std::optional<std::string> value_after(std::string_view line, std::string_view key);
/// The words of a line.
std::vector<std::string> split_words(std::string_view line);
/// The number that a text begins with; 0 where there is none.
double leading_number(std::string_view text);
/// "512 GB", "503Gi", "32768 MB", "7.0T": bytes. A unit of one letter, or "GB", counts in 1024,
/// as programs of Linux write it; 0 where it is no size.
double size_in_bytes(std::string_view text);

}  // namespace gpufeed
