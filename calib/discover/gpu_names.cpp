// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/gpu_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace gpufeed {
namespace {

using NameWords = std::set<std::string>;

/// NameWords that tell nothing apart: makers, brands, kinds of memory.
constexpr std::array<std::string_view, 22> kSilent{
    "nvidia", "amd",     "ati",    "advanced",  "micro",    "devices",    "inc",     "corporation",
    "tesla",  "geforce", "quadro", "instinct",  "graphics", "generation", "edition", "hbm2",
    "hbm2e",  "hbm3",    "hbm3e",  "blackwell", "oam",      "die"};

bool is_size(const std::string& word) {
  return word.size() > 2 && word.ends_with("gb") &&
         std::ranges::all_of(word.substr(0, word.size() - 2),
                             [](unsigned char c) { return std::isdigit(c) != 0; });
}

NameWords words_of(const std::string& name) {
  NameWords out;
  std::string word;
  for (const char c : name + " ") {
    const auto plain = static_cast<unsigned char>(c);
    if (std::isalnum(plain) != 0) {
      word += static_cast<char>(std::tolower(plain));
      continue;
    }
    if (!word.empty() && std::ranges::count(kSilent, word) == 0) out.insert(word);
    word.clear();
  }
  return out;
}

/// lspci writes the chip and, in brackets, the product: "GH100 [H100 SXM5 80GB]".
std::string product_in(const std::string& name) {
  const std::size_t open = name.rfind('[');
  const std::size_t close = name.rfind(']');
  const bool brackets = open != std::string::npos && close != std::string::npos && open < close;
  return brackets ? name.substr(open + 1, close - open - 1) : name;
}

/// "sxm" of a name means any of sxm2 to sxm5.
bool has(const NameWords& words, const std::string& word) {
  return words.contains(word) || (word == "sxm" && std::ranges::any_of(words, [](const auto& one) {
                                    return one.starts_with("sxm");
                                  }));
}

bool is_module(const NameWords& words) { return has(words, "sxm"); }

struct Candidate {
  const EntryText* entry;
  NameWords words;
  std::size_t others;  ///< words that the name has not
};

template <class Keep>
void keep(std::vector<Candidate>& all, const Keep& fits) {
  std::vector<Candidate> kept;
  std::ranges::copy_if(all, std::back_inserter(kept), fits);
  if (!kept.empty()) all = std::move(kept);
}

}  // namespace

std::vector<const EntryText*> gpus_called(const std::vector<EntryText>& gpus,
                                          const std::string& name) {
  const NameWords wanted = words_of(product_in(name));
  const auto telling =
      std::ranges::count_if(wanted, [](const std::string& word) { return !is_size(word); });
  if (telling == 0) return {};
  std::vector<Candidate> all;
  for (const EntryText& entry : gpus) {
    Candidate one{&entry, words_of(entry.name), 0};
    const bool fits = std::ranges::all_of(
        wanted, [&](const std::string& word) { return is_size(word) || has(one.words, word); });
    if (!fits || one.words.contains("power8") || one.words.contains("power9")) continue;
    for (const std::string& word : one.words)
      if (!wanted.contains(word) && !is_size(word) && !word.starts_with("sxm") && word != "pcie" &&
          word != "nvl")
        ++one.others;
    if (one.others == 0) all.push_back(std::move(one));  // else a relative
  }
  keep(all, [&](const Candidate& one) {
    return std::ranges::any_of(
        wanted, [&](const std::string& word) { return is_size(word) && one.words.contains(word); });
  });
  keep(all, [](const Candidate& one) { return is_module(one.words); });
  std::vector<const EntryText*> found;
  found.reserve(all.size());
  for (const Candidate& one : all) found.push_back(one.entry);
  return found;
}

}  // namespace gpufeed
