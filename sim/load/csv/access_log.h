// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/model/kinds/access_log.h"

namespace gpufeed {

/// Reads an access log: comma-separated values, the first line naming the columns, in any order:
/// `time` (seconds from any date, of when a request was made), `file` (any name), `offset` and
/// `bytes` (whole numbers), and, where there are writes, `op` (read or write). Fields may stand in
/// quotation marks. Lines need not be in order of time. At most 1 GiB.
/// \param name  shown in every message about this text
/// \return null after problems were reported to `out`, the first 20
std::shared_ptr<const AccessLog> parse_access_log(std::string_view text, const std::string& name,
                                                  Diagnostics& out);
std::shared_ptr<const AccessLog> load_access_log(const std::filesystem::path& file,
                                                 Diagnostics& out);

/// What a log asks for, in a few numbers.
struct AccessSummary {
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double sequential_share = 0;  ///< of the requests: begin where the last of their file ended
};
AccessSummary summary_of(const AccessLog& log);

}  // namespace gpufeed
