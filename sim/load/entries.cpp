// SPDX-License-Identifier: Apache-2.0
#include "sim/load/load.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"

namespace gpufeed {
namespace {

/// A value as a reader sees it; empty where it is unknown.
template <class M>
std::string shown_value(const M& value) {
  if constexpr (IsOptional<M>::value)
    return value ? shown_value(*value) : "";
  else if constexpr (std::same_as<M, bool>)
    return value ? "yes" : "no";
  else if constexpr (std::same_as<M, std::int64_t>)
    return text_number(static_cast<double>(value), 15);
  else if constexpr (std::same_as<M, std::string>)
    return value;
  else if constexpr (NamedEnum<M>)
    return std::string(name_of(value));
  else if constexpr (IsRef<M>::value)
    return value.name;
  else if constexpr (std::same_as<M, PartRef>)
    return value.id;
  else if constexpr (requires { text(value); })
    return text(value);
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

EntryLine value_line(const Entry& entry, std::string_view key, std::string value) {
  EntryLine line{std::string(key), value.empty() ? "unknown" : std::move(value), "", ""};
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
      EntryLine line{std::string(key), row(item), "", ""};
      if constexpr (requires { item.basis; }) {
        line.basis = name_of(item.basis);
        line.source = item.source;
      }
      out.lines.push_back(std::move(line));
    }
  } else if (key != "title") {
    out.lines.push_back(value_line(entry, key, shown_value(value)));
  }
}

EntryText head_of(std::string_view kind, const Entry& entry, std::filesystem::path file) {
  return {std::string(kind),
          entry.name,
          entry.title,
          std::string(name_of(entry.provenance.basis)),
          entry.provenance.source,
          std::move(file),
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

}  // namespace

std::vector<EntryText> describe_entry(const Catalog& catalog, const std::string& name) {
  Diagnostics out;
  Reader reader(catalog, name, out);
  std::vector<EntryText> found;
  Names known;
  const auto add = [&]<class T>(const T*) {
    for (auto& other : catalog.names(T::kKind)) known.push_back(std::move(other));
    const auto file = catalog.find(T::kKind, name);
    if (!file) return;
    if (const auto entry = reader.entry_of<T>(*file)) found.push_back(describe(*entry, *file));
  };
  const auto add_all = [&]<class... T>(const T*... kinds) { (add(kinds), ...); };
  add_all(static_cast<const System*>(nullptr), static_cast<const Chassis*>(nullptr),
          static_cast<const Gpu*>(nullptr), static_cast<const Cpu*>(nullptr),
          static_cast<const Memory*>(nullptr), static_cast<const Drive*>(nullptr),
          static_cast<const Array*>(nullptr), static_cast<const Nic*>(nullptr),
          static_cast<const Switch*>(nullptr), static_cast<const Link*>(nullptr),
          static_cast<const Protocol*>(nullptr), static_cast<const Model*>(nullptr),
          static_cast<const Dataset*>(nullptr), static_cast<const Decoder*>(nullptr),
          static_cast<const Job*>(nullptr));
  out.throw_if_any();
  if (found.empty())
    out.error({"catalog show", 0, 0}, "nothing is called \"{}\"; {}", name,
              suggestion(name, known));
  out.throw_if_any();
  return found;
}

}  // namespace gpufeed
