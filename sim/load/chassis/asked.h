// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/load/chassis/request.h"

namespace gpufeed {

/// `"8 x NAME"`, as a scenario or a chassis says it. A count left out is 1.
struct Asked {
  std::int64_t count = 1;
  std::string what;
  Location where;
};

/// The count and what follows it; nothing where the text has another form.
std::optional<Asked> parse_asked(std::string_view text, const Location& where);

/// The parts of a key: of one text or a list of texts; "none" is no part. Where the key is not
/// there, what the chassis comes with. Texts of another form are reported.
std::vector<Asked> asked_for(const Request& request, std::string_view key);

}  // namespace gpufeed
