// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed::ui {

/// Letters of ASCII as small ones.
std::string lower(std::string text);

/// Whether `text` has all words of `search`, whatever the case.
bool has_words(const std::string& text, const std::string& search);

}  // namespace gpufeed::ui
