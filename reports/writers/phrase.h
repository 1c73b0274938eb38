// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/facts/fact.h"

namespace gpufeed {

/// The words of a code: what is so, and, where there is more to say, why or what follows.
/// "{steps}" stands for the argument of this name, in its unit; "{share:%}" for a
/// share in percent, "{gain:faster}" for a relative change of a rate, "12 % faster", and
/// "{cores:core|cores}" for a number of these; of lists, "{settings:with}" for settings that go
/// together, "{outside:unseen}" for names of UnseenStep, and "{beyond:beyond}" for those of Beyond,
/// whose words may have arguments of the same fact.
template <FactCode Code>
struct Phrase {
  Code code;
  std::string_view claim;
  std::string_view more = {};
};

/// The phrases of the codes of an enumeration, in its order: the phrase book.
template <FactCode Code>
struct Phrases;

/// Whether every argument in the text is one of these.
constexpr bool names_only(const Arguments& arguments, std::string_view text) {
  while (true) {
    const std::size_t open = text.find('{');
    if (open == std::string_view::npos) return true;
    text.remove_prefix(open + 1);
    const std::string_view name = text.substr(0, text.find_first_of(":}"));
    if (std::ranges::find(arguments, name, &Argument::name) == arguments.end()) return false;
  }
}

/// Whether there is a phrase for each code, which names its arguments alone.
/// \param with  one more name that phrases may use
template <FactCode Code>
constexpr bool is_complete(std::string_view with = {}) {
  constexpr const auto& forms = FactForms<Code>::all;
  constexpr const auto& phrases = Phrases<Code>::all;
  if (!has_all(phrases, forms.back().code)) return false;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    Arguments known = forms[i].arguments;
    if (!with.empty()) known[count_of(known)].name = with;
    if (!names_only(known, phrases[i].claim) || !names_only(known, phrases[i].more)) return false;
  }
  return true;
}

/// "experts (errors of 15 to 30 %); LoRA".
/// \param names  of UnseenStep
std::string unseen_in_words(const std::vector<std::string>& names);

/// "no network of class {class} was measured in {precision}": to be filled.
/// \param names  of Beyond
std::string beyond_in_words(const std::vector<std::string>& names);

/// \param text  of a Phrase
std::string filled(std::string_view text, const Arguments& arguments,
                   const std::vector<FactValue>& values);

template <FactCode Code>
const Phrase<Code>& phrase_of(const Fact<Code>& fact) {
  return Phrases<Code>::all[static_cast<std::size_t>(fact.code)];
}

template <FactCode Code>
std::string claim_of(const Fact<Code>& fact) {
  return filled(phrase_of(fact).claim, form_of(fact.code).arguments, fact.arguments);
}

template <FactCode Code>
std::string more_of(const Fact<Code>& fact) {
  return filled(phrase_of(fact).more, form_of(fact.code).arguments, fact.arguments);
}

template <FactCode Code>
std::string sentence_of(const Fact<Code>& fact) {
  const std::string more = more_of(fact);
  return claim_of(fact) + (more.empty() ? "" : "; " + more);
}

}  // namespace gpufeed
