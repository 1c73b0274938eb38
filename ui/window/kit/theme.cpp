// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/theme.h"

#include <array>
#include <filesystem>
#include <string>

namespace gpufeed::ui {
namespace {

ImVec4 rgb(unsigned color) {
  return {static_cast<float>(color >> 16U & 255U) / 255,
          static_cast<float>(color >> 8U & 255U) / 255, static_cast<float>(color & 255U) / 255, 1};
}

const Palette kDark{rgb(0x14171c), rgb(0x1d2229), rgb(0x2b323c), rgb(0x39424e), rgb(0xeceff3),
                    rgb(0x9aa4b1), rgb(0x56b4e9), rgb(0x2fc39a), rgb(0xf0862f), rgb(0x14171c)};
const Palette kLight{rgb(0xeef1f5), rgb(0xffffff), rgb(0xe6eaf0), rgb(0xc9d0da), rgb(0x1b2129),
                     rgb(0x5b6673), rgb(0x0072b2), rgb(0x007d5b), rgb(0xb54900), rgb(0xffffff)};

// The characters that texts use beside Latin-1: Δ, dashes, quotes, ellipsis, arrows, signs.
constexpr std::array<ImWchar, 17> kGlyphs{0x0020, 0x00FF, 0x0394, 0x0394, 0x2010, 0x2027,
                                          0x2190, 0x21FF, 0x2212, 0x2265, 0x25A0, 0x25FF,
                                          0x26A0, 0x26A1, 0x20AC, 0x20AC, 0};

ImFont* load_font(const char* name, float size) {
  const std::string file = std::string("/usr/share/fonts/truetype/dejavu/") + name;
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  std::error_code unknown;
  if (std::filesystem::exists(file, unknown))
    if (ImFont* font = fonts.AddFontFromFileTTF(file.c_str(), size, nullptr, kGlyphs.data()))
      return font;
  ImFontConfig plain;
  plain.SizePixels = size;
  return fonts.AddFontDefault(&plain);
}

}  // namespace

const Palette& palette(bool dark) { return dark ? kDark : kLight; }

ImVec4 load_color(double load, const Palette& colors) {
  constexpr double kHigh = 0.5;
  constexpr double kFull = 0.85;
  if (load >= kFull) return rgb(0xd55e00);
  if (load >= kHigh) return rgb(0xe69f00);
  return load > 0 ? rgb(0x3a9bd9) : colors.dim;
}

ImVec4 share_color(std::size_t n) {
  static const std::array kColors{rgb(0x0072b2), rgb(0xd55e00), rgb(0xe69f00), rgb(0xf0e442),
                                  rgb(0xcc79a7), rgb(0x8d96a3), rgb(0x009e73), rgb(0x56b4e9)};
  return kColors[n % kColors.size()];
}

void apply_style(const Palette& colors, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {12, 10};
  style.FramePadding = {9, 5};
  style.ItemSpacing = {8, 7};
  style.CellPadding = {7, 4};
  style.WindowRounding = style.ChildRounding = style.PopupRounding = 7;
  style.FrameRounding = style.GrabRounding = 5;
  style.WindowBorderSize = 1;
  style.ChildBorderSize = 1;
  style.ScrollbarSize = 11;
  style.ScaleAllSizes(scale);
  const auto tone = [&](ImGuiCol which, const ImVec4& color, float alpha = 1) {
    style.Colors[which] = {color.x, color.y, color.z, alpha};
  };
  const bool dark = colors.text.x > 0.5F;
  if (dark)
    ImGui::StyleColorsDark(&style);
  else
    ImGui::StyleColorsLight(&style);
  tone(ImGuiCol_Text, colors.text);
  tone(ImGuiCol_TextDisabled, colors.dim);
  tone(ImGuiCol_WindowBg, colors.back);
  tone(ImGuiCol_ChildBg, colors.panel);
  tone(ImGuiCol_PopupBg, colors.panel);
  tone(ImGuiCol_TitleBg, colors.panel);
  tone(ImGuiCol_TitleBgActive, colors.panel);
  tone(ImGuiCol_Border, colors.line);
  tone(ImGuiCol_Separator, colors.line);
  tone(ImGuiCol_FrameBg, colors.field);
  tone(ImGuiCol_FrameBgHovered, colors.accent, 0.28F);
  tone(ImGuiCol_FrameBgActive, colors.accent, 0.4F);
  tone(ImGuiCol_Button, colors.field);
  tone(ImGuiCol_ButtonHovered, colors.accent, 0.35F);
  tone(ImGuiCol_ButtonActive, colors.accent, 0.55F);
  tone(ImGuiCol_Header, colors.accent, 0.25F);
  tone(ImGuiCol_HeaderHovered, colors.accent, 0.32F);
  tone(ImGuiCol_HeaderActive, colors.accent, 0.45F);
  tone(ImGuiCol_CheckMark, colors.accent);
  tone(ImGuiCol_PlotHistogram, colors.accent);
  tone(ImGuiCol_ScrollbarBg, colors.panel, 0);
  tone(ImGuiCol_ScrollbarGrab, colors.line);
  tone(ImGuiCol_TableHeaderBg, colors.field);
  tone(ImGuiCol_TableBorderLight, colors.line, 0.6F);
  tone(ImGuiCol_TableBorderStrong, colors.line);
  tone(ImGuiCol_TableRowBgAlt, colors.text, 0.03F);
  tone(ImGuiCol_ModalWindowDimBg, {0, 0, 0, 1}, dark ? 0.6F : 0.35F);
  tone(ImGuiCol_NavHighlight, colors.accent);
}

Fonts load_fonts(float scale) {
  ImGui::GetIO().Fonts->Clear();
  Fonts fonts;
  fonts.normal = load_font("DejaVuSans.ttf", 15 * scale);
  fonts.strong = load_font("DejaVuSans-Bold.ttf", 15 * scale);
  fonts.large = load_font("DejaVuSans-Bold.ttf", 24 * scale);
  fonts.fixed = load_font("DejaVuSansMono.ttf", 14 * scale);
  return fonts;
}

}  // namespace gpufeed::ui
