// SPDX-License-Identifier: Apache-2.0
#include "sim/load/scenario_build.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "sim/base/assert.h"
#include "sim/base/pattern.h"
#include "sim/load/key_at.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

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
    GPUFEED_ASSERT(!override_.path.empty(), "an override sets a key");
    if (!parse_value(override_)) return error("the value is no text");
    go_on(root, override_.path.steps, {});
  }

 private:
  using Steps = std::span<const KeyStep>;

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    Problem problem{{override_.option, 0, 0}, fmt::format(format, std::forward<Args>(args)...)};
    problem.subject = override_.path;
    out_.add(std::move(problem));
  }

  void go_on(toml::table& table, Steps steps, const KeyPath& here) {
    if (steps.size() > 1) return enter(table, steps, here);
    if (steps.front().element)
      return error("{} names a table; go on with a key of it", text(override_.path));
    const std::string key = current_name(table, steps.front().key, here);
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

  void enter(toml::table& table, Steps steps, KeyPath here) {
    const KeyStep& step = steps.front();
    const std::string key = current_name(table, step.key, here);
    here = here / key;
    toml::node* node = table.get(key);
    if (!node) node = &add_table(table, key);
    node = &without_source(table, key, here, *node);
    if (node->is_string() && !inline_entry(table, key, here)) return;
    node = table.get(key);
    const std::string place = text(here);
    if (reader_.inlined.contains(place) || reader_.tables.contains(place)) note_within();
    if (step.element) return elements(*node, *step.element, steps.subspan(1), here);
    if (auto* inner = node->as_table()) return go_on(*inner, steps.subspan(1), here);
    error("{} is {}, not a table", place, shown(*node));
  }

  /// The name of a key that may be given by its alias, here or in the file, which gives way to it.
  std::string current_name(toml::table& table, const std::string& key, const KeyPath& here) {
    const KeyAt at = key_at(here / key);
    if (at.alias.empty()) return key;
    const auto note = [&](const Location& where) {
      if (!at.since.empty())
        reader_.old_names.push_back(
            {where, here / at.alias, std::string(at.name), std::string(at.since)});
    };
    if (key == at.alias) note({override_.option, 0, 0});
    if (toml::node* const old = table.get(at.alias); old && !table.contains(at.name)) {
      note(reader_.at(*old));
      old->visit([&](auto& node) { table.insert_or_assign(at.name, std::move(node)); });
      table.erase(at.alias);
    }
    return std::string(at.name);
  }

  static bool is_known(const std::string& key, const KeyPath& here) {
    return key_at(here / key).known;
  }

  /// Whether the key is one that a catalog entry gives with a source and a basis.
  static bool is_value_of_entry(const std::string& key, const KeyPath& here) {
    if (key_at(here).entry.empty()) return false;
    const KeyAt value = key_at(here / key);
    return value.known && value.entry.empty() && !value.list;
  }

  void note_within() {
    const std::string set = fmt::format("{}={}", text(override_.path), override_.value);
    if (!std::ranges::count(reader_.set_within, set)) reader_.set_within.push_back(set);
  }

  void note_calibrated(const KeyPath& here, const std::string& key, const toml::node* before) {
    if (const auto* own = before ? before->as_table() : nullptr) before = own->get("value");
    const auto number = before ? before->value<std::string>() : std::nullopt;
    reader_.calibrated.push_back(
        {text(here / key), override_.value,
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
  void elements(toml::node& node, const std::string& wanted, Steps rest, const KeyPath& here) {
    auto* array = node.as_array();
    if (!array) return error("{} is {}, not an array of tables", text(here), shown(node));
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
      go_on(*table, rest, here[id]);
    }
    if (!found) error("there is no {}; {}", text(here[wanted]), suggestion_for(wanted, ids));
  }

  /// An entry may be named as { value = "name", source = ..., basis = ... }, too.
  static toml::node& without_source(toml::table& table, const std::string& key, const KeyPath& here,
                                    toml::node& node) {
    auto* stated = node.as_table();
    auto* name = stated ? stated->get_as<std::string>("value") : nullptr;
    if (!name || key_at(here).entry.empty()) return node;
    auto moved = std::move(*name);
    return table.insert_or_assign(key, std::move(moved)).first->second;
  }

  bool inline_entry(toml::table& table, const std::string& key, const KeyPath& here) {
    const std::string_view kind = key_at(here).entry;
    const std::string place = text(here);
    const std::string name = table.get(key)->as_string()->get();
    if (kind.empty()) {
      error("{} is \"{}\", not a table", place, name);
      return false;
    }
    const auto file = reader_.locate(kind, name, reader_.at(*table.get(key)), place);
    if (!file) return false;
    auto entry = reader_.entry_table(kind, *file);
    if (!entry) return false;
    reader_.put_own_values(entry->table, kind, file->stem().string());
    reader_.inlined[place] = name;
    table.insert_or_assign(key, std::move(entry->table));
    return true;
  }

  const Override& override_;
  Reader& reader_;
  Diagnostics& out_;
};

}  // namespace

Override parse_override(const std::string& assignment) {
  const std::string option = "--set " + assignment;
  const std::size_t equals = end_of_path(assignment);
  Diagnostics out;
  if (equals == assignment.size() || equals == 0)
    out.error(ProblemCode::bad_path, {option, 0, 0},
              "expected path=value, such as loader.workers_per_gpu=16");
  out.throw_if_any();
  auto path = parse_key_path(std::string_view(assignment).substr(0, equals), {option, 0, 0}, out);
  out.throw_if_any();
  return {std::move(*path), assignment.substr(equals + 1), option};
}

void apply_override(toml::table& root, const Override& override, Reader& reader, Diagnostics& out) {
  Walker(override, reader, out).walk(root);
}

}  // namespace gpufeed
