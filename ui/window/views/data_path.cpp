// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/base/units.h"
#include "sim/model/scenario.h"
#include "ui/model/show/data_way.h"
#include "ui/model/show/gpu_places.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

/// With a capital letter.
std::string capital(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') words.front() -= 'a' - 'A';
  return words;
}

/// Stations side by side, in as many rows as they take, and an arrow from each to the next.
class Way {
 public:
  Way(Screen& screen, const std::vector<WayStation>& stations)
      : screen_(screen), stations_(stations) {
    at_ = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    gap_ = screen.px(26);
    const float least = screen.px(168);
    const auto count = static_cast<float>(std::max<std::size_t>(stations.size(), 1));
    const float fitting = std::max(1.0F, std::floor((room + gap_) / (least + gap_)));
    const float rows = std::ceil(count / fitting);
    per_row_ = static_cast<std::size_t>(std::ceil(count / rows));
    width_ = (room + gap_) / static_cast<float>(per_row_) - gap_;
    step_ = ImGui::GetTextLineHeight() + screen.px(3);
    height_ = 6 * step_ + screen.px(16);
  }

  void draw() {
    for (std::size_t i = 0; i < stations_.size(); ++i) draw_station(i);
    const std::size_t full_rows = (stations_.size() + per_row_ - 1) / per_row_;
    const auto rows = static_cast<float>(full_rows);
    ImGui::SetCursorScreenPos(at_);
    ImGui::Dummy({1, rows * (height_ + gap_) - gap_});
  }

 private:
  ImVec2 place_of(std::size_t i) const {
    const std::size_t row = i / per_row_;
    return {at_.x + static_cast<float>(i % per_row_) * (width_ + gap_),
            at_.y + static_cast<float>(row) * (height_ + gap_)};
  }

  void line(ImVec2& at, const std::string& words, const ImVec4& color, ImFont* font) const {
    if (words.empty()) return;
    const float size = font->FontSize;
    ImGui::GetWindowDrawList()->AddText(
        font, size, at, packed(color),
        clipped_to(words, width_ - screen_.px(16), font, size).c_str());
    at.y += step_;
  }

  void draw_arrow(std::size_t i) const {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 at = place_of(i);
    const ImU32 color = packed(screen_.colors().dim);
    const float thick =
        screen_.px(2 + 4 * static_cast<float>(std::clamp(stations_[i].load, 0.0, 1.0)));
    const float head = screen_.px(6);
    const bool turns = i % per_row_ == per_row_ - 1;
    if (turns) {
      const ImVec2 next = place_of(i + 1);
      const float y = at.y + height_ + gap_ / 2;
      const float from = at.x + width_ / 2, to = next.x + width_ / 2;
      draw.AddLine({from, at.y + height_}, {from, y}, color, thick);
      draw.AddLine({from, y}, {to, y}, color, thick);
      draw.AddLine({to, y}, {to, next.y - head}, color, thick);
      draw.AddTriangleFilled({to - head, next.y - head}, {to + head, next.y - head}, {to, next.y},
                             color);
      return;
    }
    const float y = at.y + height_ / 2;
    const float end = at.x + width_ + gap_;
    draw.AddLine({at.x + width_, y}, {end - head, y}, color, thick);
    draw.AddTriangleFilled({end - head, y - head}, {end - head, y + head}, {end, y}, color);
  }

  void draw_station(std::size_t i) {
    const WayStation& station = stations_[i];
    const Palette& colors = screen_.colors();
    const ImVec2 at = place_of(i);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width_, at.y + height_};
    draw.AddRectFilled(at, end, packed(colors.field), screen_.px(5));
    draw.AddRect(at, end, packed(station.holds ? colors.poor : colors.line), screen_.px(5), 0,
                 screen_.px(station.holds ? 2.5F : 1));
    ImVec2 pen{at.x + screen_.px(8), at.y + screen_.px(6)};
    ImFont* const normal = ImGui::GetFont();
    line(pen, (station.holds ? "▶ " : "") + capital(station.name), colors.text,
         screen_.fonts.strong);
    const std::string most = "at most " + text_number(station.capacity_samples_per_s) + " /s";
    line(pen, most, colors.text, normal);
    draw_load(pen, station.load);
    const std::string rate =
        station.rate_Bps > 0 ? text(Bandwidth{station.rate_Bps}, 3) + " now" : "";
    line(pen, rate, colors.text, normal);
    line(pen, station.limit, colors.dim, normal);
    line(pen, station.copies, colors.dim, normal);
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(station.name.c_str(), {width_, height_});
    note(screen_, "station " + station.name);
    std::string words =
        fmt::format("{}: {}, {} of it in use", capital(station.name), most, percent(station.load));
    if (!rate.empty()) words += "\nSamples pass at " + text(Bandwidth{station.rate_Bps}, 3);
    if (!station.limit.empty()) words += "\nLimited by " + station.limit;
    if (!station.copies.empty()) words += "\n" + capital(station.copies);
    tooltip(screen_, words);
    if (i + 1 < stations_.size()) draw_arrow(i);
  }

  void draw_load(ImVec2& at, double load) const {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const std::string words = percent(load);
    const float room = width_ - screen_.px(16);
    const float bar = room - screen_.px(62);
    const float high = ImGui::GetTextLineHeight();
    draw.AddRectFilled({at.x, at.y + high * 0.2F}, {at.x + bar, at.y + high * 0.9F},
                       packed(screen_.colors().panel), screen_.px(3));
    const float part = static_cast<float>(std::clamp(load, 0.0, 1.0)) * bar;
    draw.AddRectFilled({at.x, at.y + high * 0.2F},
                       {at.x + std::max(screen_.px(2), part), at.y + high * 0.9F},
                       packed(load_color(load, screen_.colors())), screen_.px(3));
    draw.AddText({at.x + bar + screen_.px(6), at.y}, packed(screen_.colors().text), words.c_str());
    at.y += step_;
  }

  Screen& screen_;
  const std::vector<WayStation>& stations_;
  ImVec2 at_{};
  std::size_t per_row_ = 1;
  float width_ = 0, height_ = 0, gap_ = 0, step_ = 0;
};

