// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/toml_text.h"

#include <algorithm>
#include <cctype>

#include "sim/base/labels/label_text.h"
#include "sim/base/printable.h"
#include "sim/load/read/forms.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "sim/model/taken.h"

namespace gpufeed {
namespace {

/// A table: `key = value` lines first, tables after them, as TOML demands.
struct Table {
  const Scenario& scenario;
  std::string place;
  std::string lines;
  std::string tables;

  std::string below(std::string_view key) const {
    return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
  }
  void add_line(std::string_view key, const std::string& value) {
    if (value != "\"\"" && value != "[]") lines += fmt::format("{} = {}\n", key, value);
  }
  /// An entry by its name, or the table that it was given as.
  void add_entry(std::string_view key, const std::string& name) {
    for (const auto& [told, text] : scenario.tables) {
      const std::string within = toml_string(told + ".");
      if (name.starts_with(std::string_view(within).substr(0, within.size() - 1)))
        return;  // it comes with that one
    }
    const auto table = scenario.tables.find(below(key));
    if (table == scenario.tables.end())
      add_line(key, name);
    else
      tables += "\n" + table->second;
  }
  void add_table(const std::string& header, const std::string& content) {
    tables += fmt::format("\n{}\n{}", header, content);
  }
};

/// As a key is written: in quotation marks where TOML takes no bare one.
std::string toml_key(const std::string& name) {
  const bool bare = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  return bare && !name.empty() ? name : toml_string(name);
}

void append(std::string& row, std::string_view key, const std::string& value) {
  if (value.empty() || value == "\"\"" || value == "[]") return;
  row += fmt::format("{}{} = {}", row.empty() ? "" : ", ", key, value);
}

template <class M>
std::string value_or_nothing(const M& value) {
  if constexpr (IsOptional<M>::value)
    return value ? value_or_nothing(*value) : "";
  else if constexpr (IsDefaulted<M>::value)
    return value_or_nothing(value.value);
  else if constexpr (requires { toml_value(value); })
    return toml_value(value);
  else
    return "";
}

template <HasFields T>
std::string inline_table(const T& value) {
  std::string out;
  for_each_member(value, [&](const auto& rule, const auto& member) {
    append(out, rule.name, value_or_nothing(member));
  });
  return fmt::format("{{ {} }}", out);
}

template <HasFields T>
std::string table_text(const Scenario& scenario, const T& value, const std::string& place);

template <class M>
void add(Table& out, std::string_view key, const M& value) {
  if constexpr (IsRef<M>::value) {
    out.add_entry(key, toml_value(value));
  } else if constexpr (IsOptional<M>::value) {
    if constexpr (HasFields<typename M::value_type>) {
      if (value) out.add_line(key, inline_table(*value));
    } else if constexpr (IsRef<typename M::value_type>::value) {
      if (value) out.add_entry(key, toml_value(*value));
    } else if (value) {
      out.add_line(key, toml_value(*value));
    }
  } else if constexpr (IsDefaulted<M>::value) {
    out.add_line(key, toml_value(value.value));
  } else if constexpr (HasFields<M>) {
    out.add_table("[" + out.below(key) + "]", table_text(out.scenario, value, out.below(key)));
  } else if constexpr (requires { value.begin()->second; }) {
    for (const auto& [name, item] : value) {
      const std::string above = out.below(key);
      out.add_table(fmt::format("[{}.{}]", above, toml_key(name)),
                    table_text(out.scenario, item, fmt::format("{}.{}", above, key_text(name))));
    }
  } else if constexpr (requires { toml_value(value); }) {
    out.add_line(key, toml_value(value));
  } else {
    for (const auto& item : value)
      out.add_table("[[" + out.below(key) + "]]", table_text(out.scenario, item, ""));
  }
}

/// Whether the user wants none to be counted.
bool has_no_client(const Scenario& scenario, const Store& store) {
  for (std::size_t i = 0; i < scenario.store.size(); ++i)
    if (&scenario.store.at(i) == &store) return scenario.client_of(i) == StoreClient::Word::none;
  return false;
}

template <HasFields T>
std::string table_text(const Scenario& scenario, const T& value, const std::string& place) {
  Table out{scenario, place, "", ""};
  for_each_member(value,
                  [&](const auto& rule, const auto& member) { add(out, rule.name, member); });
  if constexpr (std::same_as<T, Store>)
    if (has_no_client(scenario, value)) out.add_line("protocol", toml_string(kNoClient));
  return out.lines + out.tables;
}

/// The keys of a section that workloads of this kind take.
template <HasFields T>
std::string section_text(const Scenario& scenario, const T& value, std::string_view section) {
  const WorkloadKind kind = scenario.workload.kind();
  Table out{scenario, std::string(section), "", ""};
  for_each_member(value, [&](const auto& rule, const auto& member) {
    if (is_taken(kind, section, rule.name)) add(out, rule.name, member);
  });
  return out.lines + out.tables;
}

/// What a file does not say of a product that it names.
std::string set_within_text(const Scenario& scenario) {
  if (scenario.set_within.empty()) return "";
  std::string out = "\n# What was set within products and machines that are named above:\n";
  for (const auto& set : scenario.set_within)
    out += fmt::format("#   --set {}\n", shell_word(printable(set)));
  return out;
}

}  // namespace

std::string toml_value(const Label& label) { return toml_string(text_of(label)); }

std::string toml_quantity(const UnitTable& units, double value) {
  return toml_string(text_in(units, value, 12));
}

std::string toml_array(const Names& items) { return fmt::format("[{}]", fmt::join(items, ", ")); }

std::string to_toml(const Scenario& scenario) {
  const WorkloadKind kind = scenario.workload.kind();
  Table out{scenario, "", "", ""};
  for_each_member(scenario, [&]<class M>(const Rule<M>& rule, const M& member) {
    if (!is_taken(kind, rule.name)) return;
    if constexpr (HasFields<M> && !HasKinds<M>)
      out.add_table(fmt::format("[{}]", rule.name), section_text(scenario, member, rule.name));
    else
      add(out, rule.name, member);
  });
  return out.lines + out.tables + set_within_text(scenario);
}

namespace {

template <class M>
struct ValueOf {
  using type = M;
};
template <class M>
struct ValueOf<std::optional<M>> {
  using type = M;
};
template <class M>
struct ValueOf<Defaulted<M>> {
  using type = M;
};

/// `text` in comment lines of at most 100 columns.
std::string comment(const std::string& text) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::string line = "#";
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (line.size() + 1 + end - start > kWidth) {
      out += line + '\n';
      line = "#";
    }
    line += ' ';
    line.append(text, start, end - start);
    start = end + 1;
  }
  return out + line + '\n';
}

