// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "sim/load/idle_keys.h"
#include "sim/load/load.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
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

/// Walks a type and all that its keys lead to, each table once.
class KeyList {
 public:
  /// A file's type, and then every kind of catalog entry that it names.
  template <HasFields T>
  void add_file(const std::string& type) {
    start(type, type);
    add_table(T{}, "", type);
    while (!entries_.empty()) {
      const auto entries = std::exchange(entries_, {});
      for (const auto add : entries) (this->*add)();
    }
  }

  std::vector<KeyHelp> keys;

 private:
  template <HasFields T>
  void add_table(const T& fresh, const std::string& path, const std::string& title) {
    if (!seen_.insert(title).second) return;
    if constexpr (HasKinds<T>)
      for_each_kind([&](const auto& own) {
        keys.push_back({kind_title(title, own.kName), std::string(kKindRule.name),
                        expected(kKindRule), standard_of(fresh.kind()),
                        std::string(kKindRule.help)});
        add_keys(own, path, kind_title(title, own.kName));
      });
    else
      add_keys(fresh, path, title);
  }

  static std::string kind_title(const std::string& title, std::string_view kind) {
    return fmt::format("{} of kind {}", title, kind);
  }

  /// A table that a key leads to.
  struct Below {
    std::string path;
    void (*add)(KeyList& list, const std::string& path);
  };

  template <class T>
  void add_keys(const T& fresh, const std::string& path, const std::string& title) {
    std::vector<Below> tables;
    for_each_member(fresh, KeyAdder{*this, path, title, std::same_as<T, Scenario>, tables});
    for (const auto& [below, add] : tables) add(*this, below);
  }

  // A class, not a lambda, and its template only picks what is said: it is compiled for every type
  // of value, but not for each owner.
  struct KeyAdder {
    KeyList& list;
    const std::string& path;
    const std::string& title;
    bool of_scenario;
    std::vector<Below>& tables;  ///< to list after these keys

    template <class M>
    void operator()(const Rule<M>& rule, const M& fresh) const {
      add(rule.name, rule.help, expected(rule), rule.required ? "required" : standard_of(fresh),
          rule.exception);
      if constexpr (std::same_as<typename Rule<M>::Bound, std::monostate>)
        tables.push_back({below(rule.name), [](KeyList& all, const std::string& at) {
                            all.follow(static_cast<const M*>(nullptr), at, "[", "]");
                          }});
    }
    void add(std::string_view name, std::string_view help, std::string expected,
             std::string standard, std::string_view exception) const {
      if (standard != "required" && !exception.empty()) standard += fmt::format("; {}", exception);
      list.keys.push_back({title, std::string(name), std::move(expected), std::move(standard),
                           std::string(help) + taken_by(name)});
    }
    std::string below(std::string_view name) const {
      return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
    }
    std::string taken_by(std::string_view name) const {
      if (of_scenario) return takers(name);
      if (!list.of_.empty() || !is_section(path)) return "";
      std::string own = takers(path, name);
      return own == takers(path) ? "" : own;
    }
  };

  template <class M>
  void follow(const std::optional<M>*, const std::string& path, const char* open,
              const char* close) {
    follow(static_cast<const M*>(nullptr), path, open, close);
  }
  template <class M>
  void follow(const std::vector<M>*, const std::string& path, const char*, const char*) {
    follow(static_cast<const M*>(nullptr), path, "[[", "]]");
  }
  template <class M>
  void follow(const Named<M>*, const std::string& path, const char* open, const char* close) {
    follow(static_cast<const M*>(nullptr), path + ".NAME", open, close);
  }
  template <class T>
  void follow(const Ref<T>*, const std::string&, const char*, const char*) {
    if (entry_kinds_.insert(std::string(T::kKind)).second)
      entries_.push_back(&KeyList::add_entry<T>);
  }
  template <class M>
  void follow(const M*, const std::string& path, const char* open, const char* close) {
    if constexpr (HasFields<M>) {
      add_table(M{}, path, fmt::format("{}{}{}{}", open, path, close, of_));
    }
  }

  template <class T>
  void add_entry() {
    const std::string type = fmt::format("catalog {}", T::kKind);
    keys.push_back({type, "source", expected_form(std::string{}), "required",
                    "document, page or measurement that the values come from"});
    keys.push_back({type, "basis", expected_form(Basis{}), "required",
                    "how they are known; any value may carry its own: { value, source, basis }"});
    keys.push_back({type, std::string(kLikeKey), expected_form(std::string{}), "",
                    "another entry of this kind: it has what this one does not say itself, lists "
                    "and arrays of tables as a whole"});
    keys.push_back({type, std::string(kWithoutKey), expected_form(std::vector<std::string>{}), "",
                    "keys of that entry which this one does not have"});
    start(type, std::string(T::kKind));
    add_table(T{}, "", type);
  }

  /// Tables of a scenario are called by their path alone, those of others by their file, too.
  void start(const std::string& type, const std::string& noun) {
    const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
    of_ = type == "scenario" ? "" : fmt::format(" of {} {}", vowel ? "an" : "a", noun);
  }

  std::string of_;
  std::set<std::string> seen_;
  std::set<std::string> entry_kinds_;
  std::vector<void (KeyList::*)()> entries_;
};

}  // namespace

std::vector<KeyHelp> all_keys() {
  KeyList list;
  list.add_file<Scenario>("scenario");
  list.add_file<Sweep>("sweep");
  list.add_file<Goal>("goal");
  list.add_file<ParameterFile>("parameters");
  list.add_file<Validation>("validation");
  list.add_file<Bars>("bar file of validations");
  list.add_file<Observed>("observed");
  return std::move(list.keys);
}

}  // namespace gpufeed
