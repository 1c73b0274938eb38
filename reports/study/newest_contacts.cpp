// SPDX-License-Identifier: Apache-2.0
#include "reports/study/newest_contacts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>

#include "reports/study/coverage.h"
#include "reports/study/learn_discrepancy.h"
#include "sim/model/study/validation.h"
#include "sim/range/spread.h"

namespace gpufeed {
namespace {

std::set<std::string> newest_sources(const std::vector<FirstContact>& contacts, std::size_t count) {
  std::vector<std::string> order;
  for (const FirstContact& one : contacts)
    if (one.counts == 1 && std::ranges::count(order, one.source) == 0) order.push_back(one.source);
  const std::size_t older = order.size() - std::min(order.size(), count);
  return {order.begin() + static_cast<std::ptrdiff_t>(older), order.end()};
}

}  // namespace

std::optional<Coverage> coverage_of_newest(const std::vector<FirstContact>& contacts,
                                           std::size_t sources) {
  const std::set<std::string> newest = newest_sources(contacts, sources);
  std::vector<FirstContact> others;
  std::ranges::copy_if(contacts, std::back_inserter(others),
                       [&](const FirstContact& one) { return !newest.contains(one.source); });
  if (others.empty()) return {};
  const Discrepancies learned = learn_discrepancies(others);
  std::vector<ValidationRow> rows;
  for (const FirstContact& one : contacts) {
    if (!newest.contains(one.source) || one.counts != 1) continue;
    const auto spread = spread_of(learned, one.mechanism, one.steps, one.parameters);
    if (!spread) continue;
    ValidationRow row;
    row.source = one.source;
    row.role = name_of(CaseRole::predict);
    row.measured = one.measured;
    row.predicted = one.predicted;
    row.p10 = one.predicted * std::exp(-spread->down);
    row.p90 = one.predicted * std::exp(spread->up);
    rows.push_back(std::move(row));
  }
  return coverage_of(rows);
}

}  // namespace gpufeed
