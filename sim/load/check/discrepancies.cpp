// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/load/check/checks.h"
#include "sim/load/read/reader.h"
#include "sim/model/fields/discrepancy.h"

namespace gpufeed {
namespace {

/// What the law of intervals needs: widths that are there, and steps that never narrow.
void check(const Discrepancy& entry, const Location& where, Diagnostics& out) {
  const auto above = [&](std::string_view key, double value, double least) {
    if (!(value >= least))
      out.error(ProblemCode::out_of_range, where, "{}: {} must be at least {}, found {}",
                entry.name, key, least, value);
  };
  above("deviation", entry.deviation, 0);
  above("parameters", entry.parameters, 0);
  above("lower", entry.lower, 0);
  above("upper", entry.upper, 0);
  above("shared", entry.shared, 0);
  if (entry.shared > 1)
    out.error(ProblemCode::out_of_range, where, "{}: shared must be at most 1, found {}",
              entry.name, entry.shared);
  for (const StepFactor& step : entry.steps)
    above(fmt::format("the factor of {}", name_of(step.step)), step.factor, 1);
}

}  // namespace

Discrepancies discrepancies_in(const Catalog& catalog, Diagnostics& out) {
  Discrepancies all;
  Reader reader(catalog, "", out);
  for (std::size_t i = 0; i < kMechanisms; ++i) {
    const auto mechanism = static_cast<Mechanism>(i);
    const auto file = catalog.find(Discrepancy::kKind, name_of(mechanism));
    if (!file) continue;
    auto entry = reader.entry_of<Discrepancy>(*file);
    if (!entry) continue;
    check(*entry, {file->string(), 0, 0}, out);
    all[mechanism] = std::move(entry);
  }
  return all;
}

}  // namespace gpufeed
