// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reports/picture/paths.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

/// Of a point from the line between two others.
float distance(ImVec2 a, ImVec2 b, ImVec2 p) {
  const ImVec2 along{b.x - a.x, b.y - a.y};
  const float length = along.x * along.x + along.y * along.y;
  const float dot = (p.x - a.x) * along.x + (p.y - a.y) * along.y;
  const float t = length > 0 ? std::clamp(dot / length, 0.0F, 1.0F) : 0;
  return std::hypot(a.x + t * along.x - p.x, a.y + t * along.y - p.y);
}

/// Draws the picture as a camera sees it.
class Canvas {
 public:
  Canvas(Screen& screen, ImVec2 at, ImVec2 size)
      : screen_(screen), picture_(screen.view.picture), at_(at), size_(size) {}

  void draw() {
    look_around();
    place();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.PushClipRect(at_, {at_.x + size_.x, at_.y + size_.y}, true);
    for (const Wire& wire : picture_.wires) draw_wire(draw, wire);
    for (const Wire& wire : picture_.wires) draw_wire_label(draw, wire);
    for (const Box& box : picture_.boxes) draw_box(draw, box);
    draw.PopClipRect();
    explain();
  }

 private:
  Camera& camera() { return screen_.view.camera; }

  /// Wheel: nearer or farther; drag: pan; double click: all of it again.
  void look_around() {
    ImGui::InvisibleButton("canvas", size_, ImGuiButtonFlags_MouseButtonLeft);
    const ImGuiIO& io = ImGui::GetIO();
    hovered_ = ImGui::IsItemHovered();
    if (hovered_ && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) camera().fits = true;
    fit_if_wanted();
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
      camera().fits = false;
      camera().shift.x += io.MouseDelta.x;
      camera().shift.y += io.MouseDelta.y;
    }
    if (hovered_ && io.MouseWheel != 0) {
      const float factor = std::pow(1.15F, io.MouseWheel);
      const float zoom = std::clamp(camera().zoom * factor, 0.15F, 6.0F);
      const ImVec2 mouse{io.MousePos.x - at_.x, io.MousePos.y - at_.y};
      camera().shift = {mouse.x - (mouse.x - camera().shift.x) * zoom / camera().zoom,
                        mouse.y - (mouse.y - camera().shift.y) * zoom / camera().zoom};
      camera().zoom = zoom;
      camera().fits = false;
    }
  }

  void fit_if_wanted() {
    if (!camera().fits || picture_.width <= 0) return;
    const float margin = screen_.px(14);
    camera().zoom = std::min({(size_.x - 2 * margin) / picture_.width,
                              (size_.y - 2 * margin) / picture_.height, screen_.px(1.35F)});
    camera().shift = {(size_.x - picture_.width * camera().zoom) / 2,
                      (size_.y - picture_.height * camera().zoom) / 2};
  }

  void place() {
    zoom_ = camera().zoom;
    shift_ = {at_.x + camera().shift.x, at_.y + camera().shift.y};
  }
  ImVec2 to_screen(float x, float y) const { return {shift_.x + x * zoom_, shift_.y + y * zoom_}; }

  std::vector<ImVec2> path_of(const Wire& wire) const {
    std::vector<ImVec2> path;
    for (const Point& point : path_of_link(picture_, wire))
      path.push_back(to_screen(point.x, point.y));
    return path;
  }

  float thickness(const Wire& wire) const {
    if (wire.rate_Bps <= 0 || picture_.most_Bps <= 0) return std::max(1.0F, 1.2F * zoom_);
    const double share = std::sqrt(wire.rate_Bps / picture_.most_Bps);
    return std::max(1.5F, zoom_ * static_cast<float>(2 + 7 * share));
  }

  void draw_wire(ImDrawList& draw, const Wire& wire) const {
    const std::vector<ImVec2> path = path_of(wire);
    const Palette& colors = screen_.colors();
    const bool used = wire.rate_Bps > 0;
    draw.AddPolyline(path.data(), static_cast<int>(path.size()),
                     used ? packed(load_color(wire.load, colors)) : packed(colors.dim, 0.45F), 0,
                     thickness(wire));
  }

  /// Loads of a percent and more are told; hardly used links would hide the picture.
  void draw_wire_label(ImDrawList& draw, const Wire& wire) const {
    constexpr double kWorthSaying = 0.01;
    const Box& end = picture_.boxes[wire.to];
    // Where every GPU has a link to every other, labels would lie on one another.
    const bool many = wire.kind == "nvlink" && end.kind == "gpu";
    if (wire.load < kWorthSaying || many) return;
    ImFont* const font = screen_.fonts.normal;
    const float size = std::clamp(12 * zoom_, screen_.px(10), screen_.px(15));
    if (12 * zoom_ < screen_.px(6)) return;
    const std::string words = percent(wire.load);
    const ImVec2 room = font->CalcTextSizeA(size, FLT_MAX, 0, words.c_str());
    const Point place = label_of_link(picture_, wire);
    const ImVec2 at = to_screen(place.x, place.y);
    const ImVec2 from{at.x - room.x / 2, at.y - room.y / 2};
    draw_chip(draw, from, room);
    draw.AddText(font, size, from, packed(screen_.colors().text), words.c_str());
  }

  ImVec4 color_of(const Box& box) const {
    const Palette& colors = screen_.colors();
    if (!box.load || *box.load <= 0) return colors.line;
    return box.kind == "gpu" ? share_color(0) : load_color(*box.load, colors);
  }

  void draw_box(ImDrawList& draw, const Box& box) const {
    const Palette& colors = screen_.colors();
    const ImVec2 from = to_screen(box.x, box.y);
    const ImVec2 to = to_screen(box.x + box.w, box.y + box.h);
    const float round = 5 * zoom_;
    const bool selected = std::ranges::count(box.ids, screen_.view.selected) > 0;
    draw.AddRectFilled(from, to, packed(colors.panel), round);
    draw.AddRectFilled(from, to, packed(colors.field, 0.75F), round);
    if (box.load && *box.load > 0) {
      const float width = (to.x - from.x) * static_cast<float>(std::min(1.0, *box.load));
      draw.AddRectFilled({from.x, to.y - std::max(3.0F, 4 * zoom_)}, {from.x + width, to.y},
                         packed(color_of(box)), round / 2);
    }
    draw.AddRect(from, to, packed(selected ? colors.accent : color_of(box)), round, 0,
                 selected ? 3.0F : 1.5F);
    draw_words(draw, box, from, to);
  }

  /// From so far away a box has room for its name alone, in letters that can still be read.
  void draw_name(ImDrawList& draw, const Box& box, ImVec2 from, ImVec2 to) const {
    ImFont* const font = screen_.fonts.normal;
    const float size = screen_.px(11);
    const std::string name =
        clipped_to(box.ids.size() > 1 ? box.kind : box.name, to.x - from.x + 2, font, size);
    const ImVec2 room = font->CalcTextSizeA(size, FLT_MAX, 0, name.c_str());
    draw.AddText(font, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2},
                 packed(screen_.colors().text), name.c_str());
  }

  void draw_words(ImDrawList& draw, const Box& box, ImVec2 from, ImVec2 to) const {
    const Palette& colors = screen_.colors();
    const float inset = 6 * zoom_;
    const float room = to.x - from.x - 2 * inset;
    const float size = std::max(14.5F * zoom_, screen_.px(11));
    const float title_size = std::max(12.5F * zoom_, screen_.px(10));
    if (14.5F * zoom_ < screen_.px(8) || to.y - from.y < size)
      return draw_name(draw, box, from, to);
    const float title_down = std::max(from.y + 23 * zoom_, from.y + 2 * zoom_ + size);
    const bool low = title_down + title_size > to.y;
    const std::string load = box.load ? percent(*box.load) : "";
    const float load_size = std::max(12 * zoom_, screen_.px(10));
    const float load_width =
        screen_.fonts.normal->CalcTextSizeA(load_size, FLT_MAX, 0, load.c_str()).x;
    if (!load.empty()) draw_load(draw, load, load_size, {to.x - inset - load_width, from.y});
    const auto line = [&](const std::string& words, ImFont* font, float text_size, float top,
                          const ImVec4& color) {
      draw.AddText(font, text_size, {from.x + inset, top}, packed(color),
                   title_to(words, room, font, text_size).c_str());
    };
    const std::string head =
        (box.ids.size() > 1 ? fmt::format("{} × ", box.ids.size()) : "") + box.name;
    line(low ? head + "   " + box.title : head, screen_.fonts.strong, size,
         low ? (from.y + to.y - size) / 2 : from.y + 2 * zoom_, colors.text);
    if (!low) line(box.title, screen_.fonts.normal, title_size, title_down, colors.dim);
  }

  /// On the box's upper edge, as loads of links stand on these.
  void draw_load(ImDrawList& draw, const std::string& load, float size, ImVec2 from) const {
    const ImVec2 room = screen_.fonts.normal->CalcTextSizeA(size, FLT_MAX, 0, load.c_str());
    from.y -= 0.6F * room.y;
    draw_chip(draw, from, room);
    draw.AddText(screen_.fonts.normal, size, from, packed(screen_.colors().text), load.c_str());
  }

  void draw_chip(ImDrawList& draw, ImVec2 from, ImVec2 room) const {
    draw.AddRectFilled({from.x - 3, from.y - 1}, {from.x + room.x + 3, from.y + room.y + 1},
                       packed(screen_.colors().chip), screen_.px(3));
  }

  const Box* box_at(ImVec2 mouse) const {
    for (const Box& box : picture_.boxes) {
      const ImVec2 from = to_screen(box.x, box.y);
      const ImVec2 to = to_screen(box.x + box.w, box.y + box.h);
      if (mouse.x >= from.x && mouse.x < to.x && mouse.y >= from.y && mouse.y < to.y) return &box;
    }
    return nullptr;
  }

  const Wire* wire_at(ImVec2 mouse) const {
    const Wire* nearest = nullptr;
    float least = screen_.px(7);
    for (const Wire& wire : picture_.wires) {
      const std::vector<ImVec2> path = path_of(wire);
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const float far = distance(path[i], path[i + 1], mouse);
        if (far < least) least = far, nearest = &wire;
      }
    }
    return nearest;
  }

  void explain() {
    if (!hovered_) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (const Box* box = box_at(mouse)) {
      wrapped_tooltip(screen_, words_of(*box));
      const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
      const bool still = moved.x == 0 && moved.y == 0;
      if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && still) {
        screen_.view.selected = box->ids.front();
        screen_.view.show_selected = true;
      }
    } else if (const Wire* wire = wire_at(mouse)) {
      wrapped_tooltip(screen_, words_of(*wire));
    }
  }

  static std::string words_of(const Box& box) {
    std::string out = box.name + ": " + box.title;
    if (box.load) out += fmt::format("\n{} of {}", percent(*box.load), box.load_of);
    return out + "\nClick to select it among the parts.";
  }

  std::string words_of(const Wire& wire) const {
    std::string out = fmt::format("{} – {} ({})", picture_.boxes[wire.from].name,
                                  picture_.boxes[wire.to].name, wire.kind);
    if (wire.rate_Bps <= 0) return out + "\nnothing travels here";
    out += fmt::format("\n{} of {} of {}", percent(wire.load),
                       text(Bandwidth{wire.capacity_Bps}, 3), wire.resource);
    out += fmt::format("\ncarries {} in one direction", text(Bandwidth{wire.rate_Bps}, 3));
    if (!wire.source.empty()) out += fmt::format("\nFrom: {} ({})", wire.source, wire.basis);
    return out;
  }

  Screen& screen_;
  const Picture& picture_;
  ImVec2 at_, size_;
  float zoom_ = 1;
  ImVec2 shift_{};
  bool hovered_ = false;
};

