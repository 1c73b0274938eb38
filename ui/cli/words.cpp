// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/words.h"

#include <algorithm>
#include <cctype>

#include "sim/base/printable.h"
#include "sim/base/units.h"

namespace gpufeed::cli {

bool contains(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

std::string with_commas(std::int64_t number) {
  return text_number(static_cast<double>(number), 15);
}

std::string command_line(const std::string& verb, const std::vector<std::string>& arguments) {
  std::string out = "gpufeed " + verb;
  for (const std::string& argument : arguments) out += ' ' + shell_word(argument);
  return out;
}

void add(Diagnostics& problems, const InputError& error) { problems.add(error.problems()); }

}  // namespace gpufeed::cli
