// SPDX-License-Identifier: Apache-2.0
#include "sim/load/text/text_places.h"

#include <algorithm>
#include <charconv>

namespace gpufeed {

void refuse_path(const KeyPath& path, const std::string& why) {
  Problem problem{{text(path), 0, 0}, why};
  problem.subject = path;
  throw InputError({problem});
}

toml::table parsed_text(std::string_view text) {
  Diagnostics out;
  auto table = parse_toml(text, kPatchedText, out);
  out.throw_if_any();
  return std::move(*table);
}

namespace {

const toml::node* element_of(const toml::array& array, const std::string& wanted) {
  for (const auto& one : array)
    if (const auto* table = one.as_table(); table && (*table)["id"].value<std::string>() == wanted)
      return &one;
  std::size_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  return error == std::errc{} && stop == end ? array.get(number) : nullptr;
}

}  // namespace

const toml::node* child(const toml::node& node, const KeyStep& step) {
  const auto* table = node.as_table();
  const toml::node* const value = table ? table->get(step.key) : nullptr;
  if (!value || !step.element) return value;
  const auto* array = value->as_array();
  return array ? element_of(*array, *step.element) : nullptr;
}

const toml::node* node_at(const toml::node& root, std::span<const KeyStep> steps) {
  const toml::node* node = &root;
  for (const KeyStep& step : steps) {
    if (!node) return nullptr;
    node = child(*node, step);
  }
  return node;
}

TextPlaces::TextPlaces(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

std::size_t TextPlaces::start_of(std::size_t line) const {
  return line - 1 < starts_.size() ? starts_[line - 1] : text_.size();
}

std::size_t TextPlaces::of(const toml::source_position& at) const {
  std::size_t place = start_of(at.line);
  for (std::uint32_t column = 1; column < at.column && place < text_.size(); ++column) {
    ++place;
    while (place < text_.size() && (static_cast<unsigned char>(text_[place]) & 0xC0U) == 0x80U)
      ++place;
  }
  return place;
}

bool TextPlaces::is_header(const toml::source_position& at) const {
  const std::size_t place = of(at);
  const std::size_t first = text_.find_first_not_of(" \t", start_of(at.line));
  return first == place && text_[place] == '[';
}

}  // namespace gpufeed
