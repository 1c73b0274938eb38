// SPDX-License-Identifier: Apache-2.0
// Single values of the reader.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/load/read/conditions.h"
#include "sim/load/read/reader.h"

namespace gpufeed {

void Reader::read(const toml::node& node, const std::string& place, std::string& value) {
  const auto* text = node.as_string();
  if (!text) return mismatch(node, place, expected_form(value));
  if (is_printable(text->get(), at(node), place)) value = text->get();
}

void Reader::read(const toml::node& node, const std::string& place, Label& value) {
  std::string text;
  read(node, place, text);
  value = Label(std::move(text));
}

void Reader::read(const toml::node& node, const std::string& place, Generation& value) {
  std::string text;
  if (!node.is_string()) return mismatch(node, place, expected_form(value));
  read(node, place, text);
  if (auto generation = parse_generation(text))
    value = std::move(*generation);
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, Redundancy& value) {
  const auto* said = node.as_string();
  if (const auto redundancy = said ? parse_redundancy(said->get()) : std::nullopt)
    value = *redundancy;
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, bool& value) {
  if (const auto* truth = node.as_boolean())
    value = truth->get();
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, std::int64_t& value) {
  if (const auto* number = node.as_integer())
    value = number->get();
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, double& value) {
  const auto number = node.value<double>();
  if (number && node.is_number() && std::isfinite(*number))
    value = *number;
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, PartRef& value) {
  value.where = at(node);
  if (const auto* text = node.as_string(); text && !text->get().empty())
    value.id = Label(text->get());
  else
    mismatch(node, place, expected_form(value));
}

void Reader::read(const toml::node& node, const std::string& place, FileRef& value) {
  value.where = at(node);
  const auto* text = node.as_string();
  if (!text || text->get().empty()) return mismatch(node, place, expected_form(value));
  if (is_printable(text->get(), value.where, place) && may_name(text->get(), value.where, place))
    value.path = text->get();
}

void Reader::read(const toml::node& node, const std::string& place, KeyPath& value) {
  const auto* written = node.as_string();
  if (!written) return mismatch(node, place, expected_form(value));
  if (auto path = parse_key_path(written->get(), at(node), out_)) value = std::move(*path);
}

void Reader::read(const toml::node& node, const std::string& place, Literal& value) {
  value.where = at(node);
  if (const auto* text = node.as_string()) {
    value.text = text->get();
    value.is_text = true;
  } else if (const auto* number = node.as_integer()) {
    value.text = std::to_string(number->get());
  } else if (const auto* truth = node.as_boolean()) {
    value.text = truth->get() ? "true" : "false";
  } else {
    mismatch(node, place, expected_form(value));
  }
}

void Reader::read(const toml::node& node, const std::string& place, Condition& value) {
  if (const auto* text = node.as_string()) {
    if (auto condition = parse_condition(text->get(), place, at(node), out_))
      value = std::move(*condition);
  } else {
    mismatch(node, place, expected_form(value));
  }
}

std::optional<std::size_t> Reader::read_word(const toml::node& node, const std::string& place,
                                             Keys words) {
  const Names names(words.begin(), words.end());
  const auto* text = node.as_string();
  const auto it = text ? std::ranges::find(names, text->get()) : names.end();
  if (it != names.end()) return static_cast<std::size_t>(it - names.begin());
  wrong_word(node, place, words);
  return {};
}

}  // namespace gpufeed
