// SPDX-License-Identifier: Apache-2.0
#include "sim/base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace gpufeed {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string letters_and_digits(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// However the names are hyphenated.
Names names_holding(std::string_view part, const Names& known) {
  const std::string wanted = letters_and_digits(part);
  Names out;
  if (wanted.size() < 3) return out;
  std::ranges::copy_if(known, std::back_inserter(out), [&](const std::string& name) {
    return letters_and_digits(name).find(wanted) != std::string::npos;
  });
  return out;
}

/// "nvidia", "rtx", "4090" of "nvidia-rtx-4090".
Names words_of(std::string_view name) {
  Names words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

/// Those that share most words with numbers in them: what products are told apart by.
Names names_sharing_numbers(std::string_view name, const Names& known) {
  const Names wanted = words_of(name);
  const auto is_number = [](const std::string& word) {
    return word.size() >= 3 && std::ranges::any_of(word, [](char c) {
             return std::isdigit(static_cast<unsigned char>(c)) != 0;
           });
  };
  Names out;
  std::size_t most = 1;
  for (const std::string& candidate : known) {
    std::size_t shared = 0;
    for (const std::string& word : words_of(candidate))
      if (is_number(word) && std::ranges::count(wanted, word) > 0) ++shared;
    if (shared < most) continue;
    if (shared > most) out.clear();
    most = shared;
    out.push_back(candidate);
  }
  return out;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const Names& known) {
  constexpr std::size_t kLongestName = 200;  // the table is quadratic, and no real name is longer
  if (name.size() > kLongestName) return {};
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const auto& candidate : known) {
    if (candidate.size() > kLongestName) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best && best_distance == 1) return *best;
  // A name cut short is more likely than two slips.
  const auto begins = [&](const std::string& k) { return name.size() >= 3 && k.starts_with(name); };
  const auto cut_short = std::ranges::count_if(known, begins);
  if (cut_short == 1) return *std::ranges::find_if(known, begins);
  if (best && cut_short == 0) return *best;
  return {};
}

std::string suggestion(std::string_view name, const Names& known) {
  constexpr std::size_t kShown = 12;
  if (const auto near = nearest(name, known)) return fmt::format("did you mean \"{}\"?", *near);
  if (known.empty()) return "none is known";
  Names holding = names_holding(name, known);
  if (holding.empty()) holding = names_sharing_numbers(name, known);
  if (holding.size() == 1) return fmt::format("did you mean \"{}\"?", holding.front());
  if (!holding.empty() && holding.size() <= kShown)
    return fmt::format("did you mean one of {}?", fmt::join(holding, ", "));
  const Names shown(known.begin(),
                    known.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, known.size())));
  return fmt::format("known: {}{}", fmt::join(shown, ", "), known.size() > kShown ? ", ..." : "");
}

}  // namespace gpufeed
