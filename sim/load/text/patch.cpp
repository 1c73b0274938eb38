// SPDX-License-Identifier: Apache-2.0
#include "sim/load/text/patch.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <sstream>

#include "sim/load/text/text_places.h"
#include "sim/load/text/values.h"

namespace gpufeed {
namespace {

/// The last line of what stands below a table's own header: not that of tables with headers.
std::size_t last_line(const toml::node& node, const TextPlaces& places, bool own) {
  const auto& region = node.source();
  const auto* table = node.as_table();
  if (!table || table->is_inline()) return region.end.line;
  if (!own && places.is_header(region.begin)) return 0;
  std::size_t last = own && places.is_header(region.begin) ? region.begin.line : 0;
  for (const auto& [key, value] : *table) {
    const auto* array = value.as_array();
    const bool headers = array && array->is_array_of_tables() && !array->empty() &&
                         places.is_header(array->source().begin);
    if (!headers) last = std::max(last, last_line(value, places, false));
  }
  return last;
}

/// `text` with `line` as a line of its own at `place`.
std::string with_line(std::string_view text, std::size_t place, const std::string& line) {
  std::string out(text.substr(0, place));
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out + line + "\n" + std::string(text.substr(place));
}

/// Puts `item` before the bracket that closes what lies at `region`.
std::string with_item(std::string_view text, const TextPlaces& places,
                      const toml::source_region& region, bool empty, const std::string& item) {
  std::size_t close = places.of(region.end) - 1;
  const bool spaced = close > 0 && text[close - 1] == ' ';
  if (spaced) --close;
  return std::string(text.substr(0, close)) + (empty ? " " : ", ") + item + " " +
         std::string(text.substr(close + (spaced ? 1 : 0)));
}

std::string at_end(std::string_view text, const std::string& lines) {
  std::string out(text);
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out + (out.empty() ? "" : "\n") + lines;
}

/// A key that `table` does not have yet.
std::string with_new_key(std::string_view text, const toml::table& table, const TextPlaces& places,
                         bool root, const std::string& line) {
  if (table.is_inline()) return with_item(text, places, table.source(), table.empty(), line);
  const std::size_t last = last_line(table, places, true);
  if (last == 0 && !root) return "";
  // The first section ends the keys that have none.
  return with_line(text, last == 0 ? 0 : places.after(last), line);
}

/// The value as the parser prints it, to compare.
std::string printed(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  return out.str();
}

bool says(std::string_view text, std::span<const KeyStep> steps, const std::string& value) {
  Diagnostics wrong;
  const auto table = parse_toml(text, kPatchedText, wrong);
  const auto wanted = parse_toml("value = " + value, kPatchedText, wrong);
  if (!table || !wanted) return false;
  const toml::node* const node = node_at(*table, steps);
  return node && printed(*node) == printed(*wanted->get("value"));
}

/// As a header or a key in front of "=" has it; a new element of an array is none of these.
std::string joined(std::span<const KeyStep> steps) {
  return gpufeed::text(KeyPath({steps.begin(), steps.end()}));
}

std::string patched(std::string_view text, const KeyPath& path, const std::string& value) {
  const std::span<const KeyStep> steps = path.steps;
  const toml::table root = parsed_text(text);
  const TextPlaces places(text);
  const toml::node* node = &root;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const toml::node* const next = child(*node, steps[i]);
    if (next && i + 1 == steps.size()) {
      const auto& region = next->source();
      return std::string(text.substr(0, places.of(region.begin))) + value +
             std::string(text.substr(places.of(region.end)));
    }
    if (next) {
      node = next;
      continue;
    }
    const auto* table = node->as_table();
    if (!table)
      refuse_path(path, fmt::format("{} is {}, not a table", joined(steps.first(i)), shown(*node)));
    if (steps[i].element)
      refuse_path(path, fmt::format("there is no {}", joined(steps.first(i + 1))));
    const std::string line = joined(steps.subspan(i)) + " = " + value;
    const bool root_section = node == &root && i + 1 < steps.size();
    if (!root_section)
      if (auto out = with_new_key(text, *table, places, node == &root, line); !out.empty())
        return out;
    return at_end(text, fmt::format("[{}]\n{} = {}\n", joined(steps.first(steps.size() - 1)),
                                    key_text(steps.back().key), value));
  }
  return std::string(text);
}

}  // namespace

bool is_value(std::string_view text) {
  Diagnostics wrong;
  return parse_toml(fmt::format("value = {}", text), kPatchedText, wrong).has_value();
}

std::string with_value(std::string_view text, const KeyPath& path, const std::string& value) {
  if (!is_value(value)) refuse_path(path, fmt::format("{} is no value as TOML writes it", value));
  std::string out = patched(text, path, value);
  if (!says(out, path.steps, value))
    refuse_path(path, "this key stands in a form that cannot be changed in place; change the file");
  return out;
}

std::string with_table(std::string_view text, const std::string& name,
                       const std::vector<std::pair<std::string, std::string>>& keys) {
  const toml::table root = parsed_text(text);
  const toml::node* const node = root.at_path(name).node();
  const auto* array = node ? node->as_array() : nullptr;
  if (node && !array)
    refuse_path(KeyPath() / name, fmt::format("this is {}, not an array of tables", shown(*node)));
  const TextPlaces places(text);
  std::vector<std::string> lines;
  lines.reserve(keys.size());
  for (const auto& [key, value] : keys) lines.push_back(fmt::format("{} = {}", key, value));
  const std::size_t before = array ? array->size() : 0;
  std::string out = array && !places.is_header(array->source().begin)
                        ? with_item(text, places, array->source(), array->empty(),
                                    fmt::format("{{ {} }}", fmt::join(lines, ", ")))
                        : at_end(text, fmt::format("[[{}]]\n{}\n", name, fmt::join(lines, "\n")));
  const toml::table now = parsed_text(out);
  const auto* tables = now.at_path(name).as_array();
  if (!tables || tables->size() != before + 1)
    refuse_path(KeyPath() / name,
                "these tables stand in a form that cannot be changed in place; change the file");
  return out;
}

