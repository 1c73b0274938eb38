// SPDX-License-Identifier: Apache-2.0
#include "sim/load/key_values.h"

#include <fmt/format.h>

#include <sstream>

#include "sim/load/key_at.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

std::string text_of(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return toml_value(number->get());
  if (const auto* array = node.as_array()) {
    Names items;
    for (const auto& item : *array) items.push_back(text_of(item));
    return toml_array(items);
  }
  std::ostringstream out;
  out << toml::toml_formatter(
      node, toml::toml_formatter::default_flags & ~toml::format_flags::allow_literal_strings);
  return out.str();
}

void add(const toml::node& node, const std::string& path,
         std::map<std::string, std::string>& values) {
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      add(value,
          path.empty() ? key_text(key.str()) : fmt::format("{}.{}", path, key_text(key.str())),
          values);
    return;
  }
  if (const auto* array = node.as_array(); array && array->is_array_of_tables()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      add((*array)[i], fmt::format("{}[{}]", path, i), values);
    return;
  }
  values[path] = text_of(node);
}

}  // namespace

std::map<std::string, std::string> key_values(std::string_view text) {
  Diagnostics wrong;
  const auto table = parse_toml(text, "the scenario", wrong);
  wrong.throw_if_any();
  std::map<std::string, std::string> values;
  add(*table, "", values);
  return values;
}

std::map<std::string, std::string> scenario_values(std::string_view text) {
  Diagnostics wrong;
  auto table = parse_toml(text, "the scenario", wrong);
  wrong.throw_if_any();
  std::map<std::string, std::string> values;
  for (const auto& [path, entry] : entry_tables(*table)) {
    const std::string place = gpufeed::text(path);
    values[place] = toml_string((*entry)["chassis"].value_or(place));
    entry->clear();
  }
  add(*table, "", values);
  return values;
}

}  // namespace gpufeed
