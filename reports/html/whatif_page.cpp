// SPDX-License-Identifier: Apache-2.0
#include "reports/html/whatif_page.h"

#include "reports/html/changes.h"
#include "reports/html/first_page.h"
#include "reports/html/markup.h"
#include "reports/writers/cost_text.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

std::string now_of(const WhatIf& report) {
  const WhatIfFigures& now = report.now;
  std::string out =
      element("dt", term::kJobRate) +
      element("dd", text_number(now.job_samples_per_s) + " samples/s") +
      element("dt", term::kGpuUtilization) + element("dd", percent(now.job_gpu_utilization)) +
      element("dt", "Time to result") + element("dd", time_text(now.time_to_result_s)) +
      element("dt", "Held back by") + element("dd", held_back_text(report));
  if (!report.does_not_fit.empty())
    out += element("dt", "Does not fit") +
           element("dd", report.does_not_fit + "; all figures are as if it did");
  if (now.price_USD)
    out += element("dt", "Price") + element("dd", std::string(least_sum(now.without_price)) +
                                                      text_number(*now.price_USD, 15) + " USD");
  if (now.power_W)
    out += element("dt", "Power at full load") +
           element("dd", std::string(least_sum(now.without_power)) + text(Power{*now.power_W}, 4));
  return "<dl>" + out + "</dl>\n";
}

std::string tried(const WhatIf& report) {
  std::string out = element("p", tally_text(report));
  for (const auto& fault : report.faults) out += element("p", "Fault of gpufeed: " + fault);
  return out;
}

}  // namespace

std::string to_html(const WhatIf& report, const PageHead& head, const Result* now) {
  const std::string changes = report.rows.empty()
                                  ? element("p", "No change that was tried makes it faster.")
                                  : changes_picture(report.rows);
  const auto more = [](const char* id, const char* title, const std::vector<WhatIfRow>& rows) {
    return rows.empty() ? std::string() : section(id, title, changes_picture(rows));
  };
  std::string first;
  if (now)
    first = first_page({*now, {}, {}, {}, report.rows}, "", "The answer",
                       "what makes this job faster, and what does that cost?");
  std::vector<WhatIfRow> all;
  for (const auto* rows : {&report.fitting, &report.rows, &report.altering, &report.savings})
    all.insert(all.end(), rows->begin(), rows->end());
  return page(head, first + section("now", "As it is", now_of(report)) +
                        more("fitting", "With which it fits", report.fitting) +
                        section("changes", "Changes that help, one at a time", changes) +
                        more("altering", "Other training, and so another result", report.altering) +
                        more("savings", "As fast, for less money", report.savings) +
                        section("tried", "What was tried", tried(report) + commands_of(all)));
}

}  // namespace gpufeed::html
