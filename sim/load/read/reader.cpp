// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <tuple>

#include "sim/base/files/text_input.h"
#include "sim/load/read/conditions.h"
#include "sim/load/read/model_layers.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/cluster/document.h"
#include "sim/model/fields/discrepancy.h"
#include "sim/model/fields/price_law.h"
#include "sim/model/scenario.h"
#include "sim/model/serving/document.h"
#include "sim/model/study/goal.h"
#include "sim/model/study/observed.h"
#include "sim/model/study/parameters.h"
#include "sim/model/study/sweep.h"
#include "sim/model/study/validation.h"

namespace gpufeed {
namespace {

std::optional<double> number_in(const UnitTable& units, const toml::node& node) {
  const auto* text = node.as_string();
  return text ? parse_in(units, text->get()) : std::nullopt;
}

template <class Unit>
bool parse(const toml::node& node, Quantity<Unit>& out) {
  const auto value = number_in(units_of<Quantity<Unit>>(), node);
  if (value) out.value = *value;
  return value.has_value();
}
bool parse(const toml::node& node, std::int64_t& out) {
  const auto* number = node.as_integer();
  if (number) out = number->get();
  return number != nullptr;
}

template <class Unit>
const UnitTable* units_for(Quantity<Unit>) {
  return &units_of<Quantity<Unit>>();
}
const UnitTable* units_for(std::int64_t) { return nullptr; }

template <class M>
constexpr bool kNamesEntry = IsRef<M>::value;
template <class M>
constexpr bool kNamesEntry<std::optional<M>> = IsRef<M>::value;

/// Whether the key names an entry, and the node is that entry, not a name with its own source.
template <class M>
bool is_inline_entry(const toml::node& node) {
  return kNamesEntry<M> && node.is_table() && !node.as_table()->contains("value");
}

}  // namespace

template <HasFields T>
Reader::KeyNames Reader::names_in(const T& value) {
  KeyNames keys;
  for_each_member(value, [&](const auto& rule, const auto&) {
    keys.names.push_back(rule.name);
    if (!rule.alias.empty()) keys.aliases.push_back(rule.alias);
  });
  return keys;
}

// A class, not a lambda, as those below: it is compiled once for a type of value, not for each
// owner.
struct Reader::DefaultNoter {
  Reader& reader;
  const std::string& place;

  template <class M>
  void operator()(const Rule<M>& rule, const M& member) const {
    if (!rule.required) reader.note_defaults(join(place, rule.name), member);
  }
};

struct Reader::MemberReader {
  Reader& reader;
  const Here& here;

