// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/html/bars.h"
#include "reports/html/markup.h"
#include "reports/html/pictures.h"
#include "reports/writers/activities.h"
#include "reports/writers/layout.h"

namespace gpufeed::html {

std::string gpu_time_picture(const Result& result) {
  if (result.gpus.empty()) return "";
  std::string rows;
  std::string legend;
  Table table{"Share of the time of one GPU of each group", {"GPUs", "how many"}, {}, 1};
  for (const ActivityText& activity : kActivityTexts) {
    table.columns.emplace_back(activity.whole);
    for (const GpuGroup& group : result.gpus)
      if (group.share.*activity.share > 0) {
        legend += legend_entry(activity.key, activity.whole);
        break;
      }
  }
  for (const GpuGroup& group : result.gpus) {
    BarRow row{group.group,
               fmt::format("{} GPU{}", group.count, group.count == 1 ? "" : "s alike"),
               {},
               percent(group.share.compute) + " computing"};
    std::vector<std::string> cells{group.group, fmt::format("{}", group.count)};
    for (const ActivityText& activity : kActivityTexts) {
      const double share = group.share.*activity.share;
      row.parts.push_back(
          {share, std::string(activity.key), fmt::format("{} {}", activity.whole, percent(share))});
      cells.push_back(percent(share));
    }
    rows += bar_row(row);
    table.rows.push_back(std::move(cells));
  }
  return rows + "<p class='legend'>" + legend + "</p>\n" + folded("The numbers", table.markup());
}

}  // namespace gpufeed::html
