// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/page_head.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/base/files/read_file.h"
#include "sim/base/today.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

/// What a value of a key may name. Other kinds, such as laws of prices, are called as words are.
constexpr std::array<std::string_view, 15> kProducts{
    "array", "cable",          "chassis", "cpu",      "dataset", "drive",  "gpu",    "memory",
    "model", "network-switch", "nic",     "protocol", "switch",  "system", "decoder"};

}  // namespace

html::PageHead page_head(const std::string& verb, const Arguments& arguments, std::string title,
                         const std::vector<std::string>& files) {
  html::PageHead head{
      std::move(title), command_line(verb, arguments), PROJECT_VERSION, {}, date_text(today())};
  for (const auto& file : files) {
    Diagnostics problems;
    const auto text = read_text_file(file, kMaxTextSize, problems);
    problems.throw_if_any();
    head.files.push_back({file, *text});
  }
  return head;
}

void add_titles(const std::string& value, const Catalog& catalog,
                std::map<std::string, std::string>& out) {
  constexpr std::string_view kBetween = " ,\"'";
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = std::min(value.find_first_of(kBetween, at), value.size());
    const std::string word = value.substr(at, end - at);
    at = end + 1;
    if (word.empty() || out.contains(word)) continue;
    const auto has = [&](const auto& kind) { return catalog.find(kind, word).has_value(); };
    if (std::ranges::none_of(kProducts, has)) continue;
    for (const EntryText& one : describe_entry(catalog, word))
      if (std::ranges::count(kProducts, one.kind) > 0) out.emplace(word, one.title);
  }
}

}  // namespace gpufeed::cli