  template <class M>
  void operator()(const Rule<M>& rule, M& member) const {
    reader.read_key(here, rule, member);
  }
};

template <class M>
void Reader::note_defaults(const std::string& place, const M& value) {
  if (nesting_ > 0) return;
  if constexpr (HasFields<M>)
    for_each_member(value, DefaultNoter{*this, place});
  else if constexpr (requires { toml_value(value); } && !IsVector<M>::value &&
                     !IsDefaulted<M>::value)  // noted where they are known
    note_default(place, toml_value(value));
}

template <HasFields T>
void Reader::read_table(const toml::table& table, const std::string& place, T& value) {
  [[maybe_unused]] const std::size_t before = out_.count();
  if constexpr (requires { value.where; }) value.where = at(table);
  Here here{table, place, nullptr, {}};
  if (place.empty()) here.meant = misspelt;
  if constexpr (std::derived_from<T, Entry>) here.entry = &value;
  bool known_kind = true;
  if constexpr (HasKinds<T>) known_kind = read_kind(here, value);
  if (known_kind) report_unknown(here, names_in(value));
  if constexpr (std::same_as<T, Model>) {
    if (const auto* layers = table["layer"].as_array(); layers && !layers->empty())
      here.meant.insert("parameters");
    if (table["architecture"].is_table()) here.meant.insert({"parameters", "input_size"});
  }
  if constexpr (std::same_as<T, Store>)
    if (table.contains("servers") || table.contains("server")) here.meant.insert("model");
  const MemberReader read{*this, here};
  if constexpr (HasKinds<T>)
    std::visit([&](auto& own) { for_each_member(own, read); }, value.of_kind);
  else
    for_each_member(value, read);
  if constexpr (std::derived_from<T, Purchase>)
    if (value.price.has_value() != value.price_year.has_value())
      must_stand_together(table, place, "price", "price_year");
  if constexpr (std::same_as<T, System>)
    if (value.rent_per_hour.has_value() != value.rent_year.has_value())
      must_stand_together(table, place, "rent_per_hour", "rent_year");
  if constexpr (std::same_as<T, Model>)
    if (out_.count() == before) count_model(value, place, at(table), out_);
}

template <HasKinds T>
bool Reader::read_kind(Here& here, T& value) {
  const std::size_t before = out_.count();
  WorkloadKind kind = value.kind();
  read_key(here, kKindRule, kind);
  if (out_.count() > before) {
    misspelt.insert(join(here.place, kKindRule.name));
    return false;
  }
  value.of_kind = fresh_keys(kind);
  std::map<std::string, Names, std::less<>> kinds;
  for_each_kind([&](const auto& fresh) {
    for (const auto key : names_in(fresh).names)
      kinds[std::string(key)].push_back(fmt::format("\"{}\"", fresh.kName));
  });
  for (const auto& [key, owners] : kinds)
    here.foreign[key] =
        fmt::format("\"{}\" is a key of kind {}; this workload is of kind \"{}\"{}", key,
                    fmt::join(owners, ", "), name_of(kind),
                    here.table.contains(kKindRule.name) ? "" : ", as it names none");
  return true;
}

/// Whether a table at the key is the value itself, not a number with its source.
template <class M>
constexpr bool kIsTable = IsVector<M>::value;
template <class M>
constexpr bool kIsTable<std::optional<M>> = HasFields<M>;

template <class M>
void Reader::read_key(const Here& here, const Rule<M>& rule, M& value) {
  const toml::node* node = node_of(here, rule.name, rule.alias, rule.deprecated);
  if (!node) {
    if (!rule.required)
      note_defaults(join(here.place, rule.name), value);
    else if (!here.meant.contains(rule.name))
      missing(here.table, here.place, rule.name, expected(rule));
    return;
  }
  const std::string place = join(here.place, rule.name);
  if constexpr (!kIsTable<M>)
    if (here.entry && !is_inline_entry<M>(*node))
      node = unwrap(*node, place, rule.name, *here.entry);
  if (!node) return;
  if constexpr (!std::same_as<typename Rule<M>::Bound, std::monostate>) {
    typename Rule<M>::Bound number{};
    if (!parse(*node, number))
      mismatch(*node, place, expected(rule), units_for(number));
    else if (rule.allows(number))
      value = number;
    else
      out_of_range(*node, place, expected(rule),
                   toml_value(rule.min <= number ? rule.max : rule.min));
  } else if constexpr (IsDefaulted<M>::value) {
    read(*node, place, value.value);
    value.given = true;
  } else if constexpr (IsOptional<M>::value) {
    read(*node, place, value.emplace());
  } else {
    read(*node, place, value);
  }
}

template <class T>
void Reader::read_part(const toml::node& node, const std::string& place, Ref<T>& ref) {
  read(node, place, ref);
}

template <class T>
std::shared_ptr<const T> Reader::entry_of(const std::filesystem::path& file) {
  return std::static_pointer_cast<const T>(entry_in(file, kind_of<T>()));
}

template <class T>
std::shared_ptr<const void> Reader::read_entry(const toml::table& table, const std::string& place,
                                               Entry start, bool needs_provenance) {
  const auto entry = std::make_shared<T>();
  static_cast<Entry&>(*entry) = std::move(start);
  ++nesting_;
  read_table(table, place, *entry);
  --nesting_;
  if constexpr (requires { entry->complete(); }) entry->complete();
  read_provenance(table, place, entry->provenance, needs_provenance);
  if constexpr (std::same_as<T, System>) {
    // One that is made of a chassis has its name, and the quote is that of the chassis alone.
    const bool of_parts = entry->chassis && *entry->chassis && (*entry->chassis)->sold_as.empty();
    if (!of_parts) quote(catalog_.prices(), *entry, *entry);
  } else if constexpr (std::derived_from<T, Purchase>) {
    quote(catalog_.prices(), *entry, *entry);
  }
  return entry;
}

template <class T>
void Reader::read(const toml::node& node, const std::string& place, Ref<T>& ref) {
  if constexpr (std::same_as<T, Protocol>)
    if (node.value<std::string_view>() == kNoClient) {
      ref = {std::string(kNoClient), at(node), nullptr};
      return;
    }
  ref.entry =
      std::static_pointer_cast<const T>(entry_at(node, place, kind_of<T>(), ref.name, ref.where));
}

template <class Unit>
void Reader::read(const toml::node& node, const std::string& place, Quantity<Unit>& value) {
  if (!parse(node, value)) mismatch(node, place, expected_form(value), units_for(value));
}

template <NamedEnum E>
void Reader::read(const toml::node& node, const std::string& place, E& value) {
  if constexpr (requires { EnumNames<E>::of_bool(true); })
    if (const auto* yes = node.as_boolean()) {
      value = EnumNames<E>::of_bool(yes->get());
      return;
    }
  if (const auto number = read_word(node, place, EnumNames<E>::names))
    value = static_cast<E>(*number);
}

template <HasFields T>
void Reader::read(const toml::node& node, const std::string& place, T& value) {
  if (const auto* table = node.as_table())
    read_table(*table, place, value);
  else
    mismatch(node, place, expected_form(value));
}

template <class M>
void Reader::read(const toml::node& node, const std::string& place, std::vector<M>& list) {
  const auto* array = node.as_array();
  if (!array) return mismatch(node, place, expected_form(list));
  list = std::vector<M>(array->size());
  for (std::size_t i = 0; i < list.size(); ++i)
    read((*array)[i], element_place(place, (*array)[i], i), list[i]);
}

namespace {

/// The table's nodes by key; those of the command line, which have no line, after the file's.
std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> nodes;
  for (const auto& [key, node] : table) nodes.emplace_back(key.str(), &node);
  std::ranges::stable_sort(nodes, {}, [](const auto& one) {
    const toml::source_position begin = one.second->source().begin;
    return std::tuple(begin.line == 0, begin.line, begin.column);
  });
  return nodes;
}

}  // namespace

