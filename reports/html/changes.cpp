// SPDX-License-Identifier: Apache-2.0
#include "reports/html/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/bars.h"
#include "reports/html/markup.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

std::string options_of(const WhatIfRow& row) {
  std::string out;
  for (const auto& set : row.sets) out += (out.empty() ? "" : " ") + set_option(set);
  return out;
}

Table changes_table(const std::vector<WhatIfRow>& rows) {
  Table table{"Changes that help",
              {"change", "gain", "chance", "samples/s", "time to result",
               std::string(term::kGpuUtilization), "USD more", "W more", "gain per 1000 USD"},
              {},
              1};
  for (const WhatIfRow& row : rows)
    table.rows.push_back(
        {row.change, signed_percent(row.gain), row.chance ? percent(*row.chance) : "",
         text_number(row.after.job_samples_per_s), time_text(row.after.time_to_result_s),
         percent(row.after.job_gpu_utilization),
         row.is_free ? "free" : signed_number(row.price_change_USD),
         signed_number(row.power_change_W),
         row.gain_per_1000_USD ? signed_percent(*row.gain_per_1000_USD) : ""});
  return table;
}

std::string binding(const Elasticity& elasticity) {
  if (!elasticity.binds)
    return "No single resource binds: a tenth more of any gives no more than chance.";
  const std::string times = text_number(elasticity.distance, 3);
  return sentence(*elasticity.binds) + " binds. With more than enough of it, " +
         (!elasticity.next || elasticity.next == elasticity.binds
              ? fmt::format("the rate would be {} times the present one.", times)
              : fmt::format("{} would hold the job back, at {} times the present rate.",
                            sentence(*elasticity.next), times));
}

}  // namespace

std::string money_text(const WhatIfRow& row) {
  if (row.is_free) return "free";
  return row.price_change_USD ? signed_number(row.price_change_USD) + " USD" : "price not known";
}

std::string changes_picture(const std::vector<WhatIfRow>& rows) {
  if (rows.empty()) return "";
  const double most = std::ranges::max(rows, {}, &WhatIfRow::gain).gain;
  const auto length = [&](double gain) { return most > 0 ? std::max(0.0, gain / most) : 0; };
  std::string out;
  for (const WhatIfRow& row : rows)
    out += bar_row({row.change,
                    row.why + (row.chance ? "; " + chance_text(row) : ""),
                    {{length(row.gain), row.is_free ? "checkpoint" : "compute",
                      row.change + ": " + signed_percent(row.gain)}},
                    signed_percent(row.gain) + "; " + money_text(row)});
  out += "<p class='legend'>";
  if (std::ranges::any_of(rows, &WhatIfRow::is_free))
    out += legend_entry("checkpoint", "a setting, free");
  if (!std::ranges::all_of(rows, &WhatIfRow::is_free)) out += legend_entry("compute", "is bought");
  out += "</p>\n";
  return out + folded("The numbers", changes_table(rows).markup());
}

std::string commands_of(const std::vector<WhatIfRow>& rows) {
  if (rows.empty()) return "";
  Table table{"Options of gpufeed that make a change", {"change", "options"}, {}, 2};
  for (const WhatIfRow& row : rows) table.rows.push_back({row.change, options_of(row)});
  return folded("Options of the command line that make these changes", table.markup());
}

std::string levers_picture(const Elasticity& elasticity) {
  constexpr double kTenth = 0.1;
  std::string bars;
  Table table{"What 10 % more of each would give",
              {"resource", "limited by", "gain", "may be chance up to"},
              {},
              2};
  for (const LeverGain& lever : elasticity.levers) {
    const std::string name = sentence(lever.resource), limit = in_words(lever.limit);
    const std::string gain = lever.counts() ? signed_percent(lever.gain_per_10pct) : "none";
    const double length = lever.counts() ? std::min(1.0, lever.gain_per_10pct / kTenth) : 0;
    bars += bar_row(
        {name,
         lever.counts() ? limit : "",
         {{length, std::string(length > 0.5 ? "full" : "low"), fmt::format("{}: {}", name, gain)}},
         gain});
    table.rows.push_back({name, limit, gain, text_number(100 * lever.noise, 2) + " %"});
  }
  return element("p", binding(elasticity)) + bars + folded("The numbers", table.markup());
}

}  // namespace gpufeed::html
