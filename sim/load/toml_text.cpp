// SPDX-License-Identifier: Apache-2.0
#include "sim/load/toml_text.h"

#include "sim/load/reader.h"

namespace gpufeed {
namespace {

template <HasFields T>
std::string table_text(const T& value, const std::string& place);

template <HasFields T>
std::string inline_table(const T& value) {
  std::string out;
  for_each_field<T>([&](const auto& field) {
    using M = typename std::decay_t<decltype(field)>::Member;
    const M& member = value.*field.member;
    std::string text;
    if constexpr (IsOptional<M>::value) {
      if (member) text = toml_value(*member);
    } else if constexpr (requires { toml_value(member); }) {
      text = toml_value(member);
    }
    if (!text.empty() && text != "\"\"" && text != "[]")
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", field.name, text);
  });
  return fmt::format("{{ {} }}", out);
}

/// `key = value` lines first, tables after them, as TOML demands.
template <HasFields T>
std::string table_text(const T& value, const std::string& place) {
  std::string lines;
  std::string tables;
  const auto put = [&](std::string_view key, const std::string& text) {
    if (text != "\"\"" && text != "[]") lines += fmt::format("{} = {}\n", key, text);
  };
  const auto below = [&](std::string_view key) {
    return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
  };
  for_each_field<T>([&](const auto& field) {
    using M = typename std::decay_t<decltype(field)>::Member;
    const M& member = value.*field.member;
    if constexpr (IsOptional<M>::value) {
      if constexpr (HasFields<typename M::value_type>) {
        if (member) put(field.name, inline_table(*member));
      } else if (member) {
        put(field.name, toml_value(*member));
      }
    } else if constexpr (HasFields<M>) {
      tables += fmt::format("\n[{}]\n{}", below(field.name), table_text(member, below(field.name)));
    } else if constexpr (requires { member.begin()->second; }) {
      for (const auto& [name, item] : member)
        tables += fmt::format("\n[{}.{}]\n{}", below(field.name), name, table_text(item, ""));
    } else if constexpr (requires { toml_value(member); }) {
      put(field.name, toml_value(member));
    } else {
      for (const auto& item : member)
        tables += fmt::format("\n[[{}]]\n{}", below(field.name), table_text(item, ""));
    }
  });
  return lines + tables;
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

std::string to_toml(const Scenario& scenario) { return table_text(scenario, ""); }

namespace {

template <HasFields T>
std::string commented(const std::map<std::string, std::string>& given) {
  const T fresh{};
  std::string out;
  for_each_field<T>([&](const auto& field) {
    using M = typename std::decay_t<decltype(field)>::Member;
    if constexpr (!HasFields<M>) {
      const auto it = given.find(std::string(field.name));
      std::string value;
      if (it != given.end())
        value = it->second;
      else if constexpr (!IsOptional<M>::value && requires { toml_value(fresh.*field.member); })
        value = toml_value(fresh.*field.member);
      if (value.empty() || value == "\"\"") value = "...";
      const std::string line = fmt::format("{}{} = {}", it == given.end() ? "# " : "", field.name,
                                           value);
      out += fmt::format("{:<38} # {}; {}\n", line, field.help, expected(field));
    }
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
  section("", "schema = 1\n"
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
