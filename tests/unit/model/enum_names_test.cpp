// SPDX-License-Identifier: Apache-2.0
#include "sim/model/fields/enum_names.h"

#include <doctest/doctest.h>

namespace gpufeed {
namespace enum_names_test {

enum class Good { one, two_words, u2 };
enum class Phrases { one, two };
enum class Swapped { one, two };
enum class TooFew { one, two };
enum class TooMany { one, two };
enum class PhraseTooFew { one, two };

}  // namespace enum_names_test

using namespace enum_names_test;

template <>
struct EnumNames<Good> {
  static constexpr std::array<std::string_view, 3> names{"one", "two-words", "u.2"};
};
template <>
struct EnumNames<Phrases> {
  static constexpr auto names =
      words_of<Phrases>({{Phrases::one, "the first"}, {Phrases::two, "the other"}});
};
template <>
struct EnumNames<Swapped> {
  static constexpr std::array<std::string_view, 2> names{"two", "one"};
};
template <>
struct EnumNames<TooFew> {
  static constexpr std::array<std::string_view, 1> names{"one"};
};
template <>
struct EnumNames<TooMany> {
  static constexpr std::array<std::string_view, 3> names{"one", "two", "three"};
};
template <>
struct EnumNames<PhraseTooFew> {
  static constexpr auto names = words_of<PhraseTooFew>({{PhraseTooFew::one, "the first"}});
};

TEST_CASE("words that do not fit their enumerators do not compile") {
  CHECK(names_fit<Good>());
  CHECK(names_fit<Phrases>());
  CHECK_FALSE(names_fit<Swapped>());
  CHECK_FALSE(names_fit<TooFew>());
  CHECK_FALSE(names_fit<TooMany>());
  CHECK_FALSE(names_fit<PhraseTooFew>());
}

TEST_CASE("an enumerator is called by its word") {
  CHECK(name_of(Good::two_words) == "two-words");
  CHECK(name_of(Phrases::two) == "the other");
}

}  // namespace gpufeed
