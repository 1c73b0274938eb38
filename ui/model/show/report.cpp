// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/report.h"

#include "reports/html/result_page.h"

namespace gpufeed::ui {

std::string report_page(const Result& result, const Picture& picture, const std::string& file,
                        bool saved) {
  return html::to_html({{result, picture}},
                       {result.title,
                        saved ? "gpufeed simulate " + file
                              : "gpufeed ui " + file + "  # with changes that are not saved",
                        result.version});
}

}  // namespace gpufeed::ui
