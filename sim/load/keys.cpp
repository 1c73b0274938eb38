// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "sim/load/idle_keys.h"
#include "sim/load/key_help.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/cluster/document.h"
#include "sim/model/scenario.h"
#include "sim/model/serving/document.h"
#include "sim/model/serving/engine_words.h"
#include "sim/model/study/goal.h"
#include "sim/model/study/observed.h"
#include "sim/model/study/parameters.h"
#include "sim/model/study/sweep.h"
#include "sim/model/study/validation.h"
#include "sim/model/taken.h"

namespace gpufeed {
namespace {

/// The default of a key that has one to show.
template <class M>
std::string standard_of(const M& value) {
  std::string text;
  if constexpr (IsDefaulted<M>::value)
    return standard_of(value.value);
  else if constexpr (!HasFields<M> && !IsOptional<M>::value && !IsVector<M>::value &&
                     requires { toml_value(value); })
    text = toml_value(value);
  return text == "\"\"" ? "" : text;
}

/// The kinds of workload that take the scenario's `section`, or its key `name`; empty where all do.
std::string takers(std::string_view section, std::string_view name = {}) {
  const Names taking = kinds_that_take(section, name);
  return taking.size() == std::variant_size_v<WorkloadKinds>
             ? ""
             : fmt::format(" (of kinds {})", fmt::join(taking, ", "));
}

// What stands at a key, by its type.
template <class M>
constexpr ValueForm form_of(const M*) {
  if constexpr (std::same_as<M, bool>)
    return {ValueKind::truth};
  else if constexpr (std::same_as<M, std::int64_t>)
    return {ValueKind::whole};
  else if constexpr (std::same_as<M, double>)
    return {ValueKind::number};
  else if constexpr (NamedEnum<M>)
    return {ValueKind::word, EnumNames<M>::names};
  else if constexpr (IsRef<M>::value)
    return {ValueKind::entry};
  else if constexpr (HasFields<M>)
    return {ValueKind::table};
  else
    return {ValueKind::text};
}
template <class Unit>
constexpr ValueForm form_of(const Quantity<Unit>*) {
  return {ValueKind::quantity};
}
template <class M>
constexpr ValueForm form_of(const std::vector<M>*) {
  return {HasFields<M> ? ValueKind::table : ValueKind::list};
}
template <class M>
constexpr ValueForm form_of(const Named<M>*) {
  return {ValueKind::table};
}
template <class M>
constexpr ValueForm form_of(const std::optional<M>*) {
  return form_of(static_cast<const M*>(nullptr));
}
template <class M>
constexpr ValueForm form_of(const Defaulted<M>*) {
  return form_of(static_cast<const M*>(nullptr));
}

/// Walks a type and all that its keys lead to, each table once.
class KeyList {
 public:
  /// A file's type, and then every kind of catalog entry that it names.
  template <HasFields T>
  void add_file(KeyFile file) {
    add_table(T{}, {.file = file});
    while (!entries_.empty()) {
      const auto entries = std::exchange(entries_, {});
      for (const auto add_one : entries) (this->*add_one)();
    }
  }

  std::vector<KeyHelp> keys;

 private:
  template <HasFields T>
  void add_table(const T& fresh, const KeyTable& table) {
    if (!seen_.insert(table).second) return;
    if constexpr (HasKinds<T>)
      for_each_kind([&]<class K>(const K& own) {
        KeyTable of_kind = table;
        of_kind.kind = gpufeed::kind_of<K>;
        keys.push_back({of_kind, std::string(kKindRule.name),
                        form_of(static_cast<const WorkloadKind*>(nullptr)), expected(kKindRule),
                        standard_of(fresh.kind()), std::string(kKindRule.help)});
        add_keys(own, of_kind);
      });
    else
      add_keys(fresh, table);
  }

  /// A table that a key leads to.
  struct Below {
    KeyTable table;
    void (*add)(KeyList& list, const KeyTable& table);
  };

  template <class T>
  void add_keys(const T& fresh, const KeyTable& table) {
    std::vector<Below> tables;
    for_each_member(fresh, KeyAdder{*this, table, tables});
    for (const auto& [below, add] : tables) add(*this, below);
  }

  // A class, not a lambda, and its template only picks what is said: it is compiled for every type
  // of value, but not for each owner.
  struct KeyAdder {
    KeyList& list;
    const KeyTable& table;
    std::vector<Below>& tables;  ///< to list after these keys

    template <class M>
    void operator()(const Rule<M>& rule, const M& fresh) const {
      add(rule.name, rule.help, form_of(static_cast<const M*>(nullptr)), expected(rule),
          rule.required ? "required" : standard_of(fresh), rule.exception);
      if constexpr (std::same_as<typename Rule<M>::Bound, std::monostate>)
        tables.push_back({below(rule.name), [](KeyList& all, const KeyTable& at) {
                            all.follow(static_cast<const M*>(nullptr), at);
                          }});
    }
    void add(std::string_view name, std::string_view help, ValueForm value, std::string form,
             std::string standard, std::string_view exception) const {
      if (standard != "required" && !exception.empty()) standard += fmt::format("; {}", exception);
      list.keys.push_back({table, std::string(name), value, std::move(form), std::move(standard),
                           std::string(help) + taken_by(name)});
    }
    KeyTable below(std::string_view name) const {
      KeyTable out{.file = table.file, .entry = table.entry, .path = table.path};
      out.path.emplace_back(name);
      return out;
    }
    std::string taken_by(std::string_view name) const {
      if (table.file == KeyFile::serving && !table.is_top())
        if (const auto words = serving::other_words_for(table.path.back(), name); !words.empty())
          return "; " + words;
      if (table.file != KeyFile::scenario) return "";
      if (table.is_top()) return takers(name);
      if (table.path.size() > 1 || !is_section(table.path.front())) return "";
      std::string own = takers(table.path.front(), name);
      return own == takers(table.path.front()) ? "" : own;
    }
  };

