// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/writers/layout.h"
#include "ui/model/decide/chart.h"
#include "ui/model/show/epochs.h"
#include "ui/model/show/time_kinds.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

constexpr double kZoom = 1.25;

/// Changes what of a stretch is in sight by a factor; what lies at `share` of the width stays.
void zoom(TimelineState& state, const TimelineStretch& stretch, double factor, double share) {
  const double length = stretch.end_s - stretch.start_s;
  const double least = length / 5000;
  const double width = std::clamp((state.to_s - state.from_s) / factor, least, length);
  const double still = state.from_s + share * (state.to_s - state.from_s);
  state.from_s = still - share * width;
  state.to_s = state.from_s + width;
}

/// Nothing before its begin and after its end is shown.
void keep_inside(TimelineState& state, const TimelineStretch& stretch) {
  const double width = std::min(state.to_s - state.from_s, stretch.end_s - stretch.start_s);
  state.from_s = std::clamp(state.from_s, stretch.start_s, stretch.end_s - width);
  state.to_s = state.from_s + width;
}

void show_all(TimelineState& state, const TimelineStretch& stretch) {
  state.from_s = stretch.start_s;
  state.to_s = stretch.end_s;
}

/// Bars of every GPU over a time axis.
class Lanes {
 public:
  Lanes(Screen& screen, const TimelineStretch& stretch)
      : screen_(screen), stretch_(stretch), state_(screen.view.timeline) {
    at_ = ImGui::GetCursorScreenPos();
    room_ = ImGui::GetContentRegionAvail();
    for (const TimelineGpu& gpu : stretch.gpus)
      names_ = std::max(names_, ImGui::CalcTextSize(name_of(gpu).c_str()).x);
    names_ = std::min(names_, screen.px(150)) + screen.px(10);
    axis_ = ImGui::GetTextLineHeightWithSpacing() + screen.px(6);
    const float least = std::max(screen.px(20), ImGui::GetTextLineHeight() + screen.px(4));
    const auto rows = static_cast<float>(std::max<std::size_t>(stretch.gpus.size(), 1));
    row_ = std::clamp((room_.y - axis_) / rows, least, 2 * least);
  }

  void draw() {
    ImGui::BeginChild("lanes", {room_.x, room_.y - axis_}, false,
                      ImGuiWindowFlags_NoScrollWithMouse);
    width_ = ImGui::GetContentRegionAvail().x - names_;
    if (width_ < screen_.px(40)) return ImGui::EndChild();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = row_ * static_cast<float>(stretch_.gpus.size());
    left_ = start.x + names_;
    ImGui::InvisibleButton("time", {names_ + width_, std::max(height, screen_.px(20))});
    note(screen_, "time line");
    handle_mouse();
    const ImVec2 clip_from = ImGui::GetWindowPos();
    const float clip_to = clip_from.y + ImGui::GetWindowSize().y;
    for (std::size_t g = 0; g < stretch_.gpus.size(); ++g) {
      const float y = start.y + row_ * static_cast<float>(g);
      if (y + row_ >= clip_from.y && y <= clip_to) draw_gpu(stretch_.gpus[g], y);
    }
    ImGui::EndChild();
    draw_axis(std::min(at_.y + room_.y - axis_, start.y + height));
  }

 private:
  static std::string name_of(const TimelineGpu& gpu) {
    return gpu.count > 1 ? fmt::format("{} (× {})", gpu.gpu, gpu.count) : gpu.gpu;
  }

  /// Where text begins in the middle of the row at `y`.
  float text_in(float y) const { return y + (row_ - ImGui::GetTextLineHeight()) / 2; }

  float x_of(double time_s) const {
    return left_ +
           static_cast<float>((time_s - state_.from_s) / (state_.to_s - state_.from_s)) * width_;
  }

