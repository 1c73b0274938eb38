// SPDX-License-Identifier: Apache-2.0
#include "sim/load/reader.h"

#include <cctype>

namespace gpufeed {

std::string Reader::unknown_unit(const UnitTable& units, std::string_view text) {
  const auto unit = std::ranges::find_if(
      text, [](unsigned char c) { return std::isalpha(c) || c == '%' || c == '/'; });
  const std::string_view name(unit, text.end());
  Names known;
  for (const auto& one : units.names) known.emplace_back(one.name);
  if (unit == text.begin() || name.empty() || std::ranges::count(known, name)) return "";
  return fmt::format(" (unknown unit \"{}\"; {})", name, suggestion(name, known));
}

void Reader::read(const toml::node& node, const std::string& place, std::string& value) {
  if (const auto* text = node.as_string())
    value = text->get();
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, bool& value) {
  if (const auto* truth = node.as_boolean())
    value = truth->get();
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, PartRef& value) {
  value.where = at(node);
  if (const auto* text = node.as_string(); text && !text->get().empty())
    value.id = text->get();
  else
    mismatch(node, place, expected_form(value));
}

const toml::node* Reader::unwrap(const toml::node& node, const std::string& place,
                                 std::string_view key, Entry& entry) {
  const auto* table = node.as_table();
  if (!table) return &node;
  const Names known{"value", "source", "basis"};
  for (const auto& [name, ignored] : *table)
    if (!std::ranges::count(known, name.str()))
      out_.error(location(name.source(), file_), "{}: unknown key \"{}\"; {}", place, name.str(),
                 suggestion(name.str(), known));
  Provenance own = entry.provenance;
  read_provenance(*table, place, own, true);
  entry.of_key[std::string(key)] = own;
  if (const auto* value = table->get("value")) return value;
  out_.error(at(*table), "{}: \"value\" is missing", place);
  return nullptr;
}

void Reader::read_provenance(const toml::table& table, const std::string& place, Entry& entry,
                             bool required) {
  read_provenance(table, place, entry.provenance, required);
}

void Reader::read_provenance(const toml::table& table, const std::string& place,
                             Provenance& provenance, bool required) {
  if (const auto* source = table.get("source"))
    read(*source, join(place, "source"), provenance.source);
  else if (required)
    out_.error(at(table), "{}\"source\" is missing; it must be text in quotes", prefix(place));
  if (const auto* basis = table.get("basis"))
    read(*basis, join(place, "basis"), provenance.basis);
  else if (required)
    out_.error(at(table), "{}\"basis\" is missing; it must be {}", prefix(place),
               expected_form(Basis{}));
}

std::string Reader::id_or(const toml::node& item, std::size_t index) {
  if (const auto* table = item.as_table())
    if (const auto* id = table->get("id"); id && id->as_string()) return id->as_string()->get();
  return std::to_string(index);
}

}  // namespace gpufeed
