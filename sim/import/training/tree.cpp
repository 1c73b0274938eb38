// SPDX-License-Identifier: Apache-2.0
#include "sim/import/training/tree.h"

#include <toml++/toml.h>
#include <algorithm>
#include <sstream>

namespace gpufeed {
namespace {

using Kind = YamlNode::Kind;

YamlNode node_of(const toml::node& from) {
  YamlNode out;
  out.line = static_cast<int>(from.source().begin.line);
  out.column = static_cast<int>(from.source().begin.column);
  if (const auto* table = from.as_table()) {
    out.kind = Kind::map;
    for (const auto& [key, value] : *table) {
      YamlNode item = node_of(value);
      item.key = key.str();
      item.key_line = static_cast<int>(key.source().begin.line);
      item.key_column = static_cast<int>(key.source().begin.column);
      out.items.push_back(std::move(item));
    }
    return out;
  }
  if (const auto* list = from.as_array()) {
    out.kind = Kind::list;
    for (const toml::node& one : *list) out.items.push_back(node_of(one));
    return out;
  }
  out.kind = Kind::scalar;
  out.quoted = from.is_string();
  if (const auto* word = from.as_string()) {
    out.text = word->get();
  } else {
    std::ostringstream written;
    if (const auto* whole = from.as_integer()) written << whole->get();
    if (const auto* number = from.as_floating_point()) written << number->get();
    if (const auto* yes = from.as_boolean()) written << (yes->get() ? "true" : "false");
    out.text = written.str();
  }
  return out;
}

/// A word of a script and where it begins.
struct ScriptWord {
  std::string text;
  int line = 1;
  int column = 1;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Without comments, ends of continued lines, quotation marks and brackets of arrays.
std::vector<ScriptWord> words_of(std::string_view text) {
  std::vector<ScriptWord> out;
  int line = 1, column = 1;
  bool comment = false, inside = false;
  for (std::size_t i = 0; i < text.size(); ++i, ++column) {
    const char c = text[i];
    if (c == '#' && !inside) comment = true;
    if (c == '\n') comment = false;
    const bool bracket = (c == '(' || c == ')') && !(inside && out.back().text.starts_with('$'));
    const bool gap =
        is_blank(c) || bracket ||
        (c == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r'));
    if (comment || gap) {
      inside = false;
    } else if (c != '"' && c != '\'') {
      if (!inside) out.push_back({"", line, column});
      inside = true;
      out.back().text += c;
    }
    if (c == '\n') {
      ++line;
      column = 0;
    }
  }
  return out;
}

bool is_option(const ScriptWord& word) {
  return word.text.starts_with("--") && word.text.size() > 2;
}

YamlNode argument_of(const ScriptWord& word) {
  YamlNode out;
  out.kind = Kind::scalar;
  out.text = "true";
  out.line = out.key_line = word.line;
  out.column = out.key_column = word.column;
  out.key = word.text.substr(2, word.text.find('=') - 2);
  std::ranges::replace(out.key, '-', '_');
  return out;
}

}  // namespace

std::optional<YamlNode> tree_of_toml(std::string_view text, const std::string& name,
                                     Diagnostics& out) {
  try {
    return node_of(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    out.error(ProblemCode::syntax,
              {name, static_cast<int>(error.source().begin.line),
               static_cast<int>(error.source().begin.column)},
              "{}", error.description());
    return {};
  }
}

std::optional<YamlNode> tree_of_arguments(std::string_view text, const std::string& name,
                                          const Names& needed, Diagnostics& out) {
  YamlNode tree;
  tree.kind = Kind::map;
  const std::vector<ScriptWord> words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_option(words[i])) continue;
    YamlNode one = argument_of(words[i]);
    const std::size_t equals = words[i].text.find('=');
    if (equals != std::string::npos)
      one.text = words[i].text.substr(equals + 1);
    else if (i + 1 < words.size() && !is_option(words[i + 1]))
      one.text = words[++i].text;
    if (one.text.find('$') != std::string::npos) {
      if (std::ranges::count(needed, one.key))
        out.error(ProblemCode::wrong_type, {name, one.line, one.column},
                  "--{} is {}, which only the shell knows; put its value there", one.key, one.text);
      one.kind = Kind::null;
    }
    const auto twice = std::ranges::find(tree.items, one.key, &YamlNode::key);
    if (twice == tree.items.end())
      tree.items.push_back(std::move(one));
    else
      *twice = std::move(one);  // the last counts
  }
  return tree;
}

}  // namespace gpufeed
