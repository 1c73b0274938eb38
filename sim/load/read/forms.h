// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/generation.h"
#include "sim/model/fields/named.h"
#include "sim/model/fields/redundancy.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

template <class M>
struct IsOptional : std::false_type {};
template <class M>
struct IsOptional<std::optional<M>> : std::true_type {};
template <class M>
struct IsDefaulted : std::false_type {};
template <class M>
struct IsDefaulted<Defaulted<M>> : std::true_type {};
template <class M>
struct IsRef : std::false_type {};
template <class T>
struct IsRef<Ref<T>> : std::true_type {};
template <class M>
struct IsVector : std::false_type {};
template <class M>
struct IsVector<std::vector<M>> : std::true_type {};

/// A kind of entry as one of it is called: "an array"; those in the plural have no article.
std::string with_article(std::string_view kind);

// What a message says a key must be. Templates only pick the text: what they put together would be
// compiled anew for every type.
std::string expected_quantity(const UnitTable& units);
std::string expected_entry(std::string_view kind);
std::string expected_word(std::span<const std::string_view> words);

template <class Unit>
std::string expected_form(const Quantity<Unit>&) {
  return expected_quantity(units_of<Quantity<Unit>>());
}
inline std::string expected_form(const std::int64_t&) { return "a whole number"; }
inline std::string expected_form(const double&) { return "a number"; }
inline std::string expected_form(const bool&) { return "true or false"; }
inline std::string expected_form(const std::string&) { return "text in quotes"; }
inline std::string expected_form(const Label&) { return "text in quotes"; }
inline std::string expected_form(const Generation&) {
  return "a maker and an architecture, such as \"NVIDIA Hopper\"";
}
inline std::string expected_form(const Redundancy&) {
  return "\"none\", copies such as \"replica 3\", or chunks of data and spare ones such as \"8+2\"";
}
inline std::string expected_form(const PartRef&) { return "the id of a part, in quotes"; }
inline std::string expected_form(const FileRef&) { return "the path of a file, in quotes"; }
inline std::string expected_form(const KeyPath&) { return "the path of a key, in quotes"; }
inline std::string expected_form(const Literal&) {
  return "a whole number, text in quotes, true or false";
}
inline std::string expected_form(const Condition&) { return "a comparison in quotes"; }
inline std::string expected_form(const std::vector<Literal>&) { return "an array of values"; }
inline std::string expected_form(const std::vector<Condition>&) {
  return "an array of comparisons in quotes";
}
template <class T>
std::string expected_form(const Ref<T>&) {
  return expected_entry(T::kKind);
}
template <NamedEnum E>
std::string expected_form(const E&) {
  return expected_word(EnumNames<E>::names);
}
template <HasFields T>
std::string expected_form(const T&) {
  return "a table";
}
template <class M>
std::string expected_form(const std::vector<M>&) {
  if (std::same_as<M, std::int64_t>) return "an array of whole numbers";
  return HasFields<M> ? "an array of tables" : "an array of texts";
}
template <class M>
std::string expected_form(const Named<M>&) {
  return "tables by name";
}
template <class M>
std::string expected_form(const std::optional<M>&) {
  return expected_form(M{});
}

template <class M>
std::string expected_form(const Defaulted<M>&) {
  return expected_form(M{});
}

std::string expected_range(const UnitTable& units, double min, double max);
std::string expected_range(std::int64_t min, std::int64_t max);
template <class Unit>
std::string expected_range(Quantity<Unit> min, Quantity<Unit> max) {
  return expected_range(units_of<Quantity<Unit>>(), min.value, max.value);
}

/// The form and the range of a key.
template <class M>
std::string expected(const Rule<M>& rule) {
  if constexpr (!std::same_as<typename Rule<M>::Bound, std::monostate>)
    if (rule.ranged) return expected_range(rule.min, rule.max);
  return expected_form(M{});
}

}  // namespace gpufeed
