// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/base/labels/label_text.h"
#include "sim/base/pattern.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"

namespace gpufeed::ui {
namespace {

std::size_t digits_at_end(const std::string& id) {
  std::size_t at = id.size();
  while (at > 0 && std::isdigit(static_cast<unsigned char>(id[at - 1]))) --at;
  return id.size() - at;
}

std::string stem_of(const std::string& id) { return id.substr(0, id.size() - digits_at_end(id)); }

template <class P>
void add_groups(std::vector<PartGroup>& groups, const std::vector<P>& parts) {
  const auto first = static_cast<std::ptrdiff_t>(groups.size());
  for (const P& part : parts) {
    if (!part.model) continue;
    auto group = std::find_if(groups.begin() + first, groups.end(),
                              [&](const PartGroup& g) { return g.product == part.model.name; });
    if (group == groups.end()) {
      using Product = std::remove_cvref_t<decltype(*part.model)>;
      groups.push_back({std::string(Product::kKind),
                        part.model.name,
                        part.model->title,
                        {},
                        "",
                        part.model->price});
      group = groups.end() - 1;
    }
    group->ids.push_back(text_of(part.id));
  }
}

std::vector<std::string> all_ids(const System& system) {
  std::vector<std::string> ids;
  const auto note = [&](const auto& parts) {
    for (const auto& part : parts) ids.push_back(text_of(part.id));
  };
  note(system.sockets), note(system.switches), note(system.gpus), note(system.nics),
      note(system.drives);
  return ids;
}

/// The id itself, or its stem and a star, where that fits all of `ids` and nothing else.
std::string pattern_of(const std::vector<std::string>& ids, const std::vector<std::string>& all) {
  if (ids.size() == 1) return ids.front();
  const std::string pattern = stem_of(ids.front()) + "*";
  const auto fitting =
      std::ranges::count_if(all, [&](const std::string& id) { return matches(pattern, id); });
  const bool fits_own =
      std::ranges::all_of(ids, [&](const std::string& id) { return matches(pattern, id); });
  return fits_own && static_cast<std::size_t>(fitting) == ids.size() ? pattern : "";
}

}  // namespace

std::vector<PartGroup> part_groups(const System& system) {
  std::vector<PartGroup> groups;
  add_groups(groups, system.gpus);
  add_groups(groups, system.drives);
  add_groups(groups, system.sockets);
  add_groups(groups, system.nics);
  add_groups(groups, system.switches);
  const auto all = all_ids(system);
  for (PartGroup& group : groups) group.pattern = pattern_of(group.ids, all);
  return groups;
}

std::optional<PartGroup> group_of(const std::vector<PartGroup>& groups, const std::string& id) {
  for (const PartGroup& group : groups)
    if (std::ranges::count(group.ids, id)) return group;
  return {};
}

std::string with_product(std::string text, const PartGroup& parts, const std::string& product) {
  const std::vector<std::string> patterns =
      parts.pattern.empty() ? parts.ids : std::vector<std::string>{parts.pattern};
  const std::vector<std::string> replaced = texts_in(text, "replace", "part");
  for (const std::string& pattern : patterns) {
    const auto known = std::ranges::find(replaced, pattern);
    if (known != replaced.end())
      text = with_value(text, KeyPath("replace")[std::to_string(known - replaced.begin())] / "with",
                        toml_string(product));
    else if (product != parts.product)
      text = with_table(text, "replace",
                        {{"part", toml_string(pattern)}, {"with", toml_string(product)}});
  }
  return text;
}

}  // namespace gpufeed::ui
