// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/problem.h"

namespace gpufeed {

/// Whether TOML takes the text for a value.
bool is_value(std::string_view text);

/// `text`, a scenario, with another value for one key. All else stays as it is: comments, order,
/// spelling. A key that was not there goes to the end of its section, a section to the end of the
/// file.
/// \param path   loader.workers_per_gpu, or replace[0].with: elements by their id or number
/// \param value  as TOML writes it
/// \throws InputError  where text or value are wrong, or where the path leads into a value
///                     that is no table, such as the name of a catalog entry
std::string with_value(std::string_view text, const KeyPath& path, const std::string& value);

/// `text` with one more table at the end of the array of tables `name`.
/// \param keys  names and values, these as TOML writes them
/// \throws InputError  where `text` is wrong, or `name` is something else
std::string with_table(std::string_view text, const std::string& name,
                       const std::vector<std::pair<std::string, std::string>>& keys);

/// `text` without the `index`-th table of the array of tables `name`; all of it where there is
/// none. \throws InputError  where `text` is wrong, or the table shares its lines with others
std::string without_table(std::string_view text, const std::string& name, std::size_t index);

/// What the tables of the array `name` say at `key`, one each; empty where one says nothing there.
/// \throws InputError  where `text` is wrong
std::vector<std::string> texts_in(std::string_view text, const std::string& name,
                                  const std::string& key);

/// The names of the tables in the table at `path`, in the order of the text; none where that is
/// something else, or not there. \throws InputError  where the text is wrong
std::vector<std::string> tables_at(std::string_view text, const KeyPath& path);

/// What stands at `path` as it is written; nothing where the key is not there.
/// \throws InputError  where text is wrong
std::optional<std::string> value_at(std::string_view text, const KeyPath& path);

/// The text, or the list of texts, at `path`; nothing where there is something else, or no key.
/// \throws InputError  where the text is wrong
std::optional<std::vector<std::string>> texts_at(std::string_view text, const KeyPath& path);

/// `text` without the lines of one key; all of it where the key is not there.
/// \throws InputError  where the text is wrong, or the key shares its line with others
std::string without_value(std::string_view text, const KeyPath& path);

/// `text` with one key called otherwise; all of it where the key is not there.
/// \throws InputError  where the text is wrong
std::string with_renamed_key(std::string_view text, const KeyPath& path, const std::string& name);

/// `text` as the fix wants it. \throws InputError  where the text cannot take it
std::string with_fix(std::string_view text, const Fix& fix);

}  // namespace gpufeed
