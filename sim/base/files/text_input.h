// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/files/read_file.h"
#include "sim/base/printable.h"

namespace gpufeed {

/// `value` in quotation marks as a message shows it, its end left out where it is long.
std::string in_quotes(const std::string& value);

}  // namespace gpufeed