/// What colors and widths mean, and the button that shows all: in as many lines as it takes.
void draw_head(Screen& screen) {
  strong_text(screen, "The machine");
  const char* const kAll = "Fit all";
  const float width = ImGui::CalcTextSize(kAll).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  ImGui::BeginDisabled(screen.view.camera.fits);
  if (ImGui::SmallButton(kAll)) screen.view.camera.fits = true;
  ImGui::EndDisabled();
  tooltip(screen, "Show the whole machine (double click). Drag: pan; wheel: zoom.");
  legend_entry(screen, "load below 50 %", load_color(0.1, screen.colors()), true);
  legend_entry(screen, "50 to 85 %", load_color(0.6, screen.colors()), false);
  legend_entry(screen, "above 85 %", load_color(0.9, screen.colors()), false);
  legend_entry(screen, "GPU computes", share_color(0), false);
  legend_entry(screen, "not used", screen.colors().line, false);
  const char* const kWidth = "the wider a link, the more bytes a second";
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + screen.px(16) + ImGui::CalcTextSize(kWidth).x < right)
    ImGui::SameLine(0, screen.px(16));
  dim_text(screen, kWidth);
}

}  // namespace

void draw_topology(Screen& screen, ImVec2 size) {
  ImGui::BeginChild("topology", size, true,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_head(screen);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (screen.view.picture.boxes.empty())
    dim_text(screen, "This machine has no parts to draw.");
  else if (room.x > 1 && room.y > 1)
    Canvas(screen, ImGui::GetCursorScreenPos(), room).draw();
  ImGui::EndChild();
}

}  // namespace gpufeed::ui
