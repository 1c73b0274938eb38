// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

#include "sim/base/units.h"

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

/// One key of a type `T`: its name in files and JSON, where its value lives, what it means, the
/// range it may take. A type's `fields()` is the only list of its keys: loader, help, `new` and
/// JSON walk it. A key that is not `required` defaults to its value in a fresh `T`.
template <class T, class M>
struct Field {
  using Owner = T;
  using Member = M;
  using Bound = typename BoundOf<M>::type;

  std::string_view name;
  M T::*member;
  std::string_view help;
  bool required = false;
  bool ranged = false;
  Bound min{};
  Bound max{};

  constexpr Field needed() const {
    Field copy = *this;
    copy.required = true;
    return copy;
  }
  constexpr Field between(Bound low, Bound high) const {
    Field copy = *this;
    copy.ranged = true;
    copy.min = low;
    copy.max = high;
    return copy;
  }
};

/// `T` is named explicitly where `M` may live in a base of it.
template <class T, class M, class Base>
constexpr Field<T, M> key(std::string_view name, M Base::*member, std::string_view help) {
  return {name, member, help};
}

/// Calls `visit(field)` for each key of `T`, in order.
template <class T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, T::fields());
}

template <class T>
concept HasFields = requires {
  T::fields();
};

/// The words of an enumeration in files and JSON, in the order of its enumerators.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  EnumNames<E>::names;
};

template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  return EnumNames<E>::names[static_cast<std::size_t>(value)];
}

}  // namespace gpufeed
