// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/catalog.h"
#include "sim/load/front_door.h"
#include "sim/load/toml_text.h"
#include "sim/model/scenario.h"

namespace gpufeed {

template <class M>
struct IsOptional : std::false_type {};
template <class M>
struct IsOptional<std::optional<M>> : std::true_type {};
template <class M>
struct IsRef : std::false_type {};
template <class T>
struct IsRef<Ref<T>> : std::true_type {};
template <class M>
struct IsVector : std::false_type {};
template <class M>
struct IsVector<std::vector<M>> : std::true_type {};

template <HasFields T>
Names keys_of() {
  Names names;
  for_each_field<T>([&](const auto& field) { names.emplace_back(field.name); });
  return names;
}

// What a message says a key must be.
template <class Unit>
std::string expected_form(const Quantity<Unit>&) {
  return fmt::format("text with a unit, such as \"{}\"", units_of<Quantity<Unit>>().example);
}
inline std::string expected_form(const std::int64_t&) { return "a whole number"; }
inline std::string expected_form(const bool&) { return "true or false"; }
inline std::string expected_form(const std::string&) { return "text in quotes"; }
inline std::string expected_form(const PartRef&) { return "the id of a part, in quotes"; }
template <class T>
std::string expected_form(const Ref<T>&) {
  return fmt::format("the name of a {0} in the catalog, a path to its file, or a table", T::kKind);
}
template <NamedEnum E>
std::string expected_form(const E&) {
  return fmt::format("one of \"{}\"", fmt::join(EnumNames<E>::names, "\", \""));
}
template <HasFields T>
std::string expected_form(const T&) {
  return "a table";
}
template <class M>
std::string expected_form(const std::vector<M>&) {
  return HasFields<M> ? "an array of tables" : "an array of texts";
}
template <class M>
std::string expected_form(const std::map<std::string, M>&) {
  return "tables by name";
}
template <class M>
std::string expected_form(const std::optional<M>&) {
  return expected_form(M{});
}

/// The form and the range of a key.
template <class T, class M>
std::string expected(const Field<T, M>& field) {
  if constexpr (!std::same_as<typename Field<T, M>::Bound, std::monostate>) {
    if (field.ranged) {
      const bool whole = std::same_as<typename Field<T, M>::Bound, std::int64_t>;
      return fmt::format("{} from {} to {}", whole ? "a whole number" : "text with a unit",
                         toml_value(field.min), toml_value(field.max));
    }
  }
  return expected_form(M{});
}

/// Turns TOML tables into structs by their `fields()`. Every problem goes to `out`; nothing throws.
/// Places are named as `--set` names them: `system.gpu[gpu3].at`.
class Reader {
 public:
  Reader(const Catalog& catalog, std::string file, Diagnostics& out)
      : catalog_(catalog), file_(std::move(file)), out_(out) {}

  /// Catalog names of the tables that overrides have put in the place of a name.
  std::map<std::string, std::string> inlined;
  /// "key = value" of every scenario key that was not given.
  std::vector<std::string> defaults;

  template <HasFields T>
  void read_table(const toml::table& table, const std::string& place, T& value) {
    if constexpr (requires { value.where; }) value.where = at(table);
    Names known = keys_of<T>();
    if constexpr (std::derived_from<T, Entry>) {
      known.emplace_back("source");
      known.emplace_back("basis");
    }
    std::set<std::string, std::less<>> explained;  // a misspelt key is one problem, not two
    for (const auto& [key, node] : table) {
      if (std::ranges::count(known, key.str())) continue;
      const auto& region = key.source().path ? key.source() : node.source();
      out_.error(location(region, file_), "{}unknown key \"{}\"; {}", prefix(place), key.str(),
                 suggestion(key.str(), known));
      if (const auto near = nearest(key.str(), known)) explained.insert(*near);
    }
    for_each_field<T>([&](const auto& field) {
      if (const toml::node* node = table.get(field.name))
        read_key(*node, join(place, field.name), field, value);
      else if (field.required && !explained.contains(field.name))
        out_.error(at(table), "{}\"{}\" is missing; it must be {}", prefix(place), field.name,
                   expected(field));
      else if (!field.required)
        note_default(join(place, field.name), value.*field.member);
    });
    check(table, place, value);
  }