  void handle_mouse() {
    const ImGuiIO& io = ImGui::GetIO();
    const double share =
        std::clamp(static_cast<double>((io.MousePos.x - left_) / width_), 0.0, 1.0);
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
      if (io.KeyShift)
        ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * 3 * row_);
      else
        zoom(state_, stretch_, io.MouseWheel > 0 ? kZoom : 1 / kZoom, share);
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
      const double moved = -static_cast<double>(io.MouseDelta.x / width_);
      const double shift = moved * (state_.to_s - state_.from_s);
      state_.from_s += shift;
      state_.to_s += shift;
      ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseDelta.y);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
      show_all(state_, stretch_);
    keep_inside(state_, stretch_);
  }

  void draw_gpu(const TimelineGpu& gpu, float y) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool here = ImGui::IsItemHovered() && mouse.y >= y && mouse.y < y + row_;
    draw.AddText(
        {left_ - names_, text_in(y)}, packed(screen_.colors().dim),
        clipped_to(name_of(gpu), names_ - screen_.px(8), ImGui::GetFont(), ImGui::GetFontSize())
            .c_str());
    draw.PushClipRect({left_, y}, {left_ + width_, y + row_}, true);
    for (const Interval& bar : gpu.intervals) {
      const TimeKind* const kind = time_kind(bar.kind);
      if (!kind || bar.end_s <= state_.from_s || bar.start_s >= state_.to_s) continue;
      const float from = std::max(x_of(bar.start_s), left_);
      const float to = std::min(x_of(bar.end_s), left_ + width_);
      draw.AddRectFilled({from, y + screen_.px(2)},
                         {std::max(to, from + 0.5F), y + row_ - screen_.px(2)},
                         packed(share_color(kind->color)));
      label(*kind, bar, from, to, y);
      if (here && mouse.x >= from && mouse.x < to) explain(gpu, *kind, bar);
    }
    draw.PopClipRect();
  }

  /// The number of the step on the bar that computes it, where it has room.
  void label(const TimeKind& kind, const Interval& bar, float from, float to, float y) const {
    if (kind.key != "compute") return;
    const std::string words = fmt::format("{}", bar.step);
    const float width = ImGui::CalcTextSize(words.c_str()).x;
    if (to - from > width + screen_.px(6))
      ImGui::GetWindowDrawList()->AddText({(from + to - width) / 2, text_in(y)}, IM_COL32_WHITE,
                                          words.c_str());
  }

  void explain(const TimelineGpu& gpu, const TimeKind& kind, const Interval& bar) const {
    wrapped_tooltip(
        screen_, fmt::format("{}, step {}: {}, {}\nfrom {} to {} after the epoch began\n{}",
                             name_of(gpu), bar.step, kind.words, time_text(bar.end_s - bar.start_s),
                             time_text(bar.start_s), time_text(bar.end_s, bar.start_s), kind.help));
  }

  void draw_axis(float y) const {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const double width = state_.to_s - state_.from_s;
    const auto ticks = ticks_to(width, 6);
    draw.AddLine({left_, y}, {left_ + width_, y}, packed(screen_.colors().line));
    for (const double tick : ticks) {
      if (tick > width) break;
      const float x = x_of(state_.from_s + tick);
      draw.AddLine({x, y}, {x, y + screen_.px(4)}, packed(screen_.colors().dim));
      const std::string words = tick == 0 ? "0 s" : "+" + time_text(tick, width);
      const float half = ImGui::CalcTextSize(words.c_str()).x / 2;
      if (x + half < left_ + width_)
        draw.AddText({x - half, y + screen_.px(4)}, packed(screen_.colors().dim), words.c_str());
    }
  }

  Screen& screen_;
  const TimelineStretch& stretch_;
  TimelineState& state_;
  ImVec2 at_{}, room_{};
  float names_ = 0, axis_ = 0, row_ = 0, left_ = 0, width_ = 0;
};

