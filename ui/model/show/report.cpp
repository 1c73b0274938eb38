// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/report.h"

#include <utility>

#include "reports/html/result_page.h"
#include "sim/base/today.h"

namespace gpufeed::ui {

std::string report_page(const Result& result, const Picture& picture,
                        std::vector<WhatIfRow> changes, bool saved,
                        const std::filesystem::path& file, const Sources& sources) {
  return html::to_html(
      {{result, picture, {}, {}, std::move(changes)}},
      {result.title,
       saved ? command_line("simulate", file, sources)
             : command_line("ui", file, sources) + "  # with changes that are not saved",
       result.version,
       {},
       date_text(today())});
}

}  // namespace gpufeed::ui
