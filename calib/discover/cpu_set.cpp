// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/cpu_set.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace gpufeed {
namespace {

constexpr std::uint32_t kBits = 32;

/// What stands before the next comma, which is taken off.
std::string_view next_item(std::string_view& text) {
  const std::string_view item = text.substr(0, text.find(','));
  text.remove_prefix(std::min(item.size() + 1, text.size()));
  return item;
}

std::uint32_t number_in(std::string_view text, int base) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

}  // namespace

CpuSet CpuSet::of_mask(std::string_view text) {
  CpuSet set;
  if (text.empty()) return set;
  bool more = true;
  while (more) {
    more = text.find(',') != std::string_view::npos;
    std::string_view word = next_item(text);
    if (word.starts_with("0x")) word.remove_prefix(2);
    set.words_.push_back(number_in(word, 16));
  }
  std::ranges::reverse(set.words_);
  return set;
}

CpuSet CpuSet::of_list(std::string_view text) {
  constexpr std::uint32_t kMost = 65536;
  CpuSet set;
  while (!text.empty()) {
    const std::string_view item = next_item(text);
    const std::size_t dash = item.find('-');
    const std::uint32_t first = number_in(item.substr(0, dash), 10);
    const std::uint32_t last =
        dash == std::string_view::npos ? first : number_in(item.substr(dash + 1), 10);
    for (std::uint32_t i = first; i <= last && i < kMost; ++i) {
      if (set.words_.size() <= i / kBits) set.words_.resize(i / kBits + 1);
      set.words_[i / kBits] |= std::uint32_t{1} << (i % kBits);
    }
  }
  return set;
}

bool CpuSet::overlaps(const CpuSet& other) const {
  for (std::size_t i = 0; i < std::min(words_.size(), other.words_.size()); ++i)
    if (words_[i] & other.words_[i]) return true;
  return false;
}

void CpuSet::add(const CpuSet& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
  for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

std::vector<std::pair<std::int64_t, std::int64_t>> CpuSet::runs() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (std::size_t word = 0; word < words_.size(); ++word)
    for (std::uint32_t bit = 0; bit < kBits; ++bit) {
      if ((words_[word] >> bit & 1U) == 0) continue;
      const auto at = static_cast<std::int64_t>(word * kBits + bit);
      if (!out.empty() && out.back().second + 1 == at)
        ++out.back().second;
      else
        out.emplace_back(at, at);
    }
  return out;
}

std::int64_t CpuSet::sibling_distance() const {
  const auto all = runs();
  const std::size_t half = all.size() / 2;
  if (half == 0 || all.size() % 2 != 0) return 0;
  const std::int64_t distance = all[half].first - all[0].first;
  std::int64_t widest_gap = 1;  // within one half
  for (std::size_t i = 0; i < half; ++i) {
    if (all[i].first + distance != all[i + half].first) return 0;
    if (all[i].second + distance != all[i + half].second) return 0;
    if (i > 0) widest_gap = std::max(widest_gap, all[i].first - all[i - 1].second);
  }
  return all[half].first - all[half - 1].second > widest_gap ? distance : 0;
}

std::int64_t CpuSet::count() const {
  std::int64_t count = 0;
  for (const std::uint32_t word : words_) count += std::popcount(word);
  return count;
}

}  // namespace gpufeed
