// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// Where fio's JSON lies: text may stand before and behind it (--output-format=normal,json), and
/// with --status-interval the last of several is the result.
struct JsonPlace {
  std::size_t start = std::string_view::npos;
  std::size_t end = 0;
};
/// `start` is npos where there is none.
JsonPlace last_json(std::string_view text);

/// Goes through it before a tree is made of it, and tells what is wrong with it and where.
void examine_json(std::string_view text, const JsonPlace& json, const std::string& name,
                  Diagnostics& out);

}  // namespace gpufeed
