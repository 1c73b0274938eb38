// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/key_path.h"

namespace gpufeed::ui {

/// `text`, a scenario, with a key at a value as it is typed in: what TOML does not read is text.
/// \throws InputError  where the text cannot take it
std::string with_words(const std::string& text, const KeyPath& path, const std::string& words);

}  // namespace gpufeed::ui
