// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/edits.h"

#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"

namespace gpufeed::ui {

std::string with_words(const std::string& text, const std::string& path, const std::string& words) {
  try {
    return with_value(text, path, words);
  } catch (const InputError& error) {
    if (!std::string_view(error.what()).ends_with("as TOML writes it\n")) throw;
  }
  return with_value(text, path, toml_string(words));
}

}  // namespace gpufeed::ui
