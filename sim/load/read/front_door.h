// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/base/nearest.h"

namespace gpufeed {

/// Parses TOML from an untrusted source. Refuses first what the parser does not survive: text above
/// 4 MiB, invalid UTF-8, control characters, brackets or dotted keys nested deeper than 32.
/// \param name  shown in every message about this text
/// \return nothing after a problem was reported to `out`
std::optional<toml::table> parse_toml(std::string_view text, const std::string& name,
                                      Diagnostics& out);

/// The same for a file; a missing or unreadable one is reported too.
std::optional<toml::table> parse_toml_file(const std::filesystem::path& file, Diagnostics& out);

/// Parses text and has `build(table, name, out)` make something of the table.
/// \throws InputError  with every problem found
template <class Build>
auto built_from_text(std::string_view text, const std::string& name, Build build) {
  Diagnostics out;
  auto table = parse_toml(text, name, out);
  out.throw_if_any();
  auto built = build(*table, name, out);
  out.throw_if_any();
  return built;
}

/// The same of a file.
template <class Build>
auto built_from_file(const std::filesystem::path& file, Build build) {
  Diagnostics out;
  auto table = parse_toml_file(file, out);
  out.throw_if_any();
  auto built = build(*table, file.lexically_normal().string(), out);
  out.throw_if_any();
  return built;
}

/// Whether what names a catalog entry is the path of a file.
bool names_file(const std::string& name);

/// The keys of a table.
Names keys_of(const toml::table& table);

/// The name of text that was made for what the user wrote at `where`: all that is found in it is
/// said to be there.
std::string made_for(const Location& where);

/// Place of a node or key; `fallback` where the parser knows none.
Location location(const toml::source_region& region, const std::string& fallback);

/// Where the key at `path` stands in the file or an option; nothing where it does not.
std::optional<Location> place_of_key(const toml::table& root, const KeyPath& path,
                                     const std::string& file);

/// Checks what knows of no lines, but of what was told before; each problem is told at its key.
/// \param check  adds to the Diagnostics that it is given
template <class Check>
void tell_at_keys(const toml::table& table, const std::string& file, Diagnostics& out,
                  const Check& check) {
  Diagnostics found = out;
  check(found);
  for (std::size_t i = out.count(); i < found.count(); ++i) {
    Problem problem = found.problems()[i];
    if (const auto place = place_of_key(table, problem.subject, file)) problem.where = *place;
    out.add(std::move(problem));
  }
}

/// A value as a message shows it: `"text"`, `42`, `a table`.
std::string shown(const toml::node& node);

/// A table that stands at `place` (store.nas.model) as TOML, with its header.
std::string toml_at(const KeyPath& place, const toml::table& table);

}  // namespace gpufeed
