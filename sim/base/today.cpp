// SPDX-License-Identifier: Apache-2.0
#include "sim/base/today.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace gpufeed {

std::chrono::year_month_day today() {
  using std::chrono::days;
  using std::chrono::floor;
  using std::chrono::sys_seconds;
  if (const char* const given = std::getenv("SOURCE_DATE_EPOCH")) {
    constexpr std::int64_t kYear9999 = 253'402'300'799;
    const std::string_view digits = given;
    std::int64_t seconds = -1;
    const auto [end, fault] =
        std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    const bool whole = fault == std::errc{} && end == digits.data() + digits.size();
    if (whole && seconds >= 0 && seconds <= kYear9999)
      return floor<days>(sys_seconds(std::chrono::seconds(seconds)));
  }
  return floor<days>(std::chrono::system_clock::now());
}

std::string date_text(std::chrono::year_month_day day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

}  // namespace gpufeed
