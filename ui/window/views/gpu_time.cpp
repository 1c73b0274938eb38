// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "reports/writers/layout.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

constexpr std::array kWords{"computing", "storage",    "decoding",   "copies",
                            "gradients", "other GPUs", "checkpoints"};
constexpr std::array kHelp{"The GPU computes.",
                           "Waiting for data: while the next batch was read.",
                           "Waiting for data: while the next batch was decoded.",
                           "Waiting while the next batch is copied to the GPU.",
                           "Waiting for gradients of the other GPUs (all-reduce).",
                           "Waiting for a GPU that computes longer.",
                           "Standing still while the state is saved."};
using Shares = std::array<double, kWords.size()>;

Shares shares_of(const GpuShare& share) {
  return {share.compute,  share.storage, share.decode,    share.copy,
          share.exchange, share.barrier, share.checkpoint};
}

void draw_bar(const Screen& screen, const Shares& shares) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = screen.px(24);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  float x = at.x;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const float end = x + static_cast<float>(shares[i]) * width;
    if (end - x < 0.5F) continue;
    draw.AddRectFilled({x, at.y}, {end, at.y + height}, packed(share_color(i)));
    const std::string words = percent(shares[i]);
    const ImVec2 room = ImGui::CalcTextSize(words.c_str());
    const bool pale = i == 2 || i == 3 || i == 4 || i == 5;
    if (room.x + screen.px(8) < end - x)
      draw.AddText({(x + end - room.x) / 2, at.y + (height - room.y) / 2},
                   pale ? IM_COL32_BLACK : IM_COL32_WHITE, words.c_str());
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, at.y}, {end, at.y + height}))
      wrapped_tooltip(screen, fmt::format("{} {}\n{}", kWords[i], words, kHelp[i]));
    x = end;
  }
  ImGui::Dummy({width, height});
}

/// One entry of the legend for each kind of time that there is.
void draw_legend(const Screen& screen, const Shares& shares) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  bool first = true;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    const std::string words =
        fmt::format("{}{} {}", i == 0 ? "" : "waits for ", kWords[i], percent(shares[i]));
    const float square = screen.px(11);
    const float room = square + screen.px(6) + ImGui::CalcTextSize(words.c_str()).x;
    if (!first && ImGui::GetItemRectMax().x + screen.px(16) + room < right)
      ImGui::SameLine(0, screen.px(16));
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float down = (ImGui::GetTextLineHeight() - square) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + down},
                                              {at.x + square, at.y + down + square},
                                              packed(share_color(i)), screen.px(2));
    ImGui::Dummy({square, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, screen.px(6));
    dim_text(screen, words);
    tooltip(screen, kHelp[i]);
  }
}

}  // namespace

void draw_gpu_time(Screen& screen, const Result& result, ImVec2 size) {
  begin_panel(screen, "gpu time", "Where each GPU's time goes", size);
  if (result.gpus.empty()) dim_text(screen, "No GPU computes in this work.");
  for (const GpuGroup& group : result.gpus) {
    const Shares shares = shares_of(group.share);
    ImGui::Spacing();
    clipped_text(screen,
                 fmt::format("{}  ({} {})", group.group, group.count,
                             group.count == 1 ? "GPU" : "GPUs alike"),
                 false);
    draw_bar(screen, shares);
    draw_legend(screen, shares);
  }
  if (!result.bottleneck.why.empty()) {
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
    strong_text(screen, "Why");
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(result.bottleneck.why.c_str());
    ImGui::PopTextWrapPos();
  }
  end_panel();
}

}  // namespace gpufeed::ui
