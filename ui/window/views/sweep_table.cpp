// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/writers/key_words.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/terms.h"
#include "ui/model/build/words.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/sweep_parts.h"

namespace gpufeed::ui {
namespace {

/// Those that a buyer asks for first.
bool is_column(const Figure& figure) {
  const std::string_view name = figure.name;
  return name == term::kJobRate || name == term::kGpuUtilization || name == "Time to result" ||
         name == "Price";
}

void draw_row(Screen& screen, std::size_t point) {
  const SweepJob& job = screen.sweeper.job();
  const SweptPoint& swept = screen.sweeper.points()[point];
  const auto at = job.at(point);
  ImGui::TableNextRow();
  ImGui::PushID(static_cast<int>(point));
  for (std::size_t i = 0; i < job.axes.size(); ++i) {
    ImGui::TableNextColumn();
    const std::string words = without_quotes(job.axes[i].values[at[i]]);
    if (i > 0) {
      ImGui::TextUnformatted(words.c_str());
      continue;
    }
    if (ImGui::Selectable((words + "##row").c_str(), false, ImGuiSelectableFlags_SpanAllColumns) &&
        swept.result)
      load_point(screen, point);
    note(screen, fmt::format("row {}", point));
    tooltip(screen, words_of_point(screen, point, figures()[screen.view.sweep.figure]));
  }
  for (const Figure& figure : figures()) {
    if (!is_column(figure)) continue;
    ImGui::TableNextColumn();
    if (swept.result)
      ImGui::TextUnformatted(figure.text(*swept.result).c_str());
    else
      dim_text(screen, "–");
  }
  ImGui::TableNextColumn();
  if (swept.result)
    ImGui::TextUnformatted(in_words(swept.result->bottleneck.resource).c_str());
  else
    dim_text(screen,
             swept.state == SweptPoint::State::waiting ? "waits" : first_sentence(swept.problems));
  ImGui::PopID();
}

}  // namespace

void draw_sweep_table(Screen& screen, ImVec2 size) {
  const SweepJob& job = screen.sweeper.job();
  begin_panel(screen, "sweep table", "", size);
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH |
                     ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                     ImGuiTableFlags_SizingFixedFit;
  const int columns = static_cast<int>(job.axes.size()) + 5;
  if (ImGui::BeginTable("points", columns, flags)) {
    for (std::size_t axis = 0; axis < job.axes.size(); ++axis)
      ImGui::TableSetupColumn(key_as_title(job.axes[axis].parameter.path).c_str());
    for (const Figure& figure : figures())
      if (is_column(figure)) ImGui::TableSetupColumn(figure.name);
    ImGui::TableSetupColumn("Bottleneck");
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    for (std::size_t point = 0; point < screen.sweeper.points().size(); ++point)
      draw_row(screen, point);
    ImGui::EndTable();
  }
  end_panel();
}

}  // namespace gpufeed::ui
