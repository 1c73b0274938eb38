// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/html/markup.h"
#include "reports/html/pictures.h"
#include "reports/picture/paths.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

constexpr float kMargin = 12;
constexpr double kWorthSaying = 0.01;  ///< a load that has a label

/// As much as fits into `width` at a letter's mean width, with the rest in the tooltip.
std::string fitting(const std::string& text, float width, float font_size) {
  constexpr float kLetter = 0.56F;  // of the font's size, sans serif
  const auto letters = static_cast<std::size_t>(std::max(1.0F, width / (kLetter * font_size)));
  if (text.size() <= letters) return text;
  return text.substr(0, letters - 1) + "…";
}

float thickness(const Picture& picture, const Wire& wire) {
  if (wire.rate_Bps <= 0 || picture.most_Bps <= 0) return 1.2F;
  return static_cast<float>(2 + 7 * std::sqrt(wire.rate_Bps / picture.most_Bps));
}

std::string words_of(const Picture& picture, const Wire& wire) {
  std::string out = fmt::format("{} – {} ({})", picture.boxes[wire.from].name,
                                picture.boxes[wire.to].name, wire.kind);
  if (wire.rate_Bps <= 0) return out + ": nothing travels here";
  out += fmt::format(": {} of {} of {}; carries {} in one direction", percent(wire.load),
                     text(Bandwidth{wire.capacity_Bps}, 3), wire.resource,
                     text(Bandwidth{wire.rate_Bps}, 3));
  return wire.source.empty() ? out : out + fmt::format(". From: {} ({})", wire.source, wire.basis);
}

std::string words_of(const Box& box) {
  std::string out = box.name + ": " + box.title;
  return box.load ? out + fmt::format(", {} of {}", percent(*box.load), box.load_of) : out;
}

std::string wire_markup(const Picture& picture, const Wire& wire) {
  std::string points;
  for (const Point& p : path_of_link(picture, wire))
    points += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
  return fmt::format(
      "<polyline class='wire {}' stroke-width='{:.1f}' points='{}'><title>{}</title></polyline>\n",
      wire.rate_Bps > 0 ? load_class(wire.load) : "idle", thickness(picture, wire), points,
      escaped(words_of(picture, wire)));
}

/// \param labels  where those before it lie; one that would lie on another is left out, as the link
///                tells its load when it is pointed at, and so does the table
std::string label_markup(const Picture& picture, const Wire& wire, std::vector<Point>& labels) {
  // Where every GPU has a link to every other, labels would lie on one another.
  const bool many = wire.kind == "nvlink" && picture.boxes[wire.to].kind == "gpu";
  if (wire.load < kWorthSaying || many) return "";
  const std::string words = percent(wire.load);
  const float width = 6.4F * static_cast<float>(words.size()) + 6;
  const Point at = label_of_link(picture, wire);
  constexpr float kHeight = 15;
  for (const Point& other : labels)
    if (std::abs(at.x - other.x) < width && std::abs(at.y - other.y) < kHeight) return "";
  labels.push_back(at);
  return fmt::format(
      "<rect class='chip' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='15' rx='3'/>"
      "<text x='{:.1f}' y='{:.1f}' font-size='11' text-anchor='middle'>{}</text>\n",
      at.x - width / 2, at.y - 8, width, at.x, at.y + 3.5F, escaped(words));
}

std::string box_markup(const Box& box) {
  const bool low = box.h < 40;
  const std::string load = box.load ? percent(*box.load) : "";
  const float inset = 7;
  const float load_width = load.empty() ? 0 : 6.4F * static_cast<float>(load.size()) + 4;
  const std::string count = box.ids.size() > 1 ? fmt::format("{} × ", box.ids.size()) : "";
  const std::string head = count + box.name + (low ? "   " + box.title : "");
  std::string out = fmt::format(
      "<g><title>{}</title><rect class='box' x='{:.1f}' y='{:.1f}' width='{:.1f}' "
      "height='{:.1f}' rx='5'/>",
      escaped(words_of(box)), box.x, box.y, box.w, box.h);
  if (box.load && *box.load > 0)
    out += fmt::format("<rect class='{}' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='5' rx='2'/>",
                       box.kind == "gpu" ? "compute" : load_class(*box.load), box.x,
                       box.y + box.h - 5, box.w * static_cast<float>(std::min(1.0, *box.load)));
  out += fmt::format("<text x='{:.1f}' y='{:.1f}' font-size='13' font-weight='600'>{}</text>",
                     box.x + inset, box.y + 17,
                     escaped(fitting(head, box.w - 2 * inset - load_width, 14)));
  out += fmt::format("<text x='{:.1f}' y='{:.1f}' font-size='11' text-anchor='end'>{}</text>",
                     box.x + box.w - inset, box.y + 17, escaped(load));
  if (!low)
    out += fmt::format("<text class='dim' x='{:.1f}' y='{:.1f}' font-size='10.5'>{}</text>",
                       box.x + inset, box.y + 33,
                       escaped(fitting(box.title, box.w - 2 * inset, 10.5F)));
  return out + "</g>\n";
}

Table loads_table(const Picture& picture) {
  Table table{"The parts and links of the picture",
              {"part or link", "product or kind", "busiest resource", "basis", "source", "load",
               "carries", "could carry"},
              {},
              5};
  for (const Box& box : picture.boxes)
    table.rows.push_back(
        {box.name, box.title, box.load_of, "", "", box.load ? percent(*box.load) : "", "", ""});
  for (const Wire& wire : picture.wires)
    if (wire.rate_Bps > 0)
      table.rows.push_back({picture.boxes[wire.from].name + " – " + picture.boxes[wire.to].name,
                            wire.kind, wire.resource, wire.basis, wire.source, percent(wire.load),
                            text(Bandwidth{wire.rate_Bps}, 3),
                            text(Bandwidth{wire.capacity_Bps}, 3)});
  return table;
}

}  // namespace

std::string_view load_class(double load) {
  constexpr double kHigh = 0.5;
  constexpr double kFull = 0.85;
  if (load >= kFull) return "full";
  if (load >= kHigh) return "high";
  return load > 0 ? "low" : "idle";
}

std::string machine_picture(const Picture& picture) {
  if (picture.boxes.empty()) return "";
  const float width = picture.width + 2 * kMargin;
  const float height = picture.height + 2 * kMargin;
  std::string svg = fmt::format(
      "<svg class='machine' role='img' aria-label='The machine with its loads; the table below has "
      "the numbers' viewBox='{:.0f} {:.0f} {:.0f} {:.0f}' style='width:{:.0f}px;max-width:max(100%,"
      "{:.0f}px)'>\n",
      -kMargin, -kMargin, width, height, width, 0.6 * width);
  for (const Wire& wire : picture.wires) svg += wire_markup(picture, wire);
  std::vector<Point> labels;
  for (const Wire& wire : picture.wires) svg += label_markup(picture, wire, labels);
  for (const Box& box : picture.boxes) svg += box_markup(box);
  const std::string legend = "<p class='legend'>" + legend_entry("low", "load below 50 %") +
                             legend_entry("high", "50 to 85 %") + legend_entry("full", "above") +
                             legend_entry("compute", "GPU computes") +
                             "<span class='dim'>width: rate</span></p>\n";
  return legend + scrolling("The machine", svg + "</svg>") +
         folded("The numbers, and where they are from", loads_table(picture).markup());
}

}  // namespace gpufeed::html
