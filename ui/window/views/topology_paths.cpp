// SPDX-License-Identifier: Apache-2.0
#include "ui/window/views/topology_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpufeed::ui {
namespace {

ImVec2 point(const std::array<ImVec2, 4>& c, float t) {  // of a Bezier curve
  const float s = 1 - t;
  const float a = s * s * s, b = 3 * s * s * t, d = 3 * s * t * t, e = t * t * t;
  return {a * c[0].x + b * c[1].x + d * c[2].x + e * c[3].x,
          a * c[0].y + b * c[1].y + d * c[2].y + e * c[3].y};
}

Path sampled(const std::array<ImVec2, 4>& curve) {
  constexpr int kPieces = 24;
  Path path;
  for (int i = 0; i <= kPieces; ++i) path.push_back(point(curve, static_cast<float>(i) / kPieces));
  return path;
}

/// The shapes of links.
class Shapes {
 public:
  explicit Shapes(const ToScreen& to_screen) : to_screen_(to_screen) {}

  Path of(const Picture& picture, const Wire& wire) const {
    const Box* a = &picture.boxes[wire.from];
    const Box* b = &picture.boxes[wire.to];
    if (a->y > b->y || (a->y == b->y && a->x > b->x)) std::swap(a, b);
    if (wire.trunk && wire.kind == "bus") return trunk(*a, *b);
    if (wire.kind == "network") return outward(*a, *b);
    if (a->y != b->y) return downward(*a, *b);
    const float middle = a->y + a->h / 2;
    if (wire.kind == "socket link")
      return {to_screen(a->x + a->w, middle), to_screen((a->x + a->w + b->x) / 2, middle),
              to_screen(b->x, middle)};
    const float y = a->y + a->h;
    const float sag = 18 + 0.035F * (b->x - a->x);
    return sampled({to_screen(middle_of(*a), y), to_screen(middle_of(*a), y + sag),
                    to_screen(middle_of(*b), y + sag), to_screen(middle_of(*b), y)});
  }

 private:
  ImVec2 to_screen(float x, float y) const { return to_screen_(x, y); }

  static float middle_of(const Box& box) { return box.x + box.w / 2; }

  Path downward(const Box& a, const Box& b) const {
    // An NVSwitch is as wide as its GPUs: straight down.
    const float end = b.kind == "nvswitch" ? middle_of(a) : middle_of(b);
    const float bend = (b.y - a.y - a.h) / 2;
    return sampled({to_screen(middle_of(a), a.y + a.h), to_screen(middle_of(a), a.y + a.h + bend),
                    to_screen(end, b.y - bend), to_screen(end, b.y)});
  }

  /// From a card's right side down past what is below it, and on to the store.
  Path outward(const Box& card, const Box& store) const {
    const float x = card.x + card.w + 6;
    const float side = card.y + card.h / 2;
    const float bend = 30;
    const float down = std::max(side, store.y - 2 * bend);
    Path path{to_screen(card.x + card.w, side), to_screen(x, side)};
    for (const ImVec2& p : sampled({to_screen(x, down), to_screen(x, down + bend),
                                    to_screen(middle_of(store), store.y - bend),
                                    to_screen(middle_of(store), store.y)}))
      path.push_back(p);
    return path;
  }

  /// From the part above to the left of the column, down, and in from the side.
  Path trunk(const Box& a, const Box& b) const {
    const float x = b.x - 11;
    const float top = a.y + a.h;
    const float bend = 22;
    const float side = b.y + b.h / 2;
    Path path = sampled({to_screen(middle_of(a), top), to_screen(middle_of(a), top + bend),
                         to_screen(x, top + bend), to_screen(x, top + 2 * bend)});
    path.push_back(to_screen(x, side));
    path.push_back(to_screen(b.x, side));
    return path;
  }

  const ToScreen& to_screen_;
};

}  // namespace

Path path_of_link(const Picture& picture, const Wire& wire, const ToScreen& to_screen) {
  return Shapes(to_screen).of(picture, wire);
}

float distance(ImVec2 a, ImVec2 b, ImVec2 p) {
  const ImVec2 along{b.x - a.x, b.y - a.y};
  const float length = along.x * along.x + along.y * along.y;
  const float dot = (p.x - a.x) * along.x + (p.y - a.y) * along.y;
  const float t = length > 0 ? std::clamp(dot / length, 0.0F, 1.0F) : 0;
  return std::hypot(a.x + t * along.x - p.x, a.y + t * along.y - p.y);
}

}  // namespace gpufeed::ui
