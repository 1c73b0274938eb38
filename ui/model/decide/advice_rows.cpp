// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/advice_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/decision_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

std::string signed_number(double value, int digits) {
  return (value < 0 ? "−" : "+") + text_number(std::abs(value), digits);
}

std::string signed_percent(double share) { return signed_number(100 * share, 3) + " %"; }

std::string difference(const std::optional<double>& value) {
  if (!value) return "not known";
  return *value == 0 ? "same" : signed_number(*value, 4);
}

}  // namespace

std::vector<ChangeRow> change_rows(const WhatIf& what_if) {
  std::vector<ChangeRow> rows;
  for (const WhatIfRow& row : shown_changes(what_if)) {
    std::string why;
    for (const std::string& part : {result_gain_text(row, what_if.now), row.why, chance_text(row)})
      if (!part.empty()) why += (why.empty() ? "" : "; ") + part;
    rows.push_back(
        {row.change, why, signed_percent(row.gain), percent(row.after.job_gpu_utilization),
         row.is_free ? "free" : difference(row.price_change_USD), difference(row.power_change_W),
         row.gain_per_1000_USD ? signed_percent(*row.gain_per_1000_USD) : ""});
  }
  return rows;
}

std::string price_in_words(const ChangeRow& row) {
  if (row.price == "not known") return "for an unknown price";
  if (row.price == "same") return "for the same price";
  return row.price == "free" ? row.price : row.price + " USD";
}

std::string tried_in_words(const Advice& advice) {
  if (!advice.what_if) return "";
  const WhatIf& what_if = *advice.what_if;
  std::string out = what_if.tried == 1
                        ? "1 change was tried"
                        : fmt::format("{} changes were tried, one at a time", what_if.tried);
  const auto add = [&](std::int64_t count, const char* one, const char* many,
                       const std::string& what) {
    if (count > 0) out += fmt::format("; {} {} {}", count, count == 1 ? one : many, what);
  };
  add(what_if.bounded, "cannot", "cannot", "be faster, as what binds stays, and is not simulated");
  add(what_if.no_change, "makes", "make", "no difference beyond the noise of its own two runs");
  add(what_if.worse, "is", "are", "slower");
  add(what_if.outdone, "gives", "give", "no more than a cheaper one");
  add(what_if.refused, "more does", "more do", "not fit this machine or job");
  return out + (advice.parts_tried ? "." : "; parts of the catalog are still tried…");
}

std::vector<LeverRow> lever_rows(const Elasticity& elasticity) {
  double most = 0;
  for (const LeverGain& lever : elasticity.levers) most = std::max(most, lever.gain_per_10pct);
  std::vector<LeverRow> rows;
  for (const LeverGain& lever : elasticity.levers)
    rows.push_back({sentence(lever.resource),
                    lever.counts() ? signed_percent(lever.gain_per_10pct) : "none",
                    in_words(lever.limit), lever.counts() ? lever.gain_per_10pct / most : 0});
  return rows;
}

std::string binding_in_words(const Elasticity& elasticity) {
  if (!elasticity.binds)
    return "No single resource holds it back: a tenth more of any gives no more than chance.";
  const std::string times = text_number(elasticity.distance, 3);
  const bool other = elasticity.next && elasticity.next != elasticity.binds;
  return fmt::format(
      "More {} would help most, up to {} times the rate{}.", sentence(*elasticity.binds), times,
      other ? fmt::format("; then {} would hold it back", sentence(*elasticity.next)) : "");
}

}  // namespace gpufeed::ui
