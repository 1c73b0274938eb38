// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gpufeed {

/// The words of an enumeration in files and JSON, in the order of its enumerators: an array `names`
/// of words that are spelled as the enumerators are, or, where they are not, of `words_of`. A word
/// too many, too few or in another's place does not compile.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  EnumNames<E>::names;
};

/// An enumerator and what it is called.
template <class E>
struct Word {
  E of;
  std::string_view text;
};

/// Texts of an enumeration by the places of its enumerators.
template <std::size_t N>
struct Words : std::array<std::string_view, N> {};

/// `words_of<E>({{E::first, "..."}, ...})`: each enumerator in turn.
template <class E, std::size_t N>
consteval Words<N> words_of(const Word<E> (&words)[N]) {
  Words<N> texts{};
  for (std::size_t i = 0; i < N; ++i) {
    if (static_cast<std::size_t>(words[i].of) != i) throw "a word is not in its enumerator's place";
    texts[i] = words[i].text;
  }
  return texts;
}

/// How the declaration of an enumeration spells a value; empty where it has none such.
template <auto kValue>
consteval std::string_view spelling() {
  constexpr std::string_view kBefore = "kValue = ";
  std::string_view text =
      __PRETTY_FUNCTION__;  // "... [with auto kValue = gpufeed::Basis::measured; ...]"
  text.remove_prefix(text.find(kBefore) + kBefore.size());
  text = text.substr(0, text.find_first_of(";]"));
  if (text.front() == '(') return {};  // a cast: "(gpufeed::Basis)7"
  return text.substr(text.rfind(':') + 1);
}

/// Whether letters and digits are the same: "socket_link" and "socket link", "u2" and "u.2".
constexpr bool spelled_alike(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) {
    while (!text.empty()) {
      const char c = text.front();
      text.remove_prefix(1);
      if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return c;
    }
    return '\0';
  };
  while (true) {
    const char one = next(a);
    if (one != next(b)) return false;
    if (one == '\0') return true;
  }
}

template <auto kValue, std::size_t N>
consteval bool is_word_of(const std::array<std::string_view, N>& names) {
  return spelled_alike(spelling<kValue>(), names[static_cast<std::size_t>(kValue)]);
}
template <auto kValue, std::size_t N>
consteval bool is_word_of(const Words<N>& /*names*/) {
  return !spelling<kValue>().empty();
}

/// Whether the names of an enumeration are as EnumNames says. One without enumerators
/// (WorkloadKind) has no spelling to compare with.
template <NamedEnum E>
consteval bool names_fit() {
  constexpr std::size_t kNames = EnumNames<E>::names.size();
  if (spelling<E{}>().empty()) return true;
  if (!spelling<static_cast<E>(kNames)>().empty()) return false;
  return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    return (is_word_of<static_cast<E>(kAt)>(EnumNames<E>::names) && ...);
  }
  (std::make_index_sequence<kNames>());
}

template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  static_assert(names_fit<E>(), "each enumerator has one word, in its own place");
  return EnumNames<E>::names[static_cast<std::size_t>(value)];
}

}  // namespace gpufeed