template <class M>
void Reader::read(const toml::node& node, const std::string& place, Named<M>& named) {
  const auto* table = node.as_table();
  if (!table) return mismatch(node, place, expected_form(named));
  for (const auto& [name, item] : in_file_order(*table))
    if (is_printable(name, at(*item), place)) read(*item, join(place, name), named[name]);
}

void Reader::read_provenance(const toml::table& table, const std::string& place,
                             Provenance& provenance, bool required) {
  if (const auto* source = table.get("source"))
    read(*source, join(place, "source"), provenance.source);
  else if (required)
    missing(table, place, "source", expected_form(provenance.source));
  if (const auto* basis = table.get("basis"))
    read(*basis, join(place, "basis"), provenance.basis);
  else if (required)
    missing(table, place, "basis", expected_form(provenance.basis));
}

template void Reader::read_table(const toml::table&, const std::string&, Scenario&);
template void Reader::read_table(const toml::table&, const std::string&, Sweep&);
template void Reader::read_table(const toml::table&, const std::string&, Goal&);
template void Reader::read_table(const toml::table&, const std::string&, Validation&);
template void Reader::read_table(const toml::table&, const std::string&, Bars&);
template void Reader::read_table(const toml::table&, const std::string&, Observed&);
template void Reader::read_table(const toml::table&, const std::string&, ParameterFile&);
template void Reader::read_table(const toml::table&, const std::string&, cluster::Document&);
template void Reader::read_table(const toml::table&, const std::string&, serving::Document&);
template void Reader::read_part(const toml::node&, const std::string&, Ref<Cpu>&);
template void Reader::read_part(const toml::node&, const std::string&, Ref<Gpu>&);
template void Reader::read_part(const toml::node&, const std::string&, Ref<Switch>&);
template void Reader::read_part(const toml::node&, const std::string&, Ref<Nic>&);
template void Reader::read_part(const toml::node&, const std::string&, Ref<Drive>&);
template std::shared_ptr<const System> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Chassis> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Gpu> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Cpu> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Memory> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Drive> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Array> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Nic> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Switch> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const NetworkSwitch> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Cable> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Link> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Model> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Dataset> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Protocol> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const ProtocolFamily> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const StorageSoftware> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Decoder> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Job> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const CollectiveLibrary> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Framework> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const KernelLibrary> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const TransformerLibrary> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const ServingEngine> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const Discrepancy> Reader::entry_of(const std::filesystem::path&);
template std::shared_ptr<const PriceLaw> Reader::entry_of(const std::filesystem::path&);

}  // namespace gpufeed