  template <class M>
  void follow(const std::optional<M>*, const KeyTable& table) {
    follow(static_cast<const M*>(nullptr), table);
  }
  template <class M>
  void follow(const std::vector<M>*, KeyTable table) {
    table.many = true;
    follow(static_cast<const M*>(nullptr), table);
  }
  template <class M>
  void follow(const Named<M>*, KeyTable table) {
    table.path.emplace_back();
    follow(static_cast<const M*>(nullptr), table);
  }
  template <class T>
  void follow(const Ref<T>*, const KeyTable&) {
    if (entry_kinds_.insert(std::string(T::kKind)).second)
      entries_.push_back(&KeyList::add_entry<T>);
  }
  template <class M>
  void follow(const M*, const KeyTable& table) {
    if constexpr (HasFields<M>) add_table(M{}, table);
  }

  template <class T>
  void add_entry() {
    const KeyTable table{.file = KeyFile::entry, .entry = std::string(T::kKind)};
    const ValueForm words{ValueKind::text};
    keys.push_back({table, "source", words, expected_form(std::string{}), "required",
                    "document, page or measurement that the values come from"});
    keys.push_back({table, "basis", form_of(static_cast<const Basis*>(nullptr)),
                    expected_form(Basis{}), "required",
                    "how they are known; any value may carry its own: { value, source, basis }"});
    keys.push_back({table, std::string(kLikeKey), words, expected_form(std::string{}), "",
                    "another entry of this kind: it has what this one does not say itself, lists "
                    "and arrays of tables as a whole"});
    keys.push_back({table,
                    std::string(kWithoutKey),
                    {ValueKind::list},
                    expected_form(std::vector<std::string>{}),
                    "",
                    "keys of that entry which this one does not have"});
    add_table(T{}, table);
  }

  std::set<KeyTable> seen_;
  std::set<std::string> entry_kinds_;
  std::vector<void (KeyList::*)()> entries_;
};

struct FileWords {
  std::string_view title;
  std::string_view of;  ///< behind a table's heading
};

FileWords words_of(KeyFile file) {
  switch (file) {
    case KeyFile::scenario:
      return {"scenario", ""};
    case KeyFile::sweep:
      return {"sweep", " of a sweep"};
    case KeyFile::goal:
      return {"goal", " of a goal"};
    case KeyFile::parameters:
      return {"parameters", " of parameters"};
    case KeyFile::validation:
      return {"validation", " of a validation"};
    case KeyFile::bars:
      return {"bar file of validations", " of a bar file of validations"};
    case KeyFile::observed:
      return {"observed", " of an observed run"};
    case KeyFile::cluster:
      return {"cluster", " of a cluster"};
    case KeyFile::serving:
      return {"serving", " of serving"};
    case KeyFile::entry:
      break;
  }
  return {"catalog", ""};
}

}  // namespace

bool KeyTable::is_at(const KeyPath& place, WorkloadKind of) const {
  return file == KeyFile::scenario && kind.value_or(of) == of &&
         std::ranges::equal(path, place.steps, [](const std::string& own, const KeyStep& step) {
           return own.empty() || own == step.key;
         });
}

std::string path_text(const KeyTable& table) {
  if (table.is_top()) {
    if (table.file == KeyFile::scenario) return "";
    return table.file == KeyFile::entry ? "catalog " + table.entry
                                        : std::string(words_of(table.file).title);
  }
  std::string out;
  for (const std::string& step : table.path)
    out += (out.empty() ? "" : ".") + (step.empty() ? "NAME" : step);
  return out;
}

std::string text(const KeyTable& table) {
  if (table.is_top()) return table.file == KeyFile::scenario ? "scenario" : path_text(table);
  const std::string of = table.file == KeyFile::entry ? " of " + with_article(table.entry)
                         : table.kind ? fmt::format(" of kind {}", name_of(*table.kind))
                                      : std::string(words_of(table.file).of);
  return fmt::format("{}{}{}{}", table.many ? "[[" : "[", path_text(table), table.many ? "]]" : "]",
                     of);
}

std::vector<KeyHelp> all_keys() {
  KeyList list;
  list.add_file<Scenario>(KeyFile::scenario);
  list.add_file<Sweep>(KeyFile::sweep);
  list.add_file<Goal>(KeyFile::goal);
  list.add_file<ParameterFile>(KeyFile::parameters);
  list.add_file<Validation>(KeyFile::validation);
  list.add_file<Bars>(KeyFile::bars);
  list.add_file<Observed>(KeyFile::observed);
  list.add_file<cluster::Document>(KeyFile::cluster);
  list.add_file<serving::Document>(KeyFile::serving);
  return std::move(list.keys);
}

}  // namespace gpufeed
