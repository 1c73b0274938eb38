// SPDX-License-Identifier: Apache-2.0
#include "reports/study/supply.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/pattern.h"

namespace gpufeed {
namespace {

bool is_wanted(const MakerRule& rule, const BillLine& line) {
  return line.kind != rule.kind || line.count <= 0 ||
         std::ranges::any_of(rule.names,
                             [&](const std::string& name) { return matches(name, line.name); });
}

double taken(const std::string& product, const Result& result) {
  double sum = 0;
  for (const BillLine& line : result.bill)
    if (matches(product, line.name)) sum += line.count;
  return sum;
}

}  // namespace

std::vector<std::string> broken_rules(const Goal& goal, const Result& result) {
  std::vector<std::string> broken;
  for (const MakerRule& rule : goal.only)
    if (!std::ranges::all_of(result.bill,
                             [&](const BillLine& line) { return is_wanted(rule, line); }))
      broken.push_back(fmt::format("only {} of {}", rule.kind, fmt::join(rule.names, ", ")));
  for (const StockLine& line : goal.stock)
    if (taken(line.name, result) > static_cast<double>(line.count))
      broken.push_back(fmt::format("stock of {} {}", line.count, line.name));
  return broken;
}

}  // namespace gpufeed
