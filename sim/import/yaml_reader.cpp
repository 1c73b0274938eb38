// SPDX-License-Identifier: Apache-2.0
#include "sim/import/yaml_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/base/files/text_input.h"

namespace gpufeed {
namespace {

using Kind = YamlNode::Kind;

/// "dataset.format": "format".
std::string_view key_of(std::string_view place) { return place.substr(place.rfind('.') + 1); }

/// The value of a plain scalar, read to its end; no infinity, and no 0123, which YAML 1.1 reads as
/// octal.
std::optional<double> number_in(const YamlNode& node) {
  if (node.kind != Kind::scalar || node.quoted) return {};
  std::string_view text = node.text;
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) return {};
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return {};
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  if (value != 0 && !std::isnormal(value)) return {};  // too small to keep its digits
  return value;
}

std::optional<bool> truth_in(const YamlNode& node) {
  constexpr std::array kTrue{"true", "yes", "on"};
  constexpr std::array kFalse{"false", "no", "off"};
  if (node.kind != Kind::scalar || node.quoted) return {};
  std::string text = node.text;
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::ranges::count(kTrue, text)) return true;
  if (std::ranges::count(kFalse, text)) return false;
  return {};
}

/// Whether leaving the value out changes nothing: none, false, 0, -1, an empty list.
bool asks_for_nothing(const YamlNode& node) {
  if (node.kind == Kind::null) return true;
  if (node.kind != Kind::scalar) return node.items.empty();
  const auto number = number_in(node);
  return truth_in(node) == false || node.text == "none" || node.text == "None" ||
         (number && (*number == 0 || *number == -1));
}

std::string shown(const YamlNode& node) {
  switch (node.kind) {
    case Kind::null:
      return "nothing";
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  constexpr std::size_t kLongestNumber = 40;
  if (number_in(node) && node.text.size() <= kLongestNumber) return node.text;
  std::string text = node.text;
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return in_quotes(text);
}

std::string plain(double value) { return fmt::format("{}", value); }

}  // namespace

void YamlReader::check_keys(const YamlNode& map, const YamlKeys& keys) {
  const std::string prefix = keys.section.empty() ? "" : keys.section + ".";
  Names absent;
  for (const auto& name : keys.read)
    if (!map.find(name)) absent.push_back(name);
  for (const auto& item : map.items) {
    if (std::ranges::count(keys.read, item.key)) continue;
    const bool known = std::ranges::count(keys.others, item.key) > 0;
    const auto meant = known ? std::nullopt : nearest(item.key, absent);
    if (meant) {
      out_.error(ProblemCode::unknown_key, {file_, item.key_line, item.key_column},
                 "{}unknown key \"{}\"; did you mean \"{}\"?",
                 keys.section.empty() ? "" : keys.section + ": ", item.key, *meant);
      explained_.push_back(prefix + *meant);
    } else if (!asks_for_nothing(item)) {
      not_read.push_back(prefix + item.key);
    }
  }
}

const YamlNode* YamlReader::section(const YamlNode& file, const std::string& name) {
  const YamlNode* node = file.find(name);
  if (!node || node->kind == Kind::null) return nullptr;
  if (node->kind == Kind::map) return node;
  refuse(*node, name, "a map of keys");
  explained_.push_back(name);
  return nullptr;
}

std::optional<double> YamlReader::number(const YamlNode& map, const std::string& place,
                                         double least, double most) {
  const YamlNode* node = map.find(key_of(place));
  if (!node) return {};
  const auto value = number_in(*node);
  if (value && *value >= least && *value <= most) return value;
  refuse(*node, place, fmt::format("a number from {} to {}", plain(least), plain(most)));
  return {};
}

std::optional<std::int64_t> YamlReader::whole(const YamlNode& map, const std::string& place,
                                              std::int64_t least, std::int64_t most) {
  const YamlNode* node = map.find(key_of(place));
  if (!node) return {};
  const auto value = number_in(*node);
  const bool digits = node->text.find_first_of(".eE") == std::string::npos;
  if (value && digits && *value >= static_cast<double>(least) &&
      *value <= static_cast<double>(most))
    return static_cast<std::int64_t>(*value);
  refuse(*node, place, fmt::format("a whole number from {} to {}", least, most));
  return {};
}

std::optional<bool> YamlReader::truth(const YamlNode& map, const std::string& place) {
  const YamlNode* node = map.find(key_of(place));
  if (!node) return {};
  const auto value = truth_in(*node);
  if (!value) refuse(*node, place, "true or false");
  return value;
}

std::optional<std::string> YamlReader::word(const YamlNode& map, const std::string& place) {
  const YamlNode* node = map.find(key_of(place));
  if (!node) return {};
  if (node->kind == Kind::scalar && !node->text.empty()) return node->text;
  refuse(*node, place, "a word");
  return {};
}

void YamlReader::missing(const YamlNode& map, const std::string& place,
                         const std::string& must_be) {
  // A section explains its keys, and record_length its longer name.
  const auto explains = [&](const std::string& one) { return place.starts_with(one); };
  if (std::ranges::any_of(explained_, explains)) return;
  out_.error(ProblemCode::missing_key, at(map), "{} is missing; it must be {}", place, must_be);
}

void YamlReader::refuse(const YamlNode& node, const std::string& place,
                        const std::string& must_be) {
  out_.error(ProblemCode::wrong_type, at(node), "{} must be {}; found {}", place, must_be,
             shown(node));
  explained_.push_back(place);
}

}  // namespace gpufeed
