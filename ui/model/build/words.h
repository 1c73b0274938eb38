// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed::ui {

/// Letters of ASCII as small ones.
std::string lower(std::string text);

/// Whether `text` has all words of `search`, whatever the case.
bool has_words(const std::string& text, const std::string& search);

/// A value as TOML writes it without the quotes that it may stand in.
std::string without_quotes(const std::string& value);

}  // namespace gpufeed::ui
