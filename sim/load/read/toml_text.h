// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/model/fields/entry.h"
#include "sim/model/fields/generation.h"
#include "sim/model/fields/redundancy.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

struct Scenario;

std::string toml_quantity(const UnitTable& units, double value);
std::string toml_array(const Names& items);

// A value as TOML writes it.
inline std::string toml_value(const std::string& value) { return toml_string(value); }
inline std::string toml_value(std::int64_t value) { return std::to_string(value); }
inline std::string toml_value(double value) { return fmt::format("{}", value); }
inline std::string toml_value(bool value) { return value ? "true" : "false"; }
inline std::string toml_value(const Literal& value) {
  return value.is_text ? toml_string(value.text) : value.text;
}
inline std::string toml_value(const FileRef& file) { return toml_string(file.path); }
inline std::string toml_value(const KeyPath& path) { return toml_string(text(path)); }
std::string toml_value(const Label& label);
inline std::string toml_value(const Generation& one) { return toml_string(text(one)); }
inline std::string toml_value(const Redundancy& one) { return toml_string(text(one)); }
inline std::string toml_value(const PartRef& part) { return toml_value(part.id); }
template <class Unit>
std::string toml_value(Quantity<Unit> value) {
  return toml_quantity(units_of<Quantity<Unit>>(), value.value);
}
template <NamedEnum E>
std::string toml_value(E value) {
  return toml_string(name_of(value));
}
template <class T>
std::string toml_value(const Ref<T>& ref) {
  return toml_string(ref.name);
}
template <class M>
requires(!HasFields<M>) std::string toml_value(const std::vector<M>& list) {
  Names items;
  for (const M& item : list) items.push_back(toml_value(item));
  return toml_array(items);
}

/// The whole scenario as a TOML file, every default spelled out. Systems, models, data sets and
/// stores that were given as tables are in it; what was set within those that have a name stands
/// at its end, as options in comments.
std::string to_toml(const Scenario& scenario);

/// A scenario to start from: the keys of a typical one, each with its meaning, range and default
/// in a comment, optional ones commented out.
std::string scenario_template();

}  // namespace gpufeed
