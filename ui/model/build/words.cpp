// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/words.h"

#include <cctype>
#include <sstream>
#include <string_view>

namespace gpufeed::ui {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has_words(const std::string& text, const std::string& search) {
  const std::string all = lower(text);
  std::istringstream words(lower(search));
  for (std::string word; words >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

std::string without_quotes(const std::string& value) {
  const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                      value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace gpufeed::ui
