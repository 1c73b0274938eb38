// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpufeed {

/// Requests as the CSV of an access log. Those that move no bytes are left out.
class LogWriter {
 public:
  void add(double time_s, std::string_view file, std::int64_t offset, std::int64_t bytes,
           bool writes) {
    if (bytes <= 0 || offset < 0 || !std::isfinite(time_s) || time_s < 0) return;
    std::string name(file);
    std::ranges::replace_if(
        name, [](char c) { return c == ',' || c == '"' || c == '\n'; }, '_');
    rows_ +=
        fmt::format("{:.9f},{},{},{},{}\n", time_s, name, offset, bytes, writes ? "write" : "read");
  }
  /// Nothing where there were no requests.
  std::optional<std::string> csv() const {
    if (rows_.empty()) return {};
    return "time,file,offset,bytes,op\n" + rows_;
  }

 private:
  std::string rows_;
};

}  // namespace gpufeed