/// "replica 1, part 2 of the matrices, stage 3".
std::string words_of_place(const GpuPlaces& places, std::size_t rank) {
  const GpuPlace& place = places.gpus[rank];
  std::string words = fmt::format("GPU {} of machine {}: replica {} of {}",
                                  rank % static_cast<std::size_t>(places.of_node) + 1,
                                  place.node + 1, place.replica + 1, places.replicas);
  if (places.tensor > 1)
    words += fmt::format(", part {} of {} of every matrix", place.tensor + 1, places.tensor);
  if (places.stages > 1) words += fmt::format(", stage {} of {}", place.stage + 1, places.stages);
  return words;
}

/// "R1 S2 T1": what differs between its GPUs, from 1.
std::string short_place(const GpuPlaces& places, const GpuPlace& place) {
  std::string words = fmt::format("R{}", place.replica + 1);
  if (places.stages > 1) words += fmt::format(" S{}", place.stage + 1);
  if (places.tensor > 1) words += fmt::format(" T{}", place.tensor + 1);
  return words;
}

/// A machine a row, a GPU a box, colored by its stage, or else its replica; those that share every
/// matrix stand close together.
void draw_boxes(Screen& screen, const GpuPlaces& places) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto of_node = static_cast<std::size_t>(places.of_node);
  const std::size_t nodes = places.gpus.size() / of_node;
  const float label = ImGui::CalcTextSize("machine 0000").x + screen.px(8);
  const float room = ImGui::GetContentRegionAvail().x - label;
  const float cell = std::min(room / static_cast<float>(of_node), screen.px(130));
  const float high = ImGui::GetTextLineHeight() + screen.px(8);
  const float step = high + screen.px(6);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (std::size_t node = 0; node < nodes; ++node) {
    const ImVec2 row{at.x, at.y + static_cast<float>(node) * step};
    if (!ImGui::IsRectVisible(row, {row.x + label + room, row.y + high})) continue;
    draw.AddText({row.x, row.y + screen.px(4)}, packed(screen.colors().dim),
                 fmt::format("machine {}", node + 1).c_str());
    for (std::size_t i = 0; i < of_node; ++i) {
      const std::size_t rank = node * of_node + i;
      const GpuPlace& place = places.gpus[rank];
      const bool last_of_group = place.tensor + 1 == places.tensor;
      const ImVec2 from{row.x + label + static_cast<float>(i) * cell, row.y};
      const ImVec2 end{from.x + cell - screen.px(last_of_group ? 7 : 1), from.y + high};
      const auto color =
          static_cast<std::size_t>(places.stages > 1 ? place.stage : place.replica) % 8;
      draw.AddRectFilled(from, end, packed(share_color(color), 0.35F), screen.px(3));
      draw.AddRect(from, end, packed(share_color(color)), screen.px(3));
      const std::string words =
          clipped_to(short_place(places, place), end.x - from.x - screen.px(6), ImGui::GetFont(),
                     ImGui::GetFontSize());
      draw.AddText({from.x + screen.px(4), from.y + screen.px(4)}, packed(screen.colors().text),
                   words.c_str());
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, end))
        wrapped_tooltip(screen, words_of_place(places, rank));
    }
  }
  ImGui::Dummy({label + room, static_cast<float>(nodes) * step});
  note(screen, "GPUs of the model");
}

void draw_places(Screen& screen, const GpuPlaces& places) {
  ImGui::Spacing();
  strong_text(screen, "How the model lies over the GPUs");
  if (places.groups.empty())
    wrapped_text("Every GPU holds the whole model, and there is one of it.");
  for (const std::string& group : places.groups) {
    ImGui::Bullet();
    wrapped_text(group);
  }
  ImGui::PushTextWrapPos(0);
  dim_text(screen, fmt::format("R: replica{}{}. Colors are those of {}.",
                               places.stages > 1 ? ", S: stage" : "",
                               places.tensor > 1 ? ", T: part of every matrix" : "",
                               places.stages > 1 ? "stages" : "replicas"));
  ImGui::PopTextWrapPos();
  draw_boxes(screen, places);
}

}  // namespace

void draw_path(Screen& screen, const Result& result, ImVec2 size) {
  const Scenario& scenario = *screen.session.answered();
  begin_panel(screen, "data path", "From where the data lie to the GPUs", size);
  const auto stations = data_way(result, scenario);
  if (stations.empty()) {
    wrapped_text("This work trains nothing on stored data: no samples travel.");
  } else {
    ImGui::PushTextWrapPos(0);
    dim_text(screen, fmt::format("Now {} samples/s of {}. ▶ is the bottleneck. {}",
                                 text_number(result.throughput_samples_per_s),
                                 text(scenario.workload.dataset()->sample_size, 3),
                                 copies_in_words(scenario)));
    ImGui::PopTextWrapPos();
    ImGui::Spacing();
    Way(screen, stations).draw();
  }
  if (const GpuPlaces places = gpu_places(result, scenario); !places.gpus.empty())
    draw_places(screen, places);
  end_panel();
}

}  // namespace gpufeed::ui
