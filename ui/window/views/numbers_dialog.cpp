// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/problems.h"
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void set(Screen& screen, const std::string& product, const std::string& key,
         const std::string& value) {
  screen.session.apply(
      [&](const std::string& text) { return with_own_number(text, product, key, value); });
}

/// The problem that the session has with the user's own value; empty where none.
std::string problem_with(const Session& session, const ProductNumber& number) {
  if (number.own.empty()) return "";
  for (const Problem& problem : session.problems())
    if (!problem.subject.empty() && problem.subject.steps.back().key == number.key)
      return shown_line(problem);
  return "";
}

void refresh(Screen& screen) {
  ProductNumbers& of = screen.view.numbers;
  if (of.version == screen.session.version()) return;
  of.version = screen.session.version();
  try {
    of.numbers =
        product_numbers(screen.session.text(), screen.session.catalog(), of.kind, of.product);
  } catch (const InputError& error) {  // it is a file of the user's, or damaged
    of.numbers.clear();
    screen.view.message = sentence(error.problems().front());
  }
}

void draw_row(Screen& screen, const std::string& product, const ProductNumber& number) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  if (number.own.empty())
    ImGui::TextUnformatted(number.key.c_str());
  else
    strong_text(screen, number.key);
  tooltip(screen, number.help);
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (const auto typed = value_field(screen, "own " + number.key, number.own))
    set(screen, product, number.key, *typed);
  if (const std::string problem = problem_with(screen.session, number); !problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(problem.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(number.catalog.c_str());
  if (!number.own.empty()) {
    ImGui::SameLine();
    if (ImGui::SmallButton(("Take it##" + number.key).c_str()))
      set(screen, product, number.key, "");
    note(screen, "Catalog's " + number.key);
    tooltip(screen, "Back to the catalog's");
  }
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool known = number.catalog != "unknown";
  clipped_text(screen, known ? number.basis + ": " + number.source : "", true);
}

}  // namespace

void draw_numbers_dialog(Screen& screen) {
  if (!begin_dialog(screen, "Numbers", {1100, 640})) return;
  refresh(screen);
  const ProductNumbers& of = screen.view.numbers;
  strong_text(screen, of.title);
  dim_text(screen,
           "Type in what you know better; it is marked as your own wherever this product is used. "
           "Empty: the catalog's.");
  if (of.numbers.empty())
    dim_text(screen, "Its numbers stand in a file of yours: change them there.");
  const float rest = ImGui::GetFrameHeightWithSpacing();
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY;
  if (ImGui::BeginTable("numbers", 4, flags, {0, ImGui::GetContentRegionAvail().y - rest})) {
    ImGui::TableSetupColumn("Number", ImGuiTableColumnFlags_WidthFixed, screen.px(210));
    ImGui::TableSetupColumn("Your own", ImGuiTableColumnFlags_WidthFixed, screen.px(150));
    ImGui::TableSetupColumn("The catalog's", ImGuiTableColumnFlags_WidthFixed, screen.px(170));
    ImGui::TableSetupColumn("How that is known", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    const std::vector<ProductNumber> numbers = of.numbers;  // an edit makes them anew
    for (const ProductNumber& number : numbers) draw_row(screen, of.product, number);
    ImGui::EndTable();
  }
  if (button(screen, "Close")) close_dialog(screen);
  if (!screen.session.refusal().empty()) {
    ImGui::SameLine();
    clipped_text(screen, "Not changed: " + screen.session.refusal(), true);
  }
  end_dialog();
}

}  // namespace gpufeed::ui
