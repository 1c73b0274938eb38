// SPDX-License-Identifier: Apache-2.0
#include "reports/picture/paths.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpufeed {
namespace {

Point point(const std::array<Point, 4>& c, float t) {  // of a Bezier curve
  const float s = 1 - t;
  const float a = s * s * s, b = 3 * s * s * t, d = 3 * s * t * t, e = t * t * t;
  return {a * c[0].x + b * c[1].x + d * c[2].x + e * c[3].x,
          a * c[0].y + b * c[1].y + d * c[2].y + e * c[3].y};
}

Path sampled(const std::array<Point, 4>& curve) {
  constexpr int kPieces = 24;
  Path path;
  for (int i = 0; i <= kPieces; ++i) path.push_back(point(curve, static_cast<float>(i) / kPieces));
  return path;
}

constexpr float kNearest = 6;    ///< of a column's first line from the parts that it leads to
constexpr float kFarthest = 20;  ///< of its last one
constexpr float kApart = 5;      ///< of two lines, where there is room

float middle_of(const Box& box) { return box.x + box.w / 2; }

Path downward(const Box& a, const Box& b) {
  // An NVSwitch is as wide as its GPUs: straight down.
  const float end = b.kind == "nvswitch" ? middle_of(a) : middle_of(b);
  const float bend = (b.y - a.y - a.h) / 2;
  return sampled({{{middle_of(a), a.y + a.h},
                   {middle_of(a), a.y + a.h + bend},
                   {end, b.y - bend},
                   {end, b.y}}});
}

/// From a card's right side down past what is below it, and on to the store.
Path outward(const Box& card, const Box& store) {
  const float x = card.x + card.w + 6;
  const float side = card.y + card.h / 2;
  const float bend = 30;
  const float down = std::max(side, store.y - 2 * bend);
  Path path{{card.x + card.w, side}, {x, side}};
  for (const Point& p : sampled({{{x, down},
                                  {x, down + bend},
                                  {middle_of(store), store.y - bend},
                                  {middle_of(store), store.y}}}))
    path.push_back(p);
  return path;
}

/// Where the line to a part of a column runs down: each has its own, that of the lowest part
/// farthest out, so that none crosses another.
float lane_of(const Picture& picture, const Box& part) {
  float above = 0, all = 0;
  for (const Wire& wire : picture.wires) {
    if (!wire.trunk || wire.kind != "bus") continue;
    const Box& one = picture.boxes[wire.from];
    const Box& other = picture.boxes[wire.to];
    const Box& lower = one.y > other.y ? one : other;
    if (lower.x != part.x) continue;
    ++all;
    if (lower.y < part.y) ++above;
  }
  const float apart = all > 1 ? std::min(kApart, (kFarthest - kNearest) / (all - 1)) : 0;
  return part.x - kNearest - apart * above;
}

/// From the part above to the left of the column, down, and in from the side.
Path trunk(const Picture& picture, const Box& a, const Box& b) {
  const float x = lane_of(picture, b);
  const float top = a.y + a.h;
  const float bend = 22;
  const float side = b.y + b.h / 2;
  Path path = sampled(
      {{{middle_of(a), top}, {middle_of(a), top + bend}, {x, top + bend}, {x, top + 2 * bend}}});
  path.push_back({x, side});
  path.push_back({b.x, side});
  return path;
}

}  // namespace

Path path_of_link(const Picture& picture, const Wire& wire) {
  const Box* a = &picture.boxes[wire.from];
  const Box* b = &picture.boxes[wire.to];
  if (a->y > b->y || (a->y == b->y && a->x > b->x)) std::swap(a, b);
  if (wire.trunk && wire.kind == "bus") return trunk(picture, *a, *b);
  if (wire.kind == "network") return outward(*a, *b);
  if (a->y != b->y) return downward(*a, *b);
  const float middle = a->y + a->h / 2;
  if (wire.kind == "socket link")
    return {{a->x + a->w, middle}, {(a->x + a->w + b->x) / 2, middle}, {b->x, middle}};
  const float y = a->y + a->h;
  const float sag = 18 + 0.035F * (b->x - a->x);
  return sampled({{{middle_of(*a), y},
                   {middle_of(*a), y + sag},
                   {middle_of(*b), y + sag},
                   {middle_of(*b), y}}});
}

Point label_of_link(const Picture& picture, const Wire& wire) {
  const Box& a = picture.boxes[wire.from];
  const Box& b = picture.boxes[wire.to];
  const Path path = path_of_link(picture, wire);
  if (!wire.trunk || wire.kind != "bus") return path[path.size() / 2];
  const Box& lower = a.y > b.y ? a : b;
  return {lane_of(picture, lower), lower.y - 7};
}

}  // namespace gpufeed
