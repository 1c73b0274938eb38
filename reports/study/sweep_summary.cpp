// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_summary.h"

#include "sim/base/units.h"

namespace gpufeed {
namespace {

/// "12,345".
std::string counted(std::int64_t number) { return text_number(static_cast<double>(number), 15); }

}  // namespace

std::string unchecked_text(const SweepStore& store) {
  if (store.has_digests()) return "";
  return store.name() +
         ": made by an earlier version: its rows have no digests, so that whether they were "
         "changed cannot be seen\n";
}

std::string summary_of(SweepStore& store, std::int64_t of, bool constrained) {
  const StoreCounts counts = store.counts();
  std::string out = unchecked_text(store);
  if (counts.faults > 0)
    out += fmt::format("{} {} failed through a fault of gpufeed; {}\n", counted(counts.faults),
                       counts.faults == 1 ? "point" : "points", store.first_fault());
  out += fmt::format("{}: {} of {} points", store.name(), counted(counts.finished), counted(of));
  if (counts.failed > 0) out += fmt::format(", {} of them failed", counted(counts.failed));
  if (constrained) out += fmt::format("; {} meet the constraints", counted(counts.meeting));
  out += "\n";
  if (counts.failed > counts.faults)
    out += fmt::format("the first to fail: {}\n", store.first_failure());
  return out;
}

}  // namespace gpufeed
