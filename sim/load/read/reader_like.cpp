// SPDX-License-Identifier: Apache-2.0
// What an entry takes from another that it is like.
#include <algorithm>
#include <array>

#include "sim/load/read/reader.h"

namespace gpufeed {
namespace {

/// What no entry takes from another.
constexpr std::array<std::string_view, 5> kOwnKeys{"title", "source", "basis", kLikeKey,
                                                   kWithoutKey};

bool is_list(const toml::node& node) {
  const auto* array = node.as_array();
  return array && (array->empty() || array->is_homogeneous<std::string>());
}

/// Whether one origin holds for what stands in both.
bool same_origin(const toml::table& one, const toml::table& other) {
  const auto same = [&](const char* key) {
    return one[key].value<std::string>() == other[key].value<std::string>();
  };
  return same("source") && same("basis");
}

/// A value with the origin of the entry that it stands in.
toml::table with_origin(toml::node& value, const toml::table& entry) {
  toml::table out;
  value.visit([&](auto& one) { out.insert("value", std::move(one)); });
  for (const char* key : {"source", "basis"}) out.insert(key, *entry[key].as_string());
  return out;
}

}  // namespace

std::optional<EntryTable> Reader::entry_table(std::string_view kind,
                                              const std::filesystem::path& file,
                                              std::vector<std::filesystem::path> alike) {
  auto table = parse_toml_file(file, out_);
  if (!table) return {};
  const toml::node* const like = table->get(kLikeKey);
  if (!like) {
    if (const toml::node* without = table->get(kWithoutKey))
      out_.error(ProblemCode::unknown_part, at(*without),
                 "{}: there is no \"{}\", so nothing is taken over", kWithoutKey, kLikeKey);
    table->erase(kWithoutKey);
    return EntryTable{std::move(*table), ""};
  }
  alike.push_back(file);
  const auto other_file = file_like(kind, *like, alike);
  if (!other_file) return {};
  auto other = entry_table(kind, *other_file, std::move(alike));
  if (!other || !leave_out(*table, other->table)) return {};
  take_over(*table, other->table);
  table->erase(kLikeKey);
  table->erase(kWithoutKey);
  return EntryTable{std::move(*table), other_file->stem().string()};
}

std::optional<std::filesystem::path> Reader::file_like(
    std::string_view kind, const toml::node& node,
    const std::vector<std::filesystem::path>& alike) {
  const auto* name = node.as_string();
  if (!name) {
    mismatch(node, std::string(kLikeKey),
             fmt::format("the name of another {} in the catalog", kind));
    return {};
  }
  if (!is_printable(name->get(), at(node), std::string(kLikeKey))) return {};
  auto file = catalog_.find(kind, name->get());
  if (!file) {
    const auto other = std::ranges::find_if(catalog_kinds(), [&](const auto& one) {
      return catalog_.find(one, name->get()).has_value();
    });
    out_.error(at(node), "{}: {}; {}", kLikeKey,
               other == catalog_kinds().end()
                   ? fmt::format("no {} \"{}\" in the catalog", kind, name->get())
                   : fmt::format("\"{}\" is of kind {}, not {}", name->get(), *other, kind),
               suggestion(name->get(), catalog_.names(kind)));
    return {};
  }
  if (!std::ranges::count(alike, *file)) return file;
  std::string circle;
  for (const auto& one : alike) circle += one.stem().string() + " is like ";
  out_.error(ProblemCode::conflict, at(node), "{}: {}{}: a circle", kLikeKey, circle, name->get());
  return {};
}

bool Reader::leave_out(const toml::table& table, toml::table& other) {
  const toml::node* const node = table.get(kWithoutKey);
  if (!node) return true;
  if (!is_list(*node)) {
    mismatch(*node, std::string(kWithoutKey), "an array of keys");
    return false;
  }
  const std::size_t before = out_.count();
  const Names known = keys_of(other);
  for (const auto& one : *node->as_array()) {
    const std::string& key = one.as_string()->get();
    if (!other.contains(key))
      out_.error(ProblemCode::unknown_key, at(one), "{}: \"{}\" is no key of {}; {}", kWithoutKey,
                 key, table[kLikeKey].value_or(std::string()), suggestion(key, known));
    else if (table.contains(key))
      out_.error(ProblemCode::idle_key, at(one), "{}: \"{}\" is given, and so not taken over",
                 kWithoutKey, key);
    other.erase(key);
  }
  return out_.count() == before;
}

void Reader::take_over(toml::table& table, toml::table& other) {
  for (const char* key : {"source", "basis"})
    if (!other[key].is_string()) return missing(other, "", key, "text in quotes");
  const bool same = same_origin(table, other);
  for (auto&& [key, node] : other) {
    if (table.contains(key) || std::ranges::count(kOwnKeys, key.str())) continue;
    const toml::key& taken = key;
    if (same || node.is_table() || node.is_array())
      node.visit([&](auto& one) { table.insert(taken, std::move(one)); });
    else
      table.insert(taken, with_origin(node, other));
  }
}

}  // namespace gpufeed