void draw_head(Screen& screen, const Result& result) {
  TimelineState& state = screen.view.timeline;
  ImGui::SetNextItemWidth(screen.px(260));
  const bool open = ImGui::BeginCombo("##stretch", result.timeline[state.stretch].name.c_str());
  note(screen, "Which steps");
  if (open) {
    for (std::size_t i = 0; i < result.timeline.size(); ++i)
      if (list_item(screen, result.timeline[i].name, i == state.stretch)) {
        state.stretch = i;
        show_all(state, result.timeline[i]);
      }
    ImGui::EndCombo();
  }
  const TimelineStretch& stretch = result.timeline[state.stretch];
  constexpr double kMiddle = 0.5;
  ImGui::SameLine();
  if (button(screen, "Zoom in")) zoom(state, stretch, kZoom, kMiddle);
  ImGui::SameLine();
  if (button(screen, "Zoom out")) zoom(state, stretch, 1 / kZoom, kMiddle);
  ImGui::SameLine();
  if (button(screen, "All")) show_all(state, stretch);
  keep_inside(state, stretch);
  tooltip(screen,
          "All of these steps (double click). Wheel: zoom; Shift and wheel: other GPUs; "
          "drag: pan.");
  const std::string where =
      fmt::format("steps {} to {}, {}; numbers on the bars: which step", stretch.first_step,
                  stretch.first_step + stretch.steps - 1,
                  state.from_s > 0 ? "from " + time_text(state.from_s) + " after the epoch began"
                                   : "as the epoch begins");
  ImGui::SameLine(0, screen.px(14));
  if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(where.c_str()).x) ImGui::NewLine();
  clipped_text(screen, where, true);
}

/// The kinds that these steps have, with their share of what is in sight.
void draw_legend(const Screen& screen, const TimelineStretch& stretch) {
  const TimelineState& state = screen.view.timeline;
  std::array<double, kTimeKinds.size()> spent{};
  double all = 0;
  for (const TimelineGpu& gpu : stretch.gpus)
    for (const Interval& bar : gpu.intervals) {
      const TimeKind* const kind = time_kind(bar.kind);
      const double time = std::min(bar.end_s, state.to_s) - std::max(bar.start_s, state.from_s);
      if (!kind || time <= 0) continue;
      spent[static_cast<std::size_t>(kind - kTimeKinds.data())] +=
          time * static_cast<double>(gpu.count);
      all += time * static_cast<double>(gpu.count);
    }
  bool first = true;
  for (std::size_t i = 0; i < kTimeKinds.size(); ++i) {
    if (spent[i] <= 0) continue;
    const TimeKind& kind = kTimeKinds[i];
    legend_entry(screen, fmt::format("{} {}", kind.words, percent(spent[i] / all)),
                 share_color(kind.color), first);
    first = false;
    tooltip(screen, std::string(kind.help) + " The share: of what is in sight.");
  }
}

void draw_epochs(const Screen& screen, const Result& result, ImVec2 size) {
  begin_panel(screen, "epochs", "First epoch against later ones", size);
  ImGui::SameLine(0, screen.px(14));
  clipped_text(screen, epochs_in_words(result), true);
  const auto rows = epoch_rows(result);
  if (!rows.empty() && ImGui::BeginTable("epochs", 3, ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupColumn("");
    ImGui::TableSetupColumn("First epoch");
    ImGui::TableSetupColumn("Each later one");
    ImGui::TableHeadersRow();
    for (const EpochRow& row : rows) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(row.name.c_str());
      tooltip(screen, row.help);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(row.first.c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(row.later.c_str());
    }
    ImGui::EndTable();
  }
  end_panel();
}

}  // namespace

void draw_timeline(Screen& screen, const Result& result, ImVec2 size) {
  TimelineState& state = screen.view.timeline;
  const float epochs = std::min(screen.px(200), size.y * 0.4F);
  begin_panel(screen, "timeline", "", {size.x, size.y - epochs - ImGui::GetStyle().ItemSpacing.y});
  if (result.timeline.empty()) {
    dim_text(screen, "This work has no steps of GPUs to show.");
  } else {
    if (state.stretch >= result.timeline.size()) state.stretch = 0;
    const bool fresh = state.of != &result;
    state.of = &result;
    if (fresh) show_all(state, result.timeline[state.stretch]);
    draw_head(screen, result);
    draw_legend(screen, result.timeline[state.stretch]);
    Lanes(screen, result.timeline[state.stretch]).draw();
  }
  end_panel();
  draw_epochs(screen, result, {size.x, epochs});
}

}  // namespace gpufeed::ui