std::string without_table(std::string_view text, const std::string& name, std::size_t index) {
  const auto tables_in = [&](const toml::table& root) { return root.at_path(name).as_array(); };
  const toml::table root = parsed_text(text);
  const auto* array = tables_in(root);
  if (!array || index >= array->size() || !(*array)[index].is_table()) return std::string(text);
  const toml::table& table = *(*array)[index].as_table();
  const TextPlaces places(text);
  std::string out;
  if (places.is_header(table.source().begin)) {
    out = text.substr(0, places.start_of(table.source().begin.line));
    out += text.substr(places.after(last_line(table, places, true)));
  }
  Diagnostics wrong;
  const auto now = parse_toml(out, kPatchedText, wrong);
  const auto* left = now ? tables_in(*now) : nullptr;
  const bool goes = !left && root.contains(name);  // below another table, that stays
  const bool all_else_stays = now && now->size() + (goes ? 1 : 0) == root.size();
  if (out.empty() || !all_else_stays || (left ? left->size() : 0) + 1 != array->size())
    refuse_path(KeyPath() / name, "this table shares its lines with others; change the file");
  return out;
}

std::vector<std::string> texts_in(std::string_view text, const std::string& name,
                                  const std::string& key) {
  const toml::table root = parsed_text(text);
  std::vector<std::string> texts;
  if (const auto* array = root.at_path(name).as_array())
    for (const auto& element : *array) {
      const auto* table = element.as_table();
      texts.push_back(table ? (*table)[key].value_or(std::string()) : "");
    }
  return texts;
}

std::vector<std::string> tables_at(std::string_view text, const KeyPath& path) {
  const toml::table root = parsed_text(text);
  const toml::node* const node = node_at(root, path.steps);
  const auto* table = node ? node->as_table() : nullptr;
  if (!table) return {};
  std::vector<std::pair<std::string, toml::source_position>> names;
  for (const auto& [name, item] : *table)
    if (item.is_table()) names.emplace_back(name.str(), name.source().begin);
  std::ranges::sort(names, [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::string> out;
  out.reserve(names.size());
  for (auto& name : names) out.push_back(std::move(name.first));
  return out;
}

std::optional<std::string> value_at(std::string_view text, const KeyPath& path) {
  return values_at(text, {path}).front();
}

std::optional<std::vector<std::string>> texts_at(std::string_view text, const KeyPath& path) {
  const toml::table root = parsed_text(text);
  const toml::node* const node = node_at(root, path.steps);
  if (!node) return {};
  if (const auto* one = node->as_string()) return std::vector<std::string>{one->get()};
  const auto* list = node->as_array();
  if (!list) return {};
  std::vector<std::string> texts;
  for (const auto& item : *list) {
    const auto* one = item.as_string();
    if (!one) return {};
    texts.push_back(one->get());
  }
  return texts;
}

std::string without_value(std::string_view text, const KeyPath& path) {
  const toml::table root = parsed_text(text);
  const std::span<const KeyStep> steps = path.steps;
  const toml::node* const node = node_at(root, steps);
  if (!node) return std::string(text);
  const TextPlaces places(text);
  std::string out(text.substr(0, places.start_of(node->source().begin.line)));
  out += text.substr(places.after(node->source().end.line));
  Diagnostics wrong;
  const auto now = parse_toml(out, kPatchedText, wrong);
  const auto keys = [&](const toml::table& table) {
    const toml::node* owner = node_at(table, steps.first(steps.size() - 1));
    return owner && owner->is_table() ? owner->as_table()->size() : 0;
  };
  if (!now || node_at(*now, steps) || keys(*now) + 1 != keys(root))
    refuse_path(path, "this key shares its line with others; change the file");
  return out;
}

std::string with_renamed_key(std::string_view text, const KeyPath& path, const std::string& name) {
  const toml::table root = parsed_text(text);
  const toml::node* const owner = node_at(root, path.parent().steps);
  const auto* table = owner ? owner->as_table() : nullptr;
  const auto found = table ? table->find(path.steps.back().key) : toml::table::const_iterator{};
  if (!table || found == table->end()) return std::string(text);
  const TextPlaces places(text);
  const auto& region = found->first.source();
  std::string out = std::string(text.substr(0, places.of(region.begin))) + key_text(name) +
                    std::string(text.substr(places.of(region.end)));
  KeyPath renamed = path;
  renamed.steps.back().key = name;
  if (!says(out, renamed.steps, printed(found->second)))
    refuse_path(path, "this key stands in a form that cannot be changed in place; change the file");
  return out;
}

std::string with_fix(std::string_view text, const Fix& fix) {
  switch (fix.kind) {
    case Fix::Kind::set:
      return with_value(text, fix.key, fix.value);
    case Fix::Kind::rename:
      return with_renamed_key(text, fix.key, fix.value);
    case Fix::Kind::remove:
      return without_value(text, fix.key);
  }
  return std::string(text);
}

}  // namespace gpufeed
