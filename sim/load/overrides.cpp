// SPDX-License-Identifier: Apache-2.0
#include "sim/load/scenario_build.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "sim/base/pattern.h"
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
    if (!steps || !parse_value(override_)) {
      error("\"{}\" is not a path such as loader.workers_per_gpu or system.drive[ssd0].model",
            override_.path);
      return;
    }
    go_on(root, *steps, {});
  }

 private:
  using Steps = std::span<const Step>;

  /// Where the walk is; an element that is a pattern leads to several.
  struct Here {
    std::string place;
    std::vector<std::string> keys;
  };

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    out_.error({override_.option, 0, 0}, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  void go_on(toml::table& table, Steps steps, const Here& here) {
    if (steps.size() > 1) return enter(table, steps, here);
    if (steps.front().element)
      return error("{} names a table; go on with a key of it", override_.path);
    const std::string& key = steps.front().key;
    if (override_.value.empty() && is_known(key, here)) {
      table.erase(key);
      return;
    }
    auto value = parse_value(override_);
    const bool of_entry = is_value_of_entry(key, here) && !value->get("value")->is_table();
    if (override_.provenance) note_calibrated(here, key, table.get(key));
    if (of_entry) value = as_own_value(*value);
    value->get("value")->visit([&](auto& node) { table.insert_or_assign(key, std::move(node)); });
  }

  void enter(toml::table& table, Steps steps, Here here) {
    const Step& step = steps.front();
    here.place += (here.place.empty() ? "" : ".") + step.key;
    here.keys.push_back(step.key);
    toml::node* node = table.get(step.key);
    if (!node) node = &add_table(table, step.key);
    node = &without_source(table, step.key, here, *node);
    if (node->is_string() && !inline_entry(table, step.key, here)) return;
    node = table.get(step.key);
    if (reader_.inlined.contains(here.place) || reader_.tables.contains(here.place)) note_within();
    if (step.element) return elements(*node, *step.element, steps.subspan(1), here);
    if (auto* inner = node->as_table()) return go_on(*inner, steps.subspan(1), here);
    error("{} is {}, not a table", here.place, shown(*node));
  }

  static bool is_known(const std::string& key, const Here& here) {
    std::vector<std::string> path = here.keys;
    path.push_back(key);
    return key_at(path).known;
  }

  /// Whether the key is one that a catalog entry gives with a source and a basis.
  static bool is_value_of_entry(const std::string& key, const Here& here) {
    if (key_at(here.keys).entry.empty()) return false;
    std::vector<std::string> path = here.keys;
    path.push_back(key);
    const KeyAt value = key_at(path);
    return value.known && value.entry.empty() && !value.list;
  }

  void note_within() {
    const std::string set = fmt::format("{}={}", override_.path, override_.value);
    if (!std::ranges::count(reader_.set_within, set)) reader_.set_within.push_back(set);
  }

  void note_calibrated(const Here& here, const std::string& key, const toml::node* before) {
    if (const auto* own = before ? before->as_table() : nullptr) before = own->get("value");
    const auto number = before ? before->value<std::string>() : std::nullopt;
    reader_.calibrated.push_back(
        {here.place + (here.place.empty() ? "" : ".") + key, override_.value,
         number ? *number : (before && before->is_value() ? shown(*before) : ""),
         override_.deviation});
  }

  /// `value = { value = ..., source = ..., basis = ... }`: the user's word, not the entry's.
  std::optional<toml::table> as_own_value(toml::table& given) {
    Diagnostics none;
    const Provenance origin =
        override_.provenance.value_or(Provenance{override_.option, Basis::estimate});
    if (!override_.provenance) reader_.words_of_user.insert(override_.option);
    auto own = parse_toml(fmt::format("value = {{ source = {}, basis = \"{}\" }}",
                                      toml_string(origin.source), name_of(origin.basis)),
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

  /// The elements whose id, or number from 0, is `wanted`; of a pattern, all whose id fits.
  void elements(toml::node& node, const std::string& wanted, Steps rest, const Here& here) {
    auto* array = node.as_array();
    if (!array) return error("{} is {}, not an array of tables", here.place, shown(node));
    std::size_t number = array->size();
    const char* const end = wanted.data() + wanted.size();
    if (std::from_chars(wanted.data(), end, number).ptr != end) number = array->size();
    const std::size_t before = out_.count();
    bool found = false;
    Names ids;
    for (std::size_t i = 0; i < array->size() && out_.count() == before; ++i) {
      auto* table = (*array)[i].as_table();
      if (!table) continue;
      const auto id = (*table)["id"].value_or(std::to_string(i));
      ids.push_back(id);
      const bool fits = is_pattern(wanted) ? matches(wanted, id) : id == wanted || i == number;
      if (!fits || (found && !is_pattern(wanted))) continue;
      found = true;
      go_on(*table, rest, {fmt::format("{}[{}]", here.place, id), here.keys});
    }
    if (!found) error("there is no {}[{}]; {}", here.place, wanted, suggestion_for(wanted, ids));
  }

  /// An entry may be named as { value = "name", source = ..., basis = ... }, too.
  static toml::node& without_source(toml::table& table, const std::string& key, const Here& here,
                                    toml::node& node) {
    auto* stated = node.as_table();
    auto* name = stated ? stated->get_as<std::string>("value") : nullptr;
    if (!name || key_at(here.keys).entry.empty()) return node;
    auto moved = std::move(*name);
    return table.insert_or_assign(key, std::move(moved)).first->second;
  }

  bool inline_entry(toml::table& table, const std::string& key, const Here& here) {
    const std::string_view kind = key_at(here.keys).entry;
    const std::string name = table.get(key)->as_string()->get();
    if (kind.empty()) {
      error("{} is \"{}\", not a table", here.place, name);
      return false;
    }
    const auto file = reader_.locate(kind, name, reader_.at(*table.get(key)), here.place);
    if (!file) return false;
    auto entry = reader_.entry_table(kind, *file);
    if (!entry) return false;
    reader_.put_own_values(entry->table, kind, file->stem().string());
    reader_.inlined[here.place] = name;
    table.insert_or_assign(key, std::move(entry->table));
    return true;
  }

  const Override& override_;
  Reader& reader_;
  Diagnostics& out_;
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
