// SPDX-License-Identifier: Apache-2.0
#include "sim/load/text/text_places.h"

#include <algorithm>
#include <charconv>

namespace gpufeed {

void refuse_path(const std::string& path, const std::string& why) {
  throw InputError({{{path, 0, 0}, why}});
}

toml::table parsed_text(std::string_view text) {
  Diagnostics out;
  auto table = parse_toml(text, kPatchedText, out);
  out.throw_if_any();
  return std::move(*table);
}

std::vector<KeyStep> steps_of(const std::string& path) {
  std::vector<KeyStep> steps;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
    steps.push_back({std::string(rest.substr(0, end)), {}});
    rest.remove_prefix(end);
    if (rest.starts_with('[')) {
      const std::size_t close = std::min(rest.find(']'), rest.size());
      std::size_t number = 0;
      if (std::from_chars(rest.data() + 1, rest.data() + close, number).ec != std::errc{})
        refuse_path(path, "an element is named by its number here, such as replace[0]");
      steps.push_back({"", number});
      rest.remove_prefix(std::min(close + 1, rest.size()));
    }
    if (rest.starts_with('.')) rest.remove_prefix(1);
  }
  return steps;
}

const toml::node* child(const toml::node& node, const KeyStep& step) {
  if (step.element) {
    const auto* array = node.as_array();
    return array ? array->get(*step.element) : nullptr;
  }
  const auto* table = node.as_table();
  return table ? table->get(step.key) : nullptr;
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
