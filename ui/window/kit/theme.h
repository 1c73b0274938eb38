// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <imgui.h>

#include <cstddef>

namespace gpufeed::ui {

/// Colors of a theme; those that carry a meaning are Okabe and Ito's, which the color blind can
/// tell apart. Meaning never rests on color alone.
struct Palette {
  ImVec4 back, panel, field, line, text, dim, accent, good, poor;
  ImVec4 chip;  ///< behind labels in the picture
};

/// "light" or "dark".
const Palette& palette(bool dark);

/// Of a load from 0 to 1: low, high from 50 %, full from 85 %.
ImVec4 load_color(double load, const Palette& colors);

/// Of the n-th kind of a GPU's time: computing, storage, decoding, copies, gradients, other GPUs,
/// checkpoints, decoding on the GPU.
ImVec4 share_color(std::size_t n);

/// Sets ImGui's own style.
void apply_style(const Palette& colors, float scale);

struct Fonts {
  ImFont* normal = nullptr;
  ImFont* strong = nullptr;
  ImFont* large = nullptr;
  ImFont* fixed = nullptr;
};
/// Reads the fonts in sizes for `scale`; ImGui's own one where DejaVu is not installed.
Fonts load_fonts(float scale);

inline ImU32 packed(const ImVec4& color, float alpha = 1) {
  return ImGui::GetColorU32(ImVec4(color.x, color.y, color.z, color.w * alpha));
}

}  // namespace gpufeed::ui
