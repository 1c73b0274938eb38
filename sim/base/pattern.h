// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/nearest.h"

namespace gpufeed {

/// Whether `text` may stand for several ids: * for any text, ? for any one character.
bool is_pattern(const std::string& text);

/// Whether `id` fits `pattern`.
bool matches(const std::string& pattern, const std::string& id);

/// As `suggestion`, of a pattern or an id that none of `ids` fits: of a pattern, what is near may
/// be all that differ in their number only, such as "ssd*" of "sd*".
std::string suggestion_for(const std::string& pattern, const Names& ids);

}  // namespace gpufeed
