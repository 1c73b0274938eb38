// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/units.h"
#include "sim/model/join_ids.h"
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

/// What the change would cost more, or less, where both prices are known.
std::string difference(const PartGroup& parts, const Choice& choice) {
  if (!choice.price_USD || !parts.price || choice.name == parts.product) return "";
  const double more =
      (*choice.price_USD - parts.price->value) * static_cast<double>(parts.ids.size());
  if (more == 0) return "same price";
  return fmt::format("{}{}", more > 0 ? "+" : "−", text_number(std::abs(more), 6));
}

void take_order(ViewState& view) {
  ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  view.order = static_cast<ChoiceOrder>(specs->Specs[0].ColumnUserID);
  view.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
}

void columns(const Screen& screen, const PartGroup& parts) {
  const ChoiceColumns names = columns_of(parts.kind);
  const auto column = [&](const char* name, float width, ChoiceOrder order) {
    ImGui::TableSetupColumn(
        name, width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
        width > 0 ? screen.px(width) : 1.0F, static_cast<ImGuiID>(order));
  };
  column("Product", 0, ChoiceOrder::title);
  column(names.rate.empty() ? "Rate" : names.rate.c_str(), 130, ChoiceOrder::rate);
  column(names.size.empty() ? "Size" : names.size.c_str(), 100, ChoiceOrder::size);
  column("Price, USD", 105, ChoiceOrder::price);
  column("Sold since", 100, ChoiceOrder::year);
  ImGui::TableSetupColumn("Change, USD",
                          ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort,
                          screen.px(110));
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableHeadersRow();
}

void draw_choice(Screen& screen, const PartGroup& parts, const Choice& choice) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(choice.name.c_str());
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string title = clipped_to(choice.title, room, ImGui::GetFont(), ImGui::GetFontSize());
  if (ImGui::Selectable((title + "##choice").c_str(), choice.name == parts.product,
                        ImGuiSelectableFlags_SpanAllColumns)) {
    screen.session.replace(parts, choice.name);
    close_dialog(screen);
  }
  note(screen, choice.name);
  tooltip(screen, choice.title + "\n" + choice.name);
  ImGui::PopID();
  const auto cell = [&](const std::string& words) {
    ImGui::TableNextColumn();
    if (words.empty())
      dim_text(screen, "–");
    else
      ImGui::TextUnformatted(words.c_str());
  };
  cell(choice.rate);
  cell(choice.size);
  cell(!choice.price_USD ? ""
       : choice.price_year
           ? fmt::format("{} ({})", text_number(*choice.price_USD, 6), *choice.price_year)
           : text_number(*choice.price_USD, 6));
  cell(choice.released ? std::to_string(*choice.released) : "");
  cell(difference(parts, choice));
}

void draw_table(Screen& screen, const PartGroup& parts, const std::vector<Choice>& choices) {
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable |
                     ImGuiTableFlags_BordersInnerH;
  const float rest = ImGui::GetFrameHeightWithSpacing();
  if (!ImGui::BeginTable("choices", 6, flags, {0, ImGui::GetContentRegionAvail().y - rest})) return;
  columns(screen, parts);
  take_order(screen.view);
  auto found = found_in(choices, screen.view.search);
  sort_choices(found, screen.view.order, screen.view.descending);
  for (const Choice* choice : found) draw_choice(screen, parts, *choice);
  ImGui::EndTable();
  if (found.empty()) dim_text(screen, "Nothing in the catalog has all these words.");
}

}  // namespace

void draw_choose_dialog(Screen& screen) {
  const auto& parts = screen.view.choosing;
  if (!parts || !begin_dialog(screen, "Choose", {1000, 660})) return;
  strong_text(screen,
              fmt::format("Another product for {} ({})", join_ids(parts->ids), parts->ids.size()));
  clipped_text(screen, "Now: " + parts->title, true);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (screen.view.dialog_opened) ImGui::SetKeyboardFocusHere();
  text_field(screen, "##search", "search: words of the name, such as micron 7.68",
             screen.view.search);
  const PartGroup copy = *parts;
  if (const auto* choices = screen.lists.of(copy.kind))
    draw_table(screen, copy, *choices);
  else
    dim_text(screen, "Reading the catalog…");
  if (button(screen, "Cancel")) close_dialog(screen);
  end_dialog();
}

}  // namespace gpufeed::ui