  template <class T>
  void read(const toml::node& node, const std::string& place, Ref<T>& ref) {
    ref.where = at(node);
    if (const auto* table = node.as_table()) {
      const auto it = inlined.find(place);
      ref.name = it == inlined.end() ? place : it->second;
      auto entry = std::make_shared<T>();
      entry->name = ref.name;
      entry->provenance = {file_, Basis::estimate};
      Nested quiet(*this);
      read_table(*table, place, *entry);
      read_provenance(*table, place, *entry, false);
      ref.entry = std::move(entry);
    } else if (const auto* text = node.as_string()) {
      ref.name = text->get();
      resolve(ref, place);
    } else {
      mismatch(node, place, expected_form(ref));
    }
  }

  /// Loads the entry that `ref.name` names: in the catalog, or in a file beside `ref.where`.
  template <class T>
  void resolve(Ref<T>& ref, const std::string& place) {
    namespace fs = std::filesystem;
    if (ref.name.find('/') != std::string::npos || ref.name.ends_with(".toml")) {
      const bool on_command_line = ref.where.file.starts_with("--");
      const fs::path folder = on_command_line ? "" : fs::path(ref.where.file).parent_path();
      const fs::path file = (folder / ref.name).lexically_normal();
      if (fs::is_regular_file(file))
        ref.entry = entry_of<T>(file);
      else
        out_.error(ref.where, "{}: there is no file \"{}\"", place, file.string());
    } else if (const auto file = catalog_.find(T::kKind, ref.name)) {
      ref.entry = entry_of<T>(*file);
    } else {
      out_.error(ref.where, "{}: no {} \"{}\" in the catalog; {}", place, T::kKind, ref.name,
                 suggestion(ref.name, catalog_.names(T::kKind)));
    }
  }

  /// Reads the entry in `file`; nothing where it cannot be read. An entry is read once.
  template <class T>
  std::shared_ptr<const T> entry_of(const std::filesystem::path& file) {
    const std::pair key{std::string(T::kKind), file.lexically_normal().string()};
    if (const auto it = entries_.find(key); it != entries_.end())
      return std::static_pointer_cast<const T>(it->second);
    entries_[key] = nullptr;
    const auto table = parse_toml_file(file, out_);
    if (!table) return nullptr;
    auto entry = std::make_shared<T>();
    entry->name = file.stem().string();
    Nested quiet(*this);
    const std::string outer = std::exchange(file_, key.second);
    read_table(*table, "", *entry);
    read_provenance(*table, "", *entry, true);
    file_ = outer;
    entries_[key] = entry;
    return entry;
  }

 private:
  struct Nested {  // keys of catalog entries left out are no defaults of the scenario
    explicit Nested(Reader& r) : reader(r) { ++reader.nesting_; }
    ~Nested() { --reader.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    Reader& reader;
  };

  Location at(const toml::node& node) const { return location(node.source(), file_); }
  static std::string prefix(const std::string& place) { return place.empty() ? "" : place + ": "; }
  static std::string join(const std::string& place, std::string_view key) {
    return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
  }
  void mismatch(const toml::node& node, const std::string& place, const std::string& must_be) {
    out_.error(at(node), "{} must be {}; found {}", place, must_be, shown(node));
  }

  template <class T, class M, class Target>
  void read_key(const toml::node& node, const std::string& place, const Field<T, M>& field,
                Target& target) {
    const toml::node* value = &node;
    if constexpr (std::derived_from<T, Entry> && !IsRef<M>::value && !IsVector<M>::value)
      value = unwrap(node, place, field.name, target);
    if (!value) return;
    M& member = target.*field.member;
    if constexpr (!std::same_as<typename Field<T, M>::Bound, std::monostate>) {
      typename Field<T, M>::Bound bound{};
      if (parse(*value, bound) && field.allows(bound))
        member = bound;
      else
        mismatch(*value, place, expected(field) + unit_hint(*value, bound));
    } else if constexpr (IsOptional<M>::value) {
      read(*value, place, member.emplace());
    } else {
      read(*value, place, member);
    }
  }

