// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/load/load.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "ui/model/build/key_labels.h"
#include "ui/model/build/requested_machine.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

constexpr std::size_t kMost = 4;  ///< of one problem

std::string section_of(const Problem& problem) {
  return problem.subject.empty() ? "" : problem.subject.steps.front().key;
}

/// How many problems a section has. Those of others may come to light once it is read, and do not
/// count.
std::ptrdiff_t count_in(const std::string& section, const std::vector<Problem>& problems) {
  return std::ranges::count(problems, section, section_of);
}

std::ptrdiff_t problems_of(const std::string& section, const std::string& text,
                           const std::string& name, const Catalog& catalog) {
  try {
    parse_scenario(text, name, catalog);
    return 0;
  } catch (const InputError& error) {
    return count_in(section, error.problems());
  }
}

std::string title_of(const std::string& product, const Catalog& catalog) {
  for (const auto& kind : catalog_kinds())
    if (catalog.find(kind, product))
      for (const auto& entry : describe_entry(catalog, product))
        if (!entry.title.empty()) return entry.title;
  return product;
}

/// What changed of one kind of parts.
std::string label_of(const RequestedParts& before, const RequestedParts& after,
                     const Catalog& catalog) {
  for (const RequestedPart& part : after.parts)
    if (!std::ranges::count(before.parts, part))
      return fmt::format("Take {} × {}", part.count, title_of(part.product, catalog));
  for (const RequestedPart& part : before.parts)
    if (!std::ranges::count(after.parts, part))
      return "Leave out " + title_of(part.product, catalog);
  return "";
}

/// Of a machine in a chassis, what changed of it; empty where nothing did.
std::string label_of(const RequestedMachine& before, const RequestedMachine& after,
                     const Catalog& catalog) {
  if (after.chassis != before.chassis)
    return "Take the chassis " + title_of(after.chassis, catalog);
  if (after.memory != before.memory) return fmt::format("Take {} of memory", after.memory);
  for (std::size_t i = 0; i < after.parts.size(); ++i)
    if (std::string label = label_of(before.parts[i], after.parts[i], catalog); !label.empty())
      return label;
  return "";
}

/// By the labels of forms; a name that is misspelt is mended by the right one as files have it.
std::string label_of(const Fix& fix, const Catalog& catalog) {
  switch (fix.kind) {
    case Fix::Kind::set:
      return fmt::format("Set {} to {}", ui::label_of(fix.key),
                         title_of(without_quotes(fix.value), catalog));
    case Fix::Kind::rename:
      return fmt::format("Call it {}", text(fix.key.parent() / fix.value));
    case Fix::Kind::remove:
      return fmt::format("Leave out {}", ui::label_of(fix.key));
  }
  return "";
}

/// The scenario with the fix; nothing where it stands in a form that cannot be patched.
std::optional<Repair> repair_by(const Fix& fix, const std::string& text, const Catalog& catalog) {
  Repair repair;
  try {
    repair.text = with_fix(text, fix);
  } catch (const InputError&) {
    return {};
  }
  const auto before = requested_machine_of(text, catalog);
  const auto after = requested_machine_of(repair.text, catalog);
  if (before && after) repair.label = label_of(*before, *after, catalog);
  if (repair.label.empty()) repair.label = label_of(fix, catalog);
  return repair;
}

}  // namespace

std::vector<Repair> repairs_for(const std::vector<Problem>& problems, const std::string& text,
                                const std::string& name, const Catalog& catalog) {
  std::vector<Repair> repairs;
  for (const Problem& problem : problems) {
    if (problem.where.file != name) continue;  // its keys are those of another file
    const std::string section = section_of(problem);
    const std::ptrdiff_t before = count_in(section, problems);
    std::size_t of_this = 0;
    for (const Fix& fix : problem.fixes) {
      if (of_this == kMost) break;
      auto repair = repair_by(fix, text, catalog);
      if (!repair || std::ranges::count(repairs, repair->text, &Repair::text) > 0) continue;
      if (problems_of(section, repair->text, name, catalog) >= before) continue;
      repairs.push_back(std::move(*repair));
      ++of_this;
    }
  }
  return repairs;
}

}  // namespace gpufeed::ui
