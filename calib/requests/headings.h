// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/model/study/request_report.h"

namespace gpufeed {

/// What a column of a log of jobs says.
enum class ColumnRole {
  command,
  used,           ///< what the job used of a need
  asked,          ///< what its user asked for
  submitted,      ///< when
  ended,          ///< when
  measured,       ///< something else that is known only afterwards
  number_of_job,  ///< which tells jobs apart, and says nothing of them
  known           ///< anything else that stands when the job is submitted
};

/// How its values are written.
enum class ColumnUnit {
  plain,      ///< numbers
  with_unit,  ///< "4 GB", "02:30:00"
  scaled      ///< numbers, in the unit that the heading ends in
};

struct Heading {
  std::string name;  ///< as it stands
  ColumnRole role = ColumnRole::known;
  Need need = Need::memory;  ///< of `used` and `asked`
  ColumnUnit unit = ColumnUnit::plain;
  double factor = 1;  ///< of `scaled`, to byte or second
};

/// What a column of this name holds, by its name alone: "peak_rss_B", "MaxRSS", "timelimit_min".
Heading heading_of(std::string_view name);

/// The nearest name that says what jobs used, with the unit that `name` ends in.
std::optional<std::string> nearest_usage(std::string_view name);

/// A value in the heading's unit, byte, second or number; seconds since 1970 of a date such as
/// 2026-11-28T08:00:00. Nothing where it is no such value.
std::optional<double> value_in(const Heading& heading, std::string_view text);

/// Whether it is a date, which all jobs share.
bool is_date(std::string_view text);

/// What a value of the column must look like, for messages: "a size such as 4 GB".
std::string form_of(const Heading& heading);

}  // namespace gpufeed
