// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/theme.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace gpufeed::ui {
namespace {

/// Of WCAG 2.1: relative luminance of a color in sRGB.
double luminance(const ImVec4& color) {
  const auto linear = [](float part) {
    return part <= 0.04045F ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.x) + 0.7152 * linear(color.y) + 0.0722 * linear(color.z);
}

/// Likewise: from 1 to 21; text wants 4.5.
double contrast(const ImVec4& one, const ImVec4& other) {
  const double a = luminance(one), b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

ImVec4 over(const ImVec4& below, const ImVec4& color, float alpha) {
  const auto mix = [alpha](float a, float b) { return a * (1 - alpha) + b * alpha; };
  return {mix(below.x, color.x), mix(below.y, color.y), mix(below.z, color.z), 1};
}

constexpr double kReadable = 4.5;

}  // namespace

TEST_CASE("black on white has the contrast that WCAG gives it") {
  CHECK(contrast({0, 0, 0, 1}, {1, 1, 1, 1}) == doctest::Approx(21));
}

TEST_CASE("text of every color is readable on everything that it stands on, in both themes") {
  for (const bool dark : {true, false}) {
    CAPTURE(dark);
    const Palette& colors = palette(dark);
    for (const ImVec4& text : {colors.text, colors.dim, colors.accent, colors.good, colors.poor}) {
      CAPTURE(text.x);
      CHECK(contrast(text, colors.back) >= kReadable);
      CHECK(contrast(text, colors.panel) >= kReadable);
    }
    for (const ImVec4& text : {colors.text, colors.dim})
      CHECK(contrast(text, colors.field) >= kReadable);
    for (const float alpha : {0.25F, 0.35F, 0.45F, 0.55F})  // headers, buttons, pressed ones
      CHECK(contrast(colors.text, over(colors.panel, colors.accent, alpha)) >= kReadable);
  }
}

}  // namespace gpufeed::ui
