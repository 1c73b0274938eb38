// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sim/base/units.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {

template <class M>
struct BoundOf {
  using type = std::monostate;
};
template <class Unit>
struct BoundOf<Quantity<Unit>> {
  using type = Quantity<Unit>;
};
template <>
struct BoundOf<std::int64_t> {
  using type = std::int64_t;
};
template <class M>
struct BoundOf<std::optional<M>> : BoundOf<M> {};

/// A value whose default follows from other keys for some: it starts as the usual one, and the
/// loader puts the other in its place where none is `given`.
template <class T>
struct Defaulted {
  T value{};
  bool given = false;

  constexpr Defaulted() = default;
  constexpr explicit Defaulted(T usual) : value(usual) {}
  constexpr Defaulted& operator=(const T& chosen) {
    value = chosen;
    given = true;
    return *this;
  }
  constexpr operator T() const { return value; }
};
template <class M>
struct BoundOf<Defaulted<M>> : BoundOf<M> {};

/// What may stand at a key that nobody gave instead of its default: a word, a yes or no, or a
/// number, of which a member of type `M` holds one.
template <class M>
struct OtherwiseOf {
  using type = std::conditional_t<std::is_enum_v<M> || std::is_arithmetic_v<M>, M, std::monostate>;
};
template <class Unit>
struct OtherwiseOf<Quantity<Unit>> {
  using type = Quantity<Unit>;
};
template <class M>
struct OtherwiseOf<Defaulted<M>> : OtherwiseOf<M> {};

/// What is known of a key of a result before a simulation.
enum class Foresight {
  exact,     ///< as it will be
  at_most,   ///< no simulation tells more
  at_least,  ///< no simulation tells less
  none
};
/// Of which products' prices, or powers, a key of a result is a sum: where a part has none, it is a
/// least one.
enum class SumOf { nothing, prices, powers };
/// How a key of a result goes with the speed of the job: a rate in proportion, a time, and what is
/// paid by it, the other way.
enum class OfSpeed { nothing, rate, time };

/// What may stand at a key, whatever its owner: its name in files and JSON, what it means, the
/// range it may take. A key that is not `required` defaults to its value in a fresh owner.
template <class M>
struct Rule {
  using Member = M;
  using Bound = typename BoundOf<M>::type;
  using Otherwise = typename OtherwiseOf<M>::type;

  std::string_view name;
  std::string_view help;
  std::string_view exception = {};   ///< where the default is another: "emulated: the job's"
  std::string_view alias = {};       ///< another name that files may still call it by
  std::string_view deprecated = {};  ///< the version since which its alias is told to be old
  bool required = false;
  bool ranged = false;
  bool exact = false;  ///< by definition: nobody has measured it, or could be wrong about it
  bool may_be_negative = false;  ///< of a result: a difference, which may lie below zero
  Bound min{};
  Bound max{};
  Foresight foresight = Foresight::none;
  SumOf sum_of = SumOf::nothing;
  OfSpeed of_speed = OfSpeed::nothing;
  bool open = false;  ///< its default may well be wrong: answers say where they rest on it
  Otherwise above{};  ///< open: what else is usual
  Otherwise below{};  ///< and in the other direction, or the same

  bool allows(const Bound& value) const { return !ranged || (min <= value && value <= max); }
};

/// One key of a type `T`: its rule, and where its value lives. A type's `fields(visit)`, which
/// calls `visit` with each of its keys, is the only list of them: loader, help, `new` and JSON walk
/// it. (A list that returned a tuple would take two thirds of the time to compile.)
template <class T, class M>
struct Field : Rule<M> {
  M T::*member;

  constexpr Field needed() const {
    Field copy = *this;
    copy.required = true;
    return copy;
  }
  constexpr Field except(std::string_view other_default) const {
    Field copy = *this;
    copy.exception = other_default;
    return copy;
  }
  constexpr Field with_alias(std::string_view other_name) const {
    Field copy = *this;
    copy.alias = other_name;
    return copy;
  }
  constexpr Field deprecated_since(std::string_view version) const {
    Field copy = *this;
    copy.deprecated = version;
    return copy;
  }
  constexpr Field defined() const {
    Field copy = *this;
    copy.exact = true;
    return copy;
  }
  constexpr Field or_negative() const {
    Field copy = *this;
    copy.may_be_negative = true;
    return copy;
  }
  constexpr Field foreseen(Foresight known) const {
    Field copy = *this;
    copy.foresight = known;
    return copy;
  }
  constexpr Field sums(SumOf what) const {
    Field copy = *this;
    copy.sum_of = what;
    return copy;
  }
  constexpr Field as_rate() const {
    Field copy = *this;
    copy.of_speed = OfSpeed::rate;
    return copy;
  }
  constexpr Field as_time() const {
    Field copy = *this;
    copy.of_speed = OfSpeed::time;
    return copy;
  }
  /// A default that nobody can know, with what else is usual.
  constexpr Field or_else(typename Rule<M>::Otherwise other) const { return or_else(other, other); }
  constexpr Field or_else(typename Rule<M>::Otherwise more,
                          typename Rule<M>::Otherwise less) const {
    Field copy = *this;
    copy.open = true;
    copy.above = more;
    copy.below = less;
    return copy;
  }
  constexpr Field between(typename Rule<M>::Bound low, typename Rule<M>::Bound high) const {
    Field copy = *this;
    copy.ranged = true;
    copy.min = low;
    copy.max = high;
    return copy;
  }
};

template <class T, class M>
constexpr Field<T, M> key(std::string_view name, M T::*member, std::string_view help) {
  return {{.name = name, .help = help}, member};
}

/// A table whose `kind` says which other keys it has: `of_kind` is a variant over types with
/// fields.
template <class T>
concept HasKinds = requires(const T& table) {
  table.of_kind;
  table.kind();
};

template <class T>
concept HasFields = HasKinds<T> || requires {
  T::fields([](const auto&) {});
};

/// Calls `visit(field)` for each key of `T`, in order.
template <HasFields T, class Visit>
constexpr void for_each_field(const Visit& visit) {
  T::fields(visit);
}

/// Calls `visit(rule, member)` for each key of `value`, in order. What is done with a key is so
/// compiled once for a type of value, not for each owner.
template <class T, class Visit>
void for_each_member(T& value, const Visit& visit) {
  std::remove_const_t<T>::fields([&]<class Owner, class M>(const Field<Owner, M>& field) {
    visit(static_cast<const Rule<M>&>(field), value.*field.member);
  });
}

}  // namespace gpufeed