  template <class Unit>
  static bool parse(const toml::node& node, Quantity<Unit>& out) {
    const auto* text = node.as_string();
    const auto value = text ? parse_quantity<Unit>(text->get()) : std::nullopt;
    if (value) out = *value;
    return value.has_value();
  }
  static bool parse(const toml::node& node, std::int64_t& out) {
    const auto* number = node.as_integer();
    if (number) out = number->get();
    return number != nullptr;
  }
  template <class Unit>
  static std::string unit_hint(const toml::node& node, Quantity<Unit>) {
    const auto* text = node.as_string();
    return text ? unknown_unit(units_of<Quantity<Unit>>(), text->get()) : "";
  }
  static std::string unit_hint(const toml::node&, std::int64_t) { return ""; }
  /// " (unknown unit "GBps"; did you mean "GB/s"?)" where a number with another unit was found.
  static std::string unknown_unit(const UnitTable& units, std::string_view text);

  void read(const toml::node& node, const std::string& place, std::string& value);
  void read(const toml::node& node, const std::string& place, bool& value);
  void read(const toml::node& node, const std::string& place, PartRef& value);
  template <NamedEnum E>
  void read(const toml::node& node, const std::string& place, E& value) {
    const Names names(EnumNames<E>::names.begin(), EnumNames<E>::names.end());
    const auto* text = node.as_string();
    const auto it = text ? std::ranges::find(names, text->get()) : names.end();
    if (it != names.end()) {
      value = static_cast<E>(it - names.begin());
      return;
    }
    const auto near = text ? nearest(text->get(), names) : std::nullopt;
    mismatch(node, place,
             expected_form(value) + (near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""));
  }
  template <HasFields T>
  void read(const toml::node& node, const std::string& place, T& value) {
    if (const auto* table = node.as_table())
      read_table(*table, place, value);
    else
      mismatch(node, place, expected_form(value));
  }
  template <class M>
  void read(const toml::node& node, const std::string& place, std::vector<M>& list) {
    const auto* array = node.as_array();
    if (!array) return mismatch(node, place, expected_form(list));
    std::size_t index = 0;
    for (const toml::node& item : *array)
      read(item, fmt::format("{}[{}]", place, id_or(item, index++)), list.emplace_back());
  }
  template <class M>
  void read(const toml::node& node, const std::string& place, std::map<std::string, M>& map) {
    const auto* table = node.as_table();
    if (!table) return mismatch(node, place, expected_form(map));
    for (const auto& [key, item] : *table)
      read(item, join(place, key.str()), map[std::string(key.str())]);
  }

  /// The value of `{ value = ..., source = "...", basis = "..." }`, whose origin is kept in
  /// `entry`; any other node as it is.
  const toml::node* unwrap(const toml::node& node, const std::string& place, std::string_view key,
                           Entry& entry);
  void read_provenance(const toml::table& table, const std::string& place, Entry& entry,
                       bool required);
  void read_provenance(const toml::table& table, const std::string& place, Provenance& provenance,
                       bool required);
  static std::string id_or(const toml::node& item, std::size_t index);

  template <class M>
  void note_default(const std::string& place, const M& value) {
    if (nesting_ > 0) return;
    if constexpr (HasFields<M>)
      for_each_field<M>([&](const auto& field) {
        if (!field.required) note_default(join(place, field.name), value.*field.member);
      });
    else if constexpr (std::same_as<M, PartRef> || std::same_as<M, std::string>)
      note_text(place, toml_value(value));
    else if constexpr (requires { toml_value(value); } && !IsVector<M>::value)
      defaults.push_back(fmt::format("{} = {}", place, toml_value(value)));
  }
  void note_text(const std::string& place, const std::string& value) {
    if (value != "\"\"") defaults.push_back(fmt::format("{} = {}", place, value));
  }

  // What `fields()` cannot say, by type.
  template <class T>
  void check(const toml::table& table, const std::string& place, const T& value) {
    if constexpr (std::derived_from<T, Purchase>)
      if (value.price.has_value() != value.price_year.has_value())
        out_.error(at(table), "{}price and price_year must stand together", prefix(place));
  }

  const Catalog& catalog_;
  std::string file_;
  Diagnostics& out_;
  int nesting_ = 0;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const void>> entries_;
};

}  // namespace gpufeed
