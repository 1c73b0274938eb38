// SPDX-License-Identifier: Apache-2.0
#include "sim/load/toml_text.h"

#include "sim/load/forms.h"

namespace gpufeed {
namespace {

/// A table: `key = value` lines first, tables after them, as TOML demands.
struct Table {
  std::string place;
  std::string lines;
  std::string tables;

  std::string below(std::string_view key) const {
    return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
  }
  void add_line(std::string_view key, const std::string& value) {
    if (value != "\"\"" && value != "[]") lines += fmt::format("{} = {}\n", key, value);
  }
  void add_table(const std::string& header, const std::string& content) {
    tables += fmt::format("\n{}\n{}", header, content);
  }
};

void append(std::string& row, std::string_view key, const std::string& value) {
  if (value.empty() || value == "\"\"" || value == "[]") return;
  row += fmt::format("{}{} = {}", row.empty() ? "" : ", ", key, value);
}

template <class M>
std::string value_or_nothing(const M& value) {
  if constexpr (IsOptional<M>::value)
    return value ? value_or_nothing(*value) : "";
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
std::string table_text(const T& value, const std::string& place);

template <class M>
void add(Table& out, std::string_view key, const M& value) {
  if constexpr (IsOptional<M>::value) {
    if constexpr (HasFields<typename M::value_type>) {
      if (value) out.add_line(key, inline_table(*value));
    } else if (value) {
      out.add_line(key, toml_value(*value));
    }
  } else if constexpr (HasFields<M>) {
    out.add_table("[" + out.below(key) + "]", table_text(value, out.below(key)));
  } else if constexpr (requires { value.begin()->second; }) {
    for (const auto& [name, item] : value)
      out.add_table("[" + out.below(key) + "." + name + "]", table_text(item, ""));
  } else if constexpr (requires { toml_value(value); }) {
    out.add_line(key, toml_value(value));
  } else {
    for (const auto& item : value)
      out.add_table("[[" + out.below(key) + "]]", table_text(item, ""));
  }
}

template <HasFields T>
std::string table_text(const T& value, const std::string& place) {
  Table out{place, "", ""};
  for_each_member(value,
                  [&](const auto& rule, const auto& member) { add(out, rule.name, member); });
  return out.lines + out.tables;
}

}  // namespace

std::string toml_string(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  out += '"';
  return out;
}

std::string toml_quantity(const UnitTable& units, double value) {
  return toml_string(text_in(units, value, 12));
}

std::string toml_array(const Names& items) { return fmt::format("[{}]", fmt::join(items, ", ")); }

std::string to_toml(const Scenario& scenario) { return table_text(scenario, ""); }

namespace {

std::string template_line(const std::map<std::string, std::string>& given, std::string_view key,
                          std::string value, std::string_view help, const std::string& form) {
  const auto it = given.find(std::string(key));
  if (it != given.end()) value = it->second;
  if (value.empty() || value == "\"\"") value = "...";
  const std::string line = fmt::format("{}{} = {}", it == given.end() ? "# " : "", key, value);
  return fmt::format("{:<38} # {}; {}\n", line, help, form);
}

template <HasFields T>
std::string commented(const std::map<std::string, std::string>& given) {
  const T fresh{};
  std::string out;
  for_each_member(fresh, [&](const auto& rule, const auto& member) {
    if constexpr (!HasFields<std::decay_t<decltype(member)>>)
      out += template_line(given, rule.name, value_or_nothing(member), rule.help, expected(rule));
  });
  return out;
}

}  // namespace

std::string scenario_template() {
  std::string out =
      "# A gpufeed scenario: a machine, a job, and where its data lie. Only system,\n"
      "# workload.model and workload.dataset are required; the other keys are shown with\n"
      "# their defaults. Try it: gpufeed simulate THIS_FILE\n"
      "# What may stand in \"...\": gpufeed catalog list; every key: gpufeed check --keys\n\n";
  const auto section = [&](const char* header, const std::string& body) {
    out += fmt::format("{}{}", header, body);
  };
  section("",
          "schema = 1\n"
          "title = \"My machine\"                    # shown with the result\n"
          "system = \"nvidia-dgx1-p100\"             # a name, a path to a file, or a table\n");
  section("\n[workload]\n", commented<Workload>({{"kind", "\"training\""},
                                                 {"model", "\"resnet-50\""},
                                                 {"dataset", "\"imagenet-1k\""},
                                                 {"batch_per_gpu", "64"},
                                                 {"epochs", "1"},
                                                 {"precision", "\"fp32\""}}));
  section("\n[data]\n", commented<Data>({{"at", "\"scratch\""}}));
  section("\n[loader]\n", commented<Loader>({}));
  section("\n[exchange]\n", commented<Exchange>({}));
  section("\n[run]\n", commented<Run>({}));
  out +=
      "\n# A shared store, to read from (data.at = \"nas\") or to copy from first\n"
      "# (data.staging = { from = \"nas\" }):\n"
      "# [store.nas]\n# model = \"pure-flashblade-15-blade\"\n# via = [\"ib*\"]\n"
      "\n# Any part of the system by another product:\n"
      "# [[replace]]\n# part = \"ssd*\"\n# with = \"samsung-pm983-1.92tb\"\n# count = 4\n";
  return out;
}

}  // namespace gpufeed