/// A key with its meaning above it; commented out where it is not given.
std::string template_key(const std::map<std::string, std::string>& given, std::string_view key,
                         std::string value, std::string_view help, const std::string& form) {
  const auto it = given.find(std::string(key));
  if (it != given.end()) value = it->second;
  if (value.empty() || value == "\"\"") value = "...";
  const std::string note = form.empty() ? std::string(help) : fmt::format("{} ({})", help, form);
  return fmt::format("{}{}{} = {}\n", comment(note), it == given.end() ? "#" : "", key, value);
}

/// What a key means, and where its default is not the one shown.
template <class M>
std::string meaning_of(const Rule<M>& rule) {
  return rule.exception.empty() ? std::string(rule.help)
                                : fmt::format("{}; default, {}", rule.help, rule.exception);
}

template <HasFields T>
std::string commented(const std::map<std::string, std::string>& given) {
  const T fresh{};
  std::string out;
  for_each_member(fresh, [&](const auto& rule, const auto& member) {
    using M = std::decay_t<decltype(member)>;
    using Value = typename ValueOf<M>::type;
    if constexpr (!HasFields<Value> && !IsVector<M>::value)
      out += template_key(given, rule.name, value_or_nothing(member), meaning_of(rule),
                          rule.ranged || NamedEnum<Value> ? expected(rule) : "");
  });
  return out;
}

}  // namespace

std::string scenario_template() {
  std::string out =
      "# A gpufeed scenario: a machine, a job, and where its data lie. Only system, workload.model "
      "and\n"
      "# workload.dataset are required; a key behind # shows its default, or ... where it has "
      "none.\n"
      "#   gpufeed simulate FILE     answers it\n"
      "#   gpufeed catalog list      names the machines, parts, networks and data sets to choose "
      "from\n"
      "#   gpufeed check --keys      lists every key\n\n";
  const auto section = [&](const char* header, const std::string& body) {
    out += fmt::format("{}{}", header, body);
  };
  section("",
          "schema = 1\n"
          "title = \"My machine\"\n"
          "# the machine: a name, a path to a file, or a table\n"
          "system = \"nvidia-dgx1-p100\"\n");
  section("\n[workload]\n", commented<Workload>({{"kind", "\"training\""},
                                                 {"model", "\"resnet-50\""},
                                                 {"dataset", "\"imagenet-1k\""},
                                                 {"batch_per_gpu", "64"},
                                                 {"epochs", "1"},
                                                 {"precision", "\"fp32\""}}));
  section(
      "\n",
      "# A training rate of your own, where the model's do not cover the GPU:\n"
      "#[[workload.compute]]\n#gpu = \"nvidia-p100-sxm2-16gb\"\n#batch = 64\n"
      "#rate = \"238 samples/s\"\n#source = \"where it was measured\"\n#basis = \"measured\"\n");
  section("\n",
          "# With kind = \"pipeline\", its stages; with kind = \"inference\", the requests:\n"
          "#[[workload.stage]]\n#name = \"clean\"\n#at = \"scratch\"\n#rate = \"500 MB/s\"\n"
          "#[workload.serving]\n#request_rate = \"100 samples/s\"\n#largest_batch = 8\n");
  section("\n[data]\n", commented<Data>({{"at", "\"scratch\""}}));
  section("\n[loader]\n", commented<Loader>({}));
  section("\n[exchange]\n", commented<Exchange>({}));
  section("\n[run]\n", commented<Run>({}));
  out +=
      "\n# A shared store, to read from (data.at = \"nas\") or to copy from first\n"
      "# (staging = { from = \"nas\" } in [data]; where the drives hold less than all data, as a\n"
      "# cache: staging = { from = \"nas\", mode = \"read-through\" }):\n"
      "#[store.nas]\n#model = \"pure-flashblade-15-blade\"\n#via = [\"ib*\"]\n"
      "\n# Any part of the system by another product:\n"
      "#[[replace]]\n#part = \"ssd*\"\n#with = \"samsung-pm983-1.92tb\"\n#count = 4\n"
      "\n# A number of a product that you know better than the catalog:\n"
      "#[[own]]\n#product = \"samsung-pm983-1.92tb\"\n#key = \"read_bandwidth\"\n#value = "
      "\"3.1 GB/s\"\n";
  return out;
}

}  // namespace gpufeed
