// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// A field of CSV: in quotation marks where it holds a comma or one of these. Text that a
/// spreadsheet would take for a formula begins with an apostrophe: that which begins, behind
/// blanks, with = + - @ or another form of one of these, such as a wide one. As `printable`.
std::string csv_text(std::string_view raw);

/// Fields that are written already, as a line.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace gpufeed
