// SPDX-License-Identifier: Apache-2.0
#include "sim/export/yaml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/printable.h"

namespace gpufeed {
namespace {

using Kind = YamlNode::Kind;

/// Whether YAML reads it as the same one plain scalar, within brackets, too.
bool is_plain(std::string_view text) {
  constexpr std::string_view kNeverFirst = "-?:,[]{}#&*!|>'\"%@`";
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  const bool number = text.size() > 1 && text.front() == '-' &&
                      (std::isdigit(static_cast<unsigned char>(text[1])) || text[1] == '.');
  if (!number && kNeverFirst.find(text.front()) != std::string_view::npos) return false;
  return text.find_first_of(",[]{}#\"\\\n\t") == std::string_view::npos &&
         text.find(": ") == std::string_view::npos && text.back() != ':';
}

/// All that TOML's strings escape YAML's do alike.
std::string in_quotes_of_yaml(const std::string& text) { return toml_string(text); }

std::string scalar(const YamlNode& node) {
  if (node.kind == Kind::null) return "null";
  return node.quoted || !is_plain(node.text) ? in_quotes_of_yaml(node.text) : node.text;
}

std::string key_of(const YamlNode& item) {
  return is_plain(item.key) ? item.key : in_quotes_of_yaml(item.key);
}

/// In brackets.
std::string flow(const YamlNode& node) {
  if (node.kind == Kind::null || node.kind == Kind::scalar) return scalar(node);
  std::string out;
  for (const YamlNode& item : node.items)
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ",
                       node.kind == Kind::map ? key_of(item) + ": " : "", flow(item));
  return node.kind == Kind::map ? "{" + out + "}" : "[" + out + "]";
}

bool is_flat(const YamlNode& node) {
  return std::ranges::all_of(node.items, [](const YamlNode& item) { return item.items.empty(); });
}

void write(const YamlNode& map, std::size_t depth, std::string& out) {
  const std::string indent(2 * depth, ' ');
  for (const YamlNode& item : map.items) {
    out += indent + key_of(item) + ":";
    if (item.kind == Kind::map && !item.items.empty()) {
      out += "\n";
      write(item, depth + 1, out);
    } else if (item.kind == Kind::list && !is_flat(item)) {
      out += "\n";
      for (const YamlNode& one : item.items) out += fmt::format("{}  - {}\n", indent, flow(one));
    } else {
      out += " " + flow(item) + "\n";
    }
  }
}

YamlNode& child_of(YamlNode& map, const std::string& key) {
  if (map.kind != Kind::map) {
    map.kind = Kind::map;
    map.items.clear();
    map.text.clear();
  }
  const auto found = std::ranges::find(map.items, key, &YamlNode::key);
  if (found != map.items.end()) return *found;
  map.items.emplace_back();
  map.items.back().key = key;
  return map.items.back();
}

}  // namespace

std::string yaml_text(const YamlNode& root) {
  std::string out;
  if (root.kind == Kind::map) write(root, 0, out);
  return out;
}

YamlNode& yaml_at(YamlNode& root, const std::string& section, const std::string& key) {
  return child_of(section.empty() ? root : child_of(root, section), key);
}

}  // namespace gpufeed
