// SPDX-License-Identifier: Apache-2.0
#include "sim/load/load.h"
#include "sim/load/reader.h"

namespace gpufeed {
namespace {

/// A value as a reader sees it; empty where it is unknown.
template <class M>
std::string shown_value(const M& value) {
  if constexpr (IsOptional<M>::value)
    return value ? shown_value(*value) : "";
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

/// A part or row in one line: `id plx0, model plx-pex8764, at cpu0`.
template <HasFields T>
std::string row(const T& item) {
  std::string out;
  for_each_field<T>([&](const auto& field) {
    if (field.name == "source" || field.name == "basis") return;
    const std::string value = shown_value(item.*field.member);
    if (!value.empty())
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", field.name, value);
  });
  return out;
}

template <class T>
EntryText describe(const T& entry, std::filesystem::path file) {
  EntryText out{std::string(T::kKind), entry.name, entry.title,
                std::string(name_of(entry.provenance.basis)), entry.provenance.source,
                std::move(file), {}};
  for_each_field<T>([&](const auto& field) {
    const std::string name(field.name);
    if (name == "title") return;
    using M = typename std::decay_t<decltype(field)>::Member;
    if constexpr (IsVector<M>::value) {
      for (const auto& item : entry.*field.member) {
        EntryLine line{name, "", "", ""};
        if constexpr (HasFields<typename M::value_type>) line.value = row(item);
        if constexpr (requires { item.basis; }) {
          line.basis = name_of(item.basis);
          line.source = item.source;
        }
        out.lines.push_back(std::move(line));
      }
    } else {
      EntryLine line{name, shown_value(entry.*field.member), "", ""};
      if (const auto it = entry.of_key.find(name); it != entry.of_key.end()) {
        line.basis = name_of(it->second.basis);
        line.source = it->second.source;
      }
      if (line.value.empty()) line.value = "unknown";
      out.lines.push_back(std::move(line));
    }
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
  add_all(static_cast<const System*>(nullptr), static_cast<const Gpu*>(nullptr),
          static_cast<const Cpu*>(nullptr), static_cast<const Drive*>(nullptr),
          static_cast<const Array*>(nullptr), static_cast<const Nic*>(nullptr),
          static_cast<const Switch*>(nullptr), static_cast<const Link*>(nullptr),
          static_cast<const Model*>(nullptr), static_cast<const Dataset*>(nullptr));
  out.throw_if_any();
  if (found.empty())
    out.error({"catalog show", 0, 0}, "nothing is called \"{}\"; {}", name,
              suggestion(name, known));
  out.throw_if_any();
  return found;
}

}  // namespace gpufeed
