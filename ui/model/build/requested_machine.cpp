// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/requested_machine.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "sim/base/labels/label_text.h"
#include "sim/load/chassis/asked.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "sim/model/catalog/chassis.h"

namespace gpufeed::ui {
namespace {

using Texts = std::vector<std::string>;

/// Null where the catalog has none of this name.
std::shared_ptr<const Chassis> chassis_of(const std::string& name, const Catalog& catalog) {
  const auto file = catalog.find(Chassis::kKind, name);
  if (!file) return nullptr;
  Diagnostics reported_by_runner;
  return Reader(catalog, "", reported_by_runner).entry_of<Chassis>(*file);
}

Texts texts_of(const std::vector<PartRef>& parts) {
  Texts texts;
  for (const PartRef& part : parts) texts.push_back(text_of(part.id));
  return texts;
}

std::vector<RequestedPart> parts_of(const Texts& texts) {
  std::vector<RequestedPart> parts;
  for (const std::string& text : texts) {
    if (text == "none") continue;
    if (const auto asked = parse_asked(text, {})) parts.push_back({asked->count, asked->what});
  }
  return parts;
}

}  // namespace

std::optional<RequestedMachine> requested_machine_of(const std::string& text,
                                                     const Catalog& catalog) try {
  const auto chassis = texts_at(text, "system.chassis");
  if (!chassis || chassis->size() != 1 || value_at(text, "system.socket")) return {};
  RequestedMachine requested{chassis->front(), "", false, {}};
  const auto known = chassis_of(requested.chassis, catalog);
  const auto given_or = [&](const std::string& key, std::vector<PartRef> Chassis::*standard) {
    if (auto given = texts_at(text, KeyPath("system") / key))
      return std::pair(std::move(*given), false);
    return std::pair(known ? texts_of((*known).*standard) : Texts{}, true);
  };
  const auto add = [&](const char* key, const char* kind, std::vector<PartRef> Chassis::*standard) {
    const auto [texts, is_standard] = given_or(key, standard);
    const std::int64_t usual = known && std::string_view(key) == "cpu" ? known->sockets : 1;
    requested.parts.push_back({key, kind, parts_of(texts), usual, is_standard});
  };
  add("cpu", "cpu", &Chassis::cpu);
  add("gpu", "gpu", &Chassis::gpu);
  add("drives", "drive", &Chassis::drives);
  add("nics", "nic", &Chassis::nics);
  auto [memory, is_standard] = given_or("memory", &Chassis::memory);
  if (!memory.empty()) requested.memory = std::move(memory.front());
  requested.standard_memory = is_standard;
  return requested;
} catch (const InputError&) {
  return {};
}

std::string with_parts(const std::string& text, const RequestedParts& parts) {
  Names items;
  for (const RequestedPart& part : parts.parts)
    items.push_back(toml_string(fmt::format("{} x {}", part.count, part.product)));
  const std::string value = items.empty()       ? "\"none\""
                            : items.size() == 1 ? items.front()
                                                : toml_array(items);
  return with_value(text, KeyPath("system") / parts.key, value);
}

std::string with_memory(const std::string& text, const std::string& memory) {
  return with_value(text, "system.memory", toml_string(memory));
}

}  // namespace gpufeed::ui
