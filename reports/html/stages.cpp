// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "reports/html/bars.h"
#include "reports/html/markup.h"
#include "reports/html/pictures.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "sim/base/units.h"

namespace gpufeed::html {

std::string stages_picture(const Result& result) {
  if (result.stages.empty()) return "";
  std::string rows;
  Table table{"What each stage could deliver",
              {"stage", "limited by", "load", "could deliver, samples/s"},
              {},
              2};
  const Stage* marked = tightest_stage(result);
  for (const Stage& stage : result.stages) {
    const std::string name = sentence(stage.stage), limit = in_words(stage.limit);
    const double capacity = stage.capacity_samples_per_s;
    if (!std::isfinite(capacity) || capacity <= 0) {
      table.rows.push_back({name, stage.limit ? limit : "not used", "", ""});
      continue;
    }
    const double load = result.throughput_samples_per_s / capacity;
    const std::string rate = text_number(capacity) + " samples/s";
    rows += bar_row({name + (&stage == marked ? " ◀ bottleneck" : ""),
                     limit,
                     {{load, std::string(load_class(load)), percent(load) + " of " + rate}},
                     percent(load) + " of " + rate});
    table.rows.push_back({name, limit, percent(load), text_number(capacity)});
  }
  return rows + folded("The numbers", table.markup());
}

}  // namespace gpufeed::html
