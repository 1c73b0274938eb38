// SPDX-License-Identifier: Apache-2.0
#include "sim/load/patch.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <sstream>

#include "sim/load/read/front_door.h"

namespace gpufeed {
namespace {

constexpr const char* kText = "the scenario";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError({{{path, 0, 0}, why}});
}

/// Throws what the text's own problems are.
toml::table parsed(std::string_view text) {
  Diagnostics out;
  auto table = parse_toml(text, kText, out);
  out.throw_if_any();
  return std::move(*table);
}

/// A key, or the number of an array's element.
struct Step {
  std::string key;
  std::optional<std::size_t> element;
};

std::vector<Step> steps_of(const std::string& path) {
  std::vector<Step> steps;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
    steps.push_back({std::string(rest.substr(0, end)), {}});
    rest.remove_prefix(end);
    if (rest.starts_with('[')) {
      const std::size_t close = std::min(rest.find(']'), rest.size());
      std::size_t number = 0;
      if (std::from_chars(rest.data() + 1, rest.data() + close, number).ec != std::errc{})
        refuse(path, "an element is named by its number here, such as replace[0]");
      steps.push_back({"", number});
      rest.remove_prefix(std::min(close + 1, rest.size()));
    }
    if (rest.starts_with('.')) rest.remove_prefix(1);
  }
  return steps;
}

const toml::node* child(const toml::node& node, const Step& step) {
  if (step.element) {
    const auto* array = node.as_array();
    return array ? array->get(*step.element) : nullptr;
  }
  const auto* table = node.as_table();
  return table ? table->get(step.key) : nullptr;
}

/// Where lines and columns of the parser lie in the text: its columns count characters, not bytes.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }
  std::size_t start_of(std::size_t line) const {
    return line - 1 < starts_.size() ? starts_[line - 1] : text_.size();
  }
  /// Beginning of the line after `line`.
  std::size_t after(std::size_t line) const { return start_of(line + 1); }
  std::size_t of(const toml::source_position& at) const {
    std::size_t place = start_of(at.line);
    for (std::uint32_t column = 1; column < at.column && place < text_.size(); ++column) {
      ++place;
      while (place < text_.size() && (static_cast<unsigned char>(text_[place]) & 0xC0U) == 0x80U)
        ++place;
    }
    return place;
  }
  /// Whether what begins there is a header, [a] or [[a]], not a key.
  bool is_header(const toml::source_position& at) const {
    const std::size_t place = of(at);
    const std::size_t first = text_.find_first_not_of(" \t", start_of(at.line));
    return first == place && text_[place] == '[';
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// The last line of what stands below a table's own header: not that of tables with headers.
std::size_t last_line(const toml::node& node, const Places& places, bool own) {
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
std::string with_item(std::string_view text, const Places& places,
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
std::string with_new_key(std::string_view text, const toml::table& table, const Places& places,
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

bool says(std::string_view text, std::span<const Step> steps, const std::string& value) {
  Diagnostics wrong;
  const auto table = parse_toml(text, kText, wrong);
  const auto wanted = parse_toml("value = " + value, kText, wrong);
  if (!table || !wanted) return false;
  const toml::node* node = &*table;
  for (const Step& step : steps) {
    node = child(*node, step);
    if (!node) return false;
  }
  return printed(*node) == printed(*wanted->get("value"));
}

std::string joined(std::span<const Step> steps) {
  std::vector<std::string> keys;
  for (const Step& step : steps) keys.push_back(step.key);
  return fmt::format("{}", fmt::join(keys, "."));
}

std::string patched(std::string_view text, const std::string& path, std::span<const Step> steps,
                    const std::string& value) {
  const toml::table root = parsed(text);
  const Places places(text);
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
    if (!table || steps[i].element)
      refuse(path, fmt::format("{} is {}, not a table", joined(steps.first(i)), shown(*node)));
    const std::string line = joined(steps.subspan(i)) + " = " + value;
    const bool root_section = node == &root && i + 1 < steps.size();
    if (!root_section)
      if (auto out = with_new_key(text, *table, places, node == &root, line); !out.empty())
        return out;
    return at_end(text, fmt::format("[{}]\n{} = {}\n", joined(steps.first(steps.size() - 1)),
                                    steps.back().key, value));
  }
  return std::string(text);
}

}  // namespace

std::string with_value(std::string_view text, const std::string& path, const std::string& value) {
  const std::vector<Step> steps = steps_of(path);
  if (steps.empty()) refuse(path, "this is no path of a key, such as loader.workers_per_gpu");
  if (Diagnostics wrong; !parse_toml("value = " + value, kText, wrong))
    refuse(path, fmt::format("{} is no value as TOML writes it", value));
  std::string out = patched(text, path, steps, value);
  if (!says(out, steps, value))
    refuse(path, "this key stands in a form that cannot be changed in place; change the file");
  return out;
}

std::string with_table(std::string_view text, const std::string& name,
                       const std::vector<std::pair<std::string, std::string>>& keys) {
  const toml::table root = parsed(text);
  const toml::node* const node = root.get(name);
  const auto* array = node ? node->as_array() : nullptr;
  if (node && !array) refuse(name, fmt::format("this is {}, not an array of tables", shown(*node)));
  const Places places(text);
  std::vector<std::string> lines;
  lines.reserve(keys.size());
  for (const auto& [key, value] : keys) lines.push_back(fmt::format("{} = {}", key, value));
  const std::size_t before = array ? array->size() : 0;
  std::string out = array && !places.is_header(array->source().begin)
                        ? with_item(text, places, array->source(), array->empty(),
                                    fmt::format("{{ {} }}", fmt::join(lines, ", ")))
                        : at_end(text, fmt::format("[[{}]]\n{}\n", name, fmt::join(lines, "\n")));
  const toml::table now = parsed(out);
  const auto* tables = now.get_as<toml::array>(name);
  if (!tables || tables->size() != before + 1)
    refuse(name, "these tables stand in a form that cannot be changed in place; change the file");
  return out;
}

std::vector<std::string> texts_in(std::string_view text, const std::string& name,
                                  const std::string& key) {
  const toml::table root = parsed(text);
  std::vector<std::string> texts;
  if (const auto* array = root.get_as<toml::array>(name))
    for (const auto& element : *array) {
      const auto* table = element.as_table();
      texts.push_back(table ? (*table)[key].value_or(std::string()) : "");
    }
  return texts;
}

}  // namespace gpufeed
