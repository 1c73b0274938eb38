// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/labels/label_text.h"
#include "sim/load/key_help.h"
#include "sim/load/load.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/catalog/framework.h"
#include "sim/model/catalog/products.h"
#include "sim/model/catalog/system.h"
#include "sim/model/fields/discrepancy.h"
#include "sim/model/fields/price_law.h"
#include "sim/model/fields/storage_software.h"
#include "sim/model/network/network.h"
#include "sim/model/serving/engine.h"

namespace gpufeed {
namespace {

/// A size as it was most likely given, which is the shorter text: 64 GiB, not 68.719476736 GB.
std::string shown_size(Bytes size) {
  constexpr std::array<std::pair<double, const char*>, 4> kBinary{
      {{1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}}};
  constexpr int kAllDigits = 15;
  for (const auto& [unit, name] : kBinary) {
    if (size.value < unit || std::fmod(size.value, unit) != 0) continue;
    std::string binary = fmt::format("{:.0f} {}", size.value / unit, name);
    return binary.size() < text(size, kAllDigits).size() ? binary : text(size);
  }
  return text(size);
}

template <HasFields T>
std::string row(const T& item);

/// A value as a reader sees it; empty where it is unknown.
template <class M>
std::string shown_value(const M& value) {
  if constexpr (IsOptional<M>::value)
    return value ? shown_value(*value) : "";
  else if constexpr (std::same_as<M, bool>)
    return value ? "yes" : "no";
  else if constexpr (std::same_as<M, std::int64_t>)
    return text_number(static_cast<double>(value), 15);
  else if constexpr (std::same_as<M, double>)
    return text_number(value, 4);
  else if constexpr (std::same_as<M, std::string>)
    return value;
  else if constexpr (NamedEnum<M>)
    return std::string(name_of(value));
  else if constexpr (IsRef<M>::value)
    return value.name;
  else if constexpr (std::same_as<M, Label>)
    return text_of(value);
  else if constexpr (std::same_as<M, PartRef>)
    return text_of(value.id);
  else if constexpr (std::same_as<M, Bytes>)
    return shown_size(value);
  else if constexpr (requires { text(value); })
    return text(value);
  else if constexpr (HasFields<M>)
    return row(value);
  else if constexpr (IsVector<M>::value && !HasFields<typename M::value_type>) {
    std::string out;
    for (const auto& item : value) out += (out.empty() ? "" : ", ") + shown_value(item);
    return out;
  } else {
    return "";
  }
}

void append(std::string& row, std::string_view key, const std::string& value) {
  if (value.empty() || key == "source" || key == "basis") return;
  row += fmt::format("{}{} {}", row.empty() ? "" : ", ", key, value);
}

/// A part or row in one line: `id plx0, model plx-pex8764, at cpu0`.
template <HasFields T>
std::string row(const T& item) {
  std::string out;
  for_each_member(item, [&](const auto& rule, const auto& member) {
    append(out, rule.name, shown_value(member));
  });
  return out;
}

template <class M>
struct UnitsOf {
  static const UnitTable* units() { return nullptr; }
};
template <class Unit>
struct UnitsOf<Quantity<Unit>> {
  static const UnitTable* units() { return &units_of<Quantity<Unit>>(); }
};
template <>
struct UnitsOf<Ratio> {
  static const UnitTable* units() { return nullptr; }  // a percentage is compared as a number
};
template <class M>
struct UnitsOf<std::optional<M>> : UnitsOf<M> {};

/// A single value as conditions compare it; nothing where it is unknown.
template <class M>
std::optional<Operand> operand(const M& value) {
  if constexpr (IsOptional<M>::value)
    return value ? operand(*value) : std::nullopt;
  else if constexpr (std::same_as<M, bool>)
    return std::string(value ? "true" : "false");
  else if constexpr (std::is_arithmetic_v<M>)
    return Measure{static_cast<double>(value), nullptr};
  else if constexpr (requires { value.value / 1.0; })
    return Measure{value.value, UnitsOf<M>::units()};
  else
    return shown_value(value);
}

bool is_year(std::string_view key) { return key == "released" || key.ends_with("year"); }

template <class M>
std::string shown_value(std::string_view key, const M& value) {
  if constexpr (std::same_as<M, std::optional<std::int64_t>>)
    if (value && is_year(key)) return std::to_string(*value);
  return shown_value(value);
}

EntryLine value_line(const Entry& entry, std::string_view key, std::string value) {
  EntryLine line;
  line.key = key;
  line.value = value.empty() ? "unknown" : std::move(value);
  if (const auto it = entry.of_key.find(key); it != entry.of_key.end()) {
    line.basis = name_of(it->second.basis);
    line.source = it->second.source;
  }
  return line;
}

template <class M>
constexpr bool kIsRows = false;
template <HasFields M>
constexpr bool kIsRows<std::vector<M>> = true;

template <class M>
void add_lines(EntryText& out, const Entry& entry, std::string_view key, const M& value) {
  if constexpr (kIsRows<M>) {
    for (const auto& item : value) {
      EntryLine line;
      line.key = key;
      line.value = row(item);
      if constexpr (requires { item.basis; }) {
        line.basis = name_of(item.basis);
        line.source = item.source;
      }
      out.lines.push_back(std::move(line));
    }
  } else if (key != "title") {
    EntryLine line = value_line(entry, key, shown_value(key, value));
    if constexpr (!IsVector<M>::value) {
      line.single = true;
      line.units = UnitsOf<M>::units();
      line.operand = operand(value);
    }
    out.lines.push_back(std::move(line));
  }
}

EntryText head_of(std::string_view kind, const Entry& entry, std::filesystem::path file) {
  return {std::string(kind),
          entry.name,
          entry.title,
          std::string(name_of(entry.provenance.basis)),
          entry.provenance.source,
          std::move(file),
          entry.like,
          {}};
}

template <class T>
EntryText describe(const T& entry, std::filesystem::path file) {
  EntryText out = head_of(T::kKind, entry, std::move(file));
  for_each_member(entry, [&](const auto& rule, const auto& member) {
    add_lines(out, entry, rule.name, member);
  });
  return out;
}

/// Calls `visit(kind)` with a null pointer to each type of entry, in the order of `catalog_kinds`.
template <class Visit>
void for_each_type(const Visit& visit) {
  const auto all = [&]<class... T>(const T*... kinds) { (visit(kinds), ...); };
  all(static_cast<const System*>(nullptr), static_cast<const Gpu*>(nullptr),
      static_cast<const Chassis*>(nullptr), static_cast<const Cpu*>(nullptr),
      static_cast<const Memory*>(nullptr), static_cast<const Drive*>(nullptr),
      static_cast<const Array*>(nullptr), static_cast<const Nic*>(nullptr),
      static_cast<const Switch*>(nullptr), static_cast<const NetworkSwitch*>(nullptr),
      static_cast<const Cable*>(nullptr), static_cast<const Link*>(nullptr),
      static_cast<const Protocol*>(nullptr), static_cast<const ProtocolFamily*>(nullptr),
      static_cast<const StorageSoftware*>(nullptr), static_cast<const Model*>(nullptr),
      static_cast<const Dataset*>(nullptr), static_cast<const Decoder*>(nullptr),
      static_cast<const Job*>(nullptr), static_cast<const CollectiveLibrary*>(nullptr),
      static_cast<const Framework*>(nullptr), static_cast<const KernelLibrary*>(nullptr),
      static_cast<const TransformerLibrary*>(nullptr), static_cast<const ServingEngine*>(nullptr),
      static_cast<const Discrepancy*>(nullptr), static_cast<const PriceLaw*>(nullptr));
}

std::optional<Operand> value_in(const EntryText& entry, const std::string& key) {
  if (key == "name") return entry.name;
  if (key == "title") return entry.title;
  if (key == "source") return entry.source;
  if (key == "basis") return entry.basis;
  if (key == kLikeKey)
    return entry.like.empty() ? std::nullopt : std::optional<Operand>(entry.like);
  const auto line = std::ranges::find(entry.lines, key, &EntryLine::key);
  return line == entry.lines.end() ? std::nullopt : line->operand;
}

bool meets_all(const EntryText& entry, const std::vector<Condition>& conditions) {
  const Lookup lookup = [&](const std::string& key) { return value_in(entry, key); };
  return std::ranges::all_of(conditions, [&](const auto& one) { return holds(one, lookup); });
}

}  // namespace

std::vector<EntryText> describe_entry(const Catalog& catalog, const std::string& name) {
  Diagnostics out;
  Reader reader(catalog, name, out);
  std::vector<EntryText> found;
  Names known;
  for_each_type([&]<class T>(const T*) {
    for (auto& other : catalog.names(T::kKind)) known.push_back(std::move(other));
    const auto file = catalog.find(T::kKind, name);
    if (!file) return;
    if (const auto entry = reader.entry_of<T>(*file)) found.push_back(describe(*entry, *file));
  });
  out.throw_if_any();
  if (found.empty())
    out.error(ProblemCode::unknown_entry, {"catalog show", 0, 0}, "nothing is called \"{}\"; {}",
              name, suggestion(name, known));
  out.throw_if_any();
  return found;
}

std::vector<EntryText> entries_of_kind(const Catalog& catalog, std::string_view kind,
                                       const std::vector<Condition>& conditions, Diagnostics& out) {
  std::vector<EntryText> found;
  Reader reader(catalog, "", out);
  for_each_type([&]<class T>(const T*) {
    if (T::kKind != kind) return;
    for (const auto& name : catalog.names(kind)) {
      const std::filesystem::path file = *catalog.find(kind, name);
      const std::size_t before = out.count();
      const auto entry = reader.entry_of<T>(file);
      if (!entry || out.count() > before) continue;
      EntryText text = describe(*entry, file);
      if (meets_all(text, conditions)) found.push_back(std::move(text));
    }
  });
  return found;
}

Names names_in_conditions(std::string_view kind) {
  Names names = keys_of_kind(kind);
  if (!names.empty()) names.push_back("name");
  return names;
}

Names keys_of_kind(std::string_view kind) {
  Names names;
  for (const auto& key : all_keys())
    if (key.table.is_top() && key.table.entry == kind) names.push_back(key.key);
  return names;
}

}  // namespace gpufeed
