// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/report.h"

#include <utility>

#include "reports/html/cluster_page.h"
#include "reports/html/engine_page.h"
#include "reports/html/result_page.h"
#include "sim/base/today.h"

namespace gpufeed::ui {
namespace {

std::string command_of(bool saved, const std::filesystem::path& file, const Sources& sources) {
  return saved ? command_line("simulate", file, sources)
               : command_line("ui", file, sources) + "  # with changes that are not saved";
}

}  // namespace

std::string report_page(const Result& result, const Picture& picture,
                        std::vector<WhatIfRow> changes, bool saved,
                        const std::filesystem::path& file, const Sources& sources) {
  return html::to_html(
      {{result, picture, {}, {}, std::move(changes)}},
      {result.title, command_of(saved, file, sources), result.version, {}, date_text(today())});
}

std::string report_page(const serving::Answer& answer, bool saved,
                        const std::filesystem::path& file, const Sources& sources) {
  return html::to_html(answer, {answer.title.empty() ? "Serving " + answer.model : answer.title,
                                command_of(saved, file, sources),
                                PROJECT_VERSION,
                                {},
                                date_text(today())});
}

std::string report_page(const cluster::Answer& answer, bool saved,
                        const std::filesystem::path& file, const Sources& sources) {
  return html::to_html(answer, {answer.title.empty() ? "A shared cluster" : answer.title,
                                command_of(saved, file, sources),
                                PROJECT_VERSION,
                                {},
                                date_text(today())});
}

}  // namespace gpufeed::ui
