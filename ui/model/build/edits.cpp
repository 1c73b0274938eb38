// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/edits.h"

#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"

namespace gpufeed::ui {

std::string with_words(const std::string& text, const KeyPath& path, const std::string& words) {
  return with_value(text, path, is_value(words) ? words : toml_string(words));
}

}  // namespace gpufeed::ui
