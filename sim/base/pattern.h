// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed {

/// Whether `id` fits `pattern`, where * stands for any text and ? for any one character.
bool matches(const std::string& pattern, const std::string& id);

}  // namespace gpufeed
