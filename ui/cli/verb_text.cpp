// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/verb_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/writers/layout.h"

namespace gpufeed::cli {
namespace {

using OptionTexts = std::vector<OptionText>;

std::string lines_of_options(const OptionTexts& options) {
  std::size_t width = 0;
  for (const auto& one : options) width = std::max(width, left_side(one).size() + 4);
  std::string out;
  for (const auto& one : options) out += labeled("  " + left_side(one), one.help, width);
  return out;
}

std::string usage_of(const VerbText& verb, const std::string& summary) {
  return fmt::format("Usage: gpufeed {}{} [OPTION]...\n\n", verb.verb, verb.usage) +
         labeled("", summary, 0) + "\n";
}

/// `text` without what follows its last comma or colon, as often as it takes to fit in `width`.
std::string shortened(std::string text, std::size_t width) {
  while (text.size() > width) {
    const std::size_t cut = text.find_last_of(",:");
    if (cut == std::string::npos || cut == 0) break;
    text.resize(cut);
  }
  return text;
}

}  // namespace

std::string left_side(const OptionText& option) {
  if (option.form.empty()) return option.name;
  return option.takes == Takes::perhaps_a_value ? fmt::format("{} [{}]", option.name, option.form)
                                                : option.name + " " + option.form;
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::string gist(const std::string& text) {
  const std::size_t end = std::min({text.find(". "), text.find("; "), text.find(": ")});
  return end == std::string::npos ? text : text.substr(0, end) + ".";
}

std::string first_clause(const std::string& text) {
  const std::size_t end = std::min(text.find("; "), text.find(". "));
  return text.substr(0, end);
}

std::string whole_help(const VerbText& verb) {
  return usage_of(verb, verb.summary) + lines_of_options(verb.options) +
         fmt::format("\nExample:\n  {}\n", verb.example);
}

std::string short_help(const VerbText& verb) {
  OptionTexts often;
  std::size_t width = 0;
  std::ranges::copy_if(verb.options, std::back_inserter(often),
                       [](const OptionText& one) { return !one.seldom; });
  for (const auto& one : often) width = std::max(width, left_side(one).size() + 4);
  for (auto& one : often) {
    constexpr std::size_t kLines = 2;
    one.help = shortened(first_clause(one.help), kLines * (kScreenWidth - width - 4));
  }
  const std::string& example = verb.example;
  const std::size_t last = example.rfind("\n  ");
  return usage_of(verb, first_sentence(verb.summary)) + lines_of_options(often) +
         fmt::format("\nExample:\n  {}\n",
                     last == std::string::npos ? example : example.substr(last + 3));
}

}  // namespace gpufeed::cli
