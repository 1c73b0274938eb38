// SPDX-License-Identifier: Apache-2.0
#include "sim/import/networks/config_keys.h"

#include <charconv>

namespace gpufeed {
namespace {

std::optional<std::int64_t> number_of(const YamlNode& node) {
  std::int64_t value = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, value);
  if (node.quoted || error != std::errc{} || stop != end || value < 1 || value > ConfigKeys::kMost)
    return {};
  return value;
}

}  // namespace

const YamlNode* ConfigKeys::find(const char* name) const {
  const YamlNode* const node = map_.find(name);
  return node && node->kind != YamlNode::Kind::null ? node : nullptr;
}

std::int64_t ConfigKeys::whole(const char* name, std::int64_t usual, std::int64_t most) {
  if (!has(name)) return usual;
  return reader_.whole(map_, name, 1, most).value_or(usual);
}

std::int64_t ConfigKeys::needed(const char* name) {
  if (!has(name)) missing(name, "a whole number above 0");
  return whole(name, 1);
}

ConfigKeys ConfigKeys::within(const char* name) {
  static const YamlNode kEmpty = [] {
    YamlNode map;
    map.kind = YamlNode::Kind::map;
    return map;
  }();
  const YamlNode* const node = find(name);
  if (node && node->kind != YamlNode::Kind::map) reader_.refuse(*node, name, "a map");
  return {node && node->kind == YamlNode::Kind::map ? *node : kEmpty, reader_};
}

bool ConfigKeys::truth(const char* name, bool usual) {
  return has(name) ? reader_.truth(map_, name).value_or(usual) : usual;
}

std::string ConfigKeys::word(const char* name, const std::string& usual) {
  return has(name) ? reader_.word(map_, name).value_or(usual) : usual;
}

std::vector<std::int64_t> ConfigKeys::wholes(const char* name, std::vector<std::int64_t> usual) {
  const YamlNode* const node = find(name);
  if (!node) return usual;
  std::vector<std::int64_t> out;
  const auto take = [&](const YamlNode& one) {
    if (const auto value = number_of(one)) return out.push_back(*value);
    reader_.refuse(one, name, "whole numbers above 0");
  };
  if (node->kind == YamlNode::Kind::list)
    for (const YamlNode& one : node->items) take(one);
  else
    take(*node);
  return out.empty() ? std::vector<std::int64_t>{1} : out;
}

std::vector<std::string> ConfigKeys::words(const char* name) {
  std::vector<std::string> out;
  const YamlNode* const node = find(name);
  if (!node) return out;
  if (node->kind != YamlNode::Kind::list) reader_.refuse(*node, name, "a list of words");
  for (const YamlNode& one : node->items) out.push_back(one.text);
  return out;
}

std::optional<std::size_t> ConfigKeys::entries(const char* name) const {
  const YamlNode* const node = find(name);
  if (!node) return {};
  return node->items.size();
}

void ConfigKeys::only(const char* name, bool good, const std::string& must_be) {
  if (const YamlNode* const node = find(name); node && !good) reader_.refuse(*node, name, must_be);
}

void ConfigKeys::missing(const char* name, const std::string& must_be) {
  reader_.missing(map_, name, must_be);
}

}  // namespace gpufeed
