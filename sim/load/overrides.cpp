// SPDX-License-Identifier: Apache-2.0
#include "sim/load/overrides.h"

#include <charconv>

#include "sim/load/key_path.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

struct Step {
  std::string key;
  std::optional<std::string> element;  ///< id or number of an array's element
};

/// `system.drive[ssd0].model` as steps; nothing where the path is malformed.
std::optional<std::vector<Step>> parse_path(std::string_view path) {
  std::vector<Step> steps;
  while (true) {
    const std::size_t end = path.find_first_of(".[");
    Step step{std::string(path.substr(0, end)), {}};
    if (step.key.empty()) return {};
    path.remove_prefix(std::min(end, path.size()));
    if (path.starts_with('[')) {
      const std::size_t close = path.find(']');
      if (close == std::string_view::npos || close == 1) return {};
      step.element = std::string(path.substr(1, close - 1));
      path.remove_prefix(close + 1);
    }
    steps.push_back(std::move(step));
    if (path.empty()) return steps;
    if (!path.starts_with('.')) return {};
    path.remove_prefix(1);
  }
}

/// The value as a node that remembers the option as its place.
std::optional<toml::table> parse_value(const Override& override) {
  Diagnostics ignored;
  if (auto table = parse_toml("value = " + override.value, override.option, ignored);
      table && table->size() == 1)
    return table;
  return parse_toml("value = " + toml_string(override.value), override.option, ignored);
}

class Walker {
 public:
  Walker(const Override& override, Reader& reader, Diagnostics& out)
      : override_(override), reader_(reader), out_(out) {}

  void walk(toml::table& root) {
    const auto steps = parse_path(override_.path);
    auto value = parse_value(override_);
    if (!steps || !value) {
      error("\"{}\" is not a path such as loader.workers_per_gpu or system.drive[ssd0].model",
            override_.path);
      return;
    }
    toml::table* table = &root;
    for (std::size_t i = 0; table && i + 1 < steps->size(); ++i) table = enter(*table, (*steps)[i]);
    if (!table) return;
    if (steps->back().element) {
      error("{} names a table; go on with a key of it", override_.path);
      return;
    }
    const std::string& key = steps->back().key;
    if (is_value_of_entry(key) && !value->get("value")->is_table()) value = as_own_value(*value);
    value->get("value")->visit([&](auto& node) { table->insert_or_assign(key, std::move(node)); });
  }

 private:
  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    out_.error({override_.option, 0, 0}, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  toml::table* enter(toml::table& table, const Step& step) {
    place_ += (place_.empty() ? "" : ".") + step.key;
    keys_.push_back(step.key);
    toml::node* node = table.get(step.key);
    if (!node) node = &add_table(table, step.key);
    if (node->is_string() && !inline_entry(table, step.key)) return nullptr;
    node = table.get(step.key);
    if (step.element) return element(*node, *step.element);
    if (auto* inner = node->as_table()) return inner;
    error("{} is {}, not a table", place_, shown(*node));
    return nullptr;
  }

  /// Whether the key is one that a catalog entry gives with a source and a basis.
  bool is_value_of_entry(const std::string& key) const {
    if (key_at(keys_).entry.empty()) return false;
    std::vector<std::string> path = keys_;
    path.push_back(key);
    const KeyAt value = key_at(path);
    return value.known && value.entry.empty() && !value.list;
  }

  /// `value = { value = ..., source = ..., basis = ... }`: the user's word, not the entry's.
  std::optional<toml::table> as_own_value(toml::table& given) {
    Diagnostics none;
    auto own = parse_toml(fmt::format("value = {{ source = {}, basis = \"estimate\" }}",
                                      toml_string(override_.option)),
                          override_.option, none);
    auto& inner = *own->get_as<toml::table>("value");
    given.get("value")->visit(
        [&](auto& node) { inner.insert_or_assign("value", std::move(node)); });
    return own;
  }

  /// A table that remembers the option as its place.
  toml::node& add_table(toml::table& table, const std::string& key) {
    Diagnostics none;
    auto made = parse_toml("value = {}", override_.option, none);
    auto& value = *made->get_as<toml::table>("value");
    return table.insert_or_assign(key, std::move(value)).first->second;
  }

  toml::table* element(toml::node& node, const std::string& wanted) {
    auto* array = node.as_array();
    if (!array) {
      error("{} is {}, not an array of tables", place_, shown(node));
      return nullptr;
    }
    std::size_t number = array->size();
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    Names ids;
    for (std::size_t i = 0; i < array->size(); ++i) {
      auto* table = (*array)[i].as_table();
      if (!table) continue;
      const auto id = (*table)["id"].value_or(std::to_string(i));
      if (id == wanted || i == number) {
        place_ += "[" + id + "]";
        return table;
      }
      ids.push_back(id);
    }
    error("there is no {}[{}]; {}", place_, wanted, suggestion(wanted, ids));
    return nullptr;
  }

  bool inline_entry(toml::table& table, const std::string& key) {
    const std::string_view kind = key_at(keys_).entry;
    const std::string name = table.get(key)->as_string()->get();
    if (kind.empty()) {
      error("{} is \"{}\", not a table", place_, name);
      return false;
    }
    const auto file = reader_.locate(kind, name, reader_.at(*table.get(key)), place_);
    if (!file) return false;
    auto entry = parse_toml_file(*file, out_);
    if (!entry) return false;
    reader_.inlined[place_] = name;
    table.insert_or_assign(key, std::move(*entry));
    return true;
  }

  const Override& override_;
  Reader& reader_;
  Diagnostics& out_;
  std::string place_;
  std::vector<std::string> keys_;  ///< of `place_`
};

}  // namespace

Override parse_override(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  Diagnostics out;
  if (equals == std::string::npos || equals == 0)
    out.error({"--set " + assignment, 0, 0},
              "expected path=value, such as loader.workers_per_gpu=16");
  out.throw_if_any();
  return {assignment.substr(0, equals), assignment.substr(equals + 1), "--set " + assignment};
}

void apply_override(toml::table& root, const Override& override, Reader& reader, Diagnostics& out) {
  Walker(override, reader, out).walk(root);
}

}  // namespace gpufeed
