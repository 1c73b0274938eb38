// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// One field of a line of CSV.
struct CsvField {
  std::string_view text;   ///< without quotation marks; doubled ones within stay doubled
  std::size_t column = 1;  ///< where it begins, from 1
};

/// Goes through CSV line by line: fields apart by commas, in quotation marks where they hold one.
/// Spaces around fields, a byte order mark and the carriage returns of Windows are left out. A
/// field ends with its line.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text);
  /// Goes to the next line that is not blank; false where there is none.
  bool next();
  const std::vector<CsvField>& fields() const { return fields_; }
  int line() const { return line_; }  ///< from 1

 private:
  void split(std::string_view line);

  std::string_view rest_;
  int line_ = 0;
  std::vector<CsvField> fields_;
};

/// For messages: `text` in quotation marks, what is not plain ASCII as ?, its end left out where it
/// is long.
std::string shown_field(std::string_view text);

}  // namespace gpufeed
