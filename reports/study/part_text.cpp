// SPDX-License-Identifier: Apache-2.0
#include "reports/study/part_text.h"

#include <algorithm>
#include <cmath>

#include "sim/base/labels/label_text.h"
#include "sim/base/pattern.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

/// To the byte, in GiB where these come out even and GB do not.
std::string size_text(Bytes size) {
  constexpr double kGB = 1e9, kGiB = 1073741824;
  const auto is_even = [&](double unit) { return std::fmod(size.value, unit) == 0; };
  if (is_even(kGiB) && !is_even(kGB)) return fmt::format("{:.0f} GiB", size.value / kGiB);
  return text(size, 15);
}

/// Whether the chassis' keys are understood: a machine that is a parts list has no `place`.
bool is_made_of_chassis(const Scenario& scenario, const ScenarioSource& source) {
  if (!scenario.system->chassis || scenario.system->sockets.empty()) return false;
  const auto& cpu = scenario.system->sockets.front().model.name;
  const auto asked = fmt::format("system.cpu={} x {}", scenario.system->sockets.size(), cpu);
  Diagnostics out;
  source.check({parse_override(asked)}, out);
  return out.empty();
}

std::string replacement(const std::string& part, const std::string& with, std::int64_t count) {
  return fmt::format("{{ part = {}, with = {}, count = {} }}", toml_string(part), toml_string(with),
                     count);
}

std::string as_given(const Replace& replace) {
  std::string text =
      fmt::format("{{ part = {}, with = {}", toml_value(replace.part), toml_value(replace.with));
  if (replace.count) text += fmt::format(", count = {}", *replace.count);
  if (replace.at) text += ", at = " + toml_value(*replace.at);
  if (replace.lanes) text += fmt::format(", lanes = {}", *replace.lanes);
  return text + " }";
}

Names ids_of(const System& system) {
  Names ids;
  const auto add = [&](const auto& parts) {
    for (const auto& part : parts) ids.push_back(text_of(part.id));
  };
  add(system.sockets), add(system.gpus), add(system.nics), add(system.drives);
  add(system.switches);
  return ids;
}

}  // namespace

PartText::PartText(const Scenario& scenario, const ScenarioSource& source)
    : scenario_(scenario), chassis_(is_made_of_chassis(scenario, source)) {}

std::vector<std::string> PartText::counted(const std::string& key,
                                           const std::vector<std::string>& ids,
                                           const std::string& name, std::int64_t count) const {
  if (chassis_) {
    // The key says all parts of a kind; others than these are not to be lost.
    const System& system = *scenario_.system;
    const std::size_t all = key == "drives" ? system.drives.size()
                            : key == "nics" ? system.nics.size()
                            : key == "gpu"  ? system.gpus.size()
                                            : system.sockets.size();
    if (all != ids.size()) return {};
    return {fmt::format("system.{}={} x {}", key, count, name)};
  }
  const std::string pattern = pattern_of(ids);
  if (pattern.empty()) return {};
  std::string list;
  for (const auto& given : scenario_.replace) list += as_given(given) + ", ";
  return {fmt::format("replace=[{}{}]", list, replacement(pattern, name, count))};
}

std::vector<std::string> PartText::memory(double times) const {
  const auto& sockets = scenario_.system->sockets;
  Bytes all{};
  for (const auto& socket : sockets) all += socket.memory;
  if (chassis_) return {"system.memory=" + size_text(all * times)};
  const bool alike = std::ranges::all_of(
      sockets, [&](const Socket& s) { return s.memory == sockets.front().memory; });
  if (!alike) return {};
  return {"system.socket[*].memory=" + size_text(sockets.front().memory * times)};
}

std::string PartText::placed(const std::string& kind, const std::string& id,
                             const std::string& place) const {
  if (chassis_) return fmt::format("system.place.{}={}", key_text(id), place);
  return fmt::format("system.{}[{}].at={}", kind, element_text(id), place);
}

std::string PartText::caution() const {
  return chassis_ ? "" : "; look whether the machine has room for them";
}

/// One id, or a pattern that fits these and no other; empty where there is none.
std::string PartText::pattern_of(const std::vector<std::string>& ids) const {
  if (ids.size() == 1) return ids.front();
  std::string common = ids.front();
  for (const auto& id : ids)
    while (!id.starts_with(common)) common.pop_back();
  const std::string pattern = common + "*";
  const Names all = ids_of(*scenario_.system);
  const auto hits =
      std::ranges::count_if(all, [&](const auto& id) { return matches(pattern, id); });
  return static_cast<std::size_t>(hits) == ids.size() ? pattern : "";
}

}  // namespace gpufeed
