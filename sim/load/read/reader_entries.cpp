// SPDX-License-Identifier: Apache-2.0
// Where entries are found, whatever their type, and what of them has a source of its own.
#include <algorithm>

#include "sim/load/read/entry_cache.h"
#include "sim/load/read/reader.h"

namespace gpufeed {
namespace {

/// A path in a file is relative to that file, one on the command line to the folder we are in.
std::filesystem::path seen_from(const Location& where, const std::string& path) {
  const bool on_command_line = where.file.starts_with("--");
  const auto folder = std::filesystem::path(on_command_line ? "" : where.file).parent_path();
  return (folder / path).lexically_normal();
}

}  // namespace

bool Reader::may_name(const std::string& path, const Location& where, const std::string& place) {
  const auto file = seen_from(where, path);
  if (catalog_.confinement().allows(file)) return true;
  out_.error(ProblemCode::unusable_file, where,
             "{}: \"{}\" lies outside the folder of --confine and the catalogs", place,
             file.string());
  return false;
}

std::optional<std::filesystem::path> Reader::locate(std::string_view kind, const std::string& name,
                                                    const Location& where,
                                                    const std::string& place) {
  namespace fs = std::filesystem;
  if (!is_printable(name, where, place)) return {};
  if (names_file(name)) {
    const fs::path file = seen_from(where, name);
    if (!may_name(name, where, place)) return {};
    if (fs::is_regular_file(file)) return file;
    if (is_new(where, name))
      out_.error(ProblemCode::unknown_part, where, "{}: there is no file \"{}\"", place,
                 file.string());
    return {};
  }
  auto file = catalog_.find(kind, name);
  if (!file && is_new(where, name))
    out_.add(unknown_entry(where, own_path(place), kind, name, catalog_.names(kind)));
  return file;
}

std::shared_ptr<const void> Reader::entry_in(const std::filesystem::path& file, const Kind& kind) {
  const std::string normal = file.lexically_normal().string();
  const EntryKey key{std::string(kind.name), normal};
  const auto [known, fresh] = entries_.try_emplace(key);
  if (!fresh) return known->second;
  if (const auto cache = catalog_.cache(); cache && (known->second = cache->find(key)))
    return known->second;
  const std::size_t before = out_.count();
  auto entry = entry_table(kind.name, file);
  if (!entry) return nullptr;
  const std::string name = file.stem().string();
  put_own_values(entry->table, kind.name, name);
  const std::string outer = std::exchange(file_, normal);
  known->second = (this->*kind.read)(
      entry->table, "",
      {.name = name, .title = {}, .provenance = {}, .of_key = {}, .like = entry->like}, true);
  file_ = outer;
  // What is wrong is reported to everyone who reads it.
  if (const auto cache = catalog_.cache(); cache && out_.count() == before)
    cache->keep(key, known->second);
  return known->second;
}

void Reader::put_own_values(toml::table& entry, std::string_view kind, const std::string& name) {
  const auto own = catalog_.own().find({std::string(kind), name});
  if (own == catalog_.own().end()) return;
  for (const OwnEntryValue& one : own->second) {
    Diagnostics none;
    const std::string place = made_for(one.where);
    words_of_user.insert(place);
    auto made = parse_toml(
        fmt::format("v = {{ value = {}, source = \"your own value\", basis = \"estimate\" }}",
                    one.value),
        place, none);
    if (made) entry.insert_or_assign(one.key, std::move(*made->get("v")->as_table()));
  }
}

std::shared_ptr<const void> Reader::entry_at(const toml::node& node, const std::string& place,
                                             const Kind& kind, std::string& name, Location& where) {
  where = at(node);
  if (const auto* table = node.as_table()) {
    const auto it = inlined.find(place);
    name = it == inlined.end() ? place : it->second;
    return (this->*kind.read)(*table, place, {name, {}, {file_, Basis::estimate}, {}, {}}, false);
  }
  if (const auto* text = node.as_string()) {
    name = text->get();
    const auto file = locate(kind.name, name, where, place);
    return file ? entry_in(*file, kind) : nullptr;
  }
  mismatch(node, place, expected_entry(kind.name));
  return nullptr;
}

const toml::node* Reader::unwrap(const toml::node& node, const std::string& place,
                                 std::string_view key, Entry& entry) {
  const auto* table = node.as_table();
  if (!table) return &node;
  const Names known{"value", "source", "basis"};
  for (const auto& [name, ignored] : *table)
    if (!std::ranges::count(known, name.str()))
      out_.add(unknown_key(location(name.source(), file_), own_path(place), std::string(name.str()),
                           known));
  Provenance own = entry.provenance;
  read_provenance(*table, place, own, true);
  const auto& written_in = table->source().path;
  own.by_user = written_in && words_of_user.contains(*written_in);
  entry.of_key[std::string(key)] = own;
  if (const auto* value = table->get("value")) return value;
  out_.error(ProblemCode::missing_key, at(*table), "{}: \"value\" is missing", place);
  return nullptr;
}

}  // namespace gpufeed
