// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units.h"
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void take_order(ViewState& view) {
  ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  view.order = static_cast<ChoiceOrder>(specs->Specs[0].ColumnUserID);
  view.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
}

/// Whether effects are told as changes: there must be an answer that they change, and to the same
/// work.
bool compares(const Screen& screen, const ChoiceColumns& names) {
  return names.is_bought && screen.session.standing() == Standing::current;
}

int count_of_columns(const Choosing& choosing, const ChoiceColumns& names) {
  return 3 + (names.is_bought ? 2 : 0) + (choosing.begins ? 0 : names.is_bought ? 2 : 1);
}

void columns(const Screen& screen, const Choosing& choosing, const ChoiceColumns& names) {
  const auto column = [&](const char* name, float width, ChoiceOrder order) {
    ImGui::TableSetupColumn(
        name, width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
        width > 0 ? screen.px(width) : 1.0F, static_cast<ImGuiID>(order));
  };
  column("Product", 0, ChoiceOrder::title);
  column(names.rate.empty() ? "Rate" : names.rate.c_str(), 130, ChoiceOrder::rate);
  column(names.size.empty() ? "Size" : names.size.c_str(), 100, ChoiceOrder::size);
  if (names.is_bought) {
    column("Price, USD", 125, ChoiceOrder::price);
    column("Sold since", 90, ChoiceOrder::year);
  }
  const auto effect = [&](const char* name) {
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort,
                            screen.px(110));
  };
  const bool changes = compares(screen, names);
  if (!choosing.begins && names.is_bought) effect(changes ? "Δ Price, USD" : "All, USD");
  if (!choosing.begins) effect(changes ? "Δ Job rate" : "Samples/s");
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < count_of_columns(choosing, names); ++i) {
    ImGui::TableSetColumnIndex(i);
    ImGui::TableHeader(ImGui::TableGetColumnName(i));
    note(screen, fmt::format("column {}", ImGui::TableGetColumnName(i)));
  }
}

void cell(const Screen& screen, const std::string& words) {
  ImGui::TableNextColumn();
  if (words.empty())
    dim_text(screen, "–");
  else
    ImGui::TextUnformatted(words.c_str());
}

/// Of another network or data set: what it trains, in samples of its own.
void draw_rate(const Screen& screen, const std::string& product, bool now) {
  const auto effect = screen.effects.of(product);
  const Session& session = screen.session;
  if (now && session.standing() == Standing::current) {
    const double rate = session.result()->job_samples_per_s;
    cell(screen, rate > 0 ? text_number(rate) : "");
  } else if (effect && !effect->problem.empty()) {
    ImGui::TableNextColumn();
    clipped_text(screen, "not so: " + effect->problem, true);
  } else if (!effect || !effect->answered) {
    cell(screen, "…");
  } else {
    cell(screen, effect->samples_per_s > 0 ? text_number(effect->samples_per_s) : "");
  }
}

void draw_effect(const Screen& screen, const std::string& product, bool now,
                 const ChoiceColumns& names) {
  const auto effect = screen.effects.of(product);
  if (now) {
    cell(screen, "as it is");
    cell(screen, "");
  } else if (effect && !effect->problem.empty()) {
    cell(screen, "does not fit");
    ImGui::TableNextColumn();
    clipped_text(screen, effect->problem, true);
  } else if (!effect || !effect->answered) {
    cell(screen, "…");
    cell(screen, "…");
  } else if (compares(screen, names)) {
    const Result& base = *screen.session.result();
    cell(screen, price_change(*effect, base.price_USD, base.without_price));
    cell(screen, rate_change(*effect, base.job_samples_per_s));
  } else {
    cell(screen, effect->price_USD ? text_number(*effect->price_USD, 6) : "");
    cell(screen, effect->samples_per_s > 0 ? text_number(effect->samples_per_s) : "");
  }
}

void take(Screen& screen, const Choosing& choosing, const std::string& product) {
  if (choosing.begins) {
    screen.view.camera = Camera();
    screen.view.selected.clear();
    screen.session.start(choosing.with("", product), product + ".toml");
  } else {
    screen.session.apply([&](const std::string& text) { return choosing.with(text, product); });
  }
  close_dialog(screen);
}

void draw_choice(Screen& screen, const Choosing& choosing, const ChoiceColumns& names,
                 const Choice& choice) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(choice.name.c_str());
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string title = clipped_to(choice.title, room, ImGui::GetFont(), ImGui::GetFontSize());
  const bool chosen = ImGui::Selectable((title + "##choice").c_str(), choice.name == choosing.now,
                                        ImGuiSelectableFlags_SpanAllColumns);
  if (ImGui::IsItemVisible()) screen.view.in_sight.push_back(choice.name);
  note(screen, choice.name);
  tooltip(screen, choice.title + "\n" + choice.name);
  ImGui::PopID();
  cell(screen, choice.rate);
  cell(screen, choice.size);
  if (names.is_bought) {
    cell(screen, !choice.price_USD ? ""
                 : choice.price_year
                     ? fmt::format("{} ({})", text_number(*choice.price_USD, 6), *choice.price_year)
                     : text_number(*choice.price_USD, 6));
    cell(screen, choice.released ? std::to_string(*choice.released) : "");
  }
  const bool now = choice.name == choosing.now;
  if (!choosing.begins && names.is_bought) draw_effect(screen, choice.name, now, names);
  if (!choosing.begins && !names.is_bought) draw_rate(screen, choice.name, now);
  if (chosen) take(screen, choosing, choice.name);
}

void begin_effects(Screen& screen, const Choosing& choosing, const std::vector<Choice>& choices) {
  if (choosing.begins || std::exchange(screen.view.effects_begun, true)) return;
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const Choice& choice : choices)
    if (may_replace(choice, choosing.now, choices)) names.push_back(choice.name);
  screen.effects.begin(
      std::move(names),
      [text = screen.session.text(), with = choosing.with](const std::string& product) {
        return with(text, product);
      },
      screen.session.file().lexically_normal().string());
  screen.view.in_sight.clear();
}

/// What does not fit goes to the end, but no row moves away under a pointer that has begun to move
/// over them.
void put_unfit_last(Screen& screen, std::vector<const Choice*>& found) {
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  ViewState& view = screen.view;
  view.pointing = ImGui::IsWindowHovered() && (view.pointing || moved.x != 0 || moved.y != 0);
  if (!view.pointing)
    for (const Choice* choice : found)
      if (const auto effect = screen.effects.of(choice->name); effect && !effect->problem.empty())
        view.unfit.insert(choice->name);
  std::stable_partition(found.begin(), found.end(),
                        [&](const Choice* choice) { return !view.unfit.contains(choice->name); });
}

void draw_table(Screen& screen, const Choosing& choosing, const std::vector<Choice>& choices) {
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable |
                     ImGuiTableFlags_BordersInnerH;
  const float rest = ImGui::GetFrameHeightWithSpacing();
  const ChoiceColumns names = columns_of(choosing.kind);
  if (!ImGui::BeginTable("choices", count_of_columns(choosing, names), flags,
                         {0, ImGui::GetContentRegionAvail().y - rest}))
    return;
  columns(screen, choosing, names);
  take_order(screen.view);
  auto found = found_in(choices, screen.view.search);
  std::erase_if(found,
                [&](const Choice* choice) { return !may_replace(*choice, choosing.now, choices); });
  sort_choices(found, screen.view.order, screen.view.descending);
  put_unfit_last(screen, found);
  const auto before = std::exchange(screen.view.in_sight, {});
  for (const Choice* choice : found) draw_choice(screen, choosing, names, *choice);
  if (!choosing.begins && screen.view.in_sight != before) screen.effects.want(screen.view.in_sight);
  ImGui::EndTable();
  if (found.empty()) dim_text(screen, "Nothing in the catalog has all these words.");
}

/// A new machine can also be one that is sold whole.
void draw_switch(Screen& screen, const Choosing& choosing) {
  const bool chassis = choosing.kind == "server";
  ImGui::SameLine(0, screen.px(18));
  if (button(screen, chassis ? "Machines sold whole…" : "Chassis to fill…"))
    choose(screen, choosing_to_begin(chassis ? "system" : "server", screen.session.catalog()));
  ImGui::SameLine();
  if (button(screen, "This machine")) {
    close_dialog(screen);
    carry_out(screen, Command::this_machine);
  }
}

}  // namespace

void draw_choose_dialog(Screen& screen) {
  if (!screen.view.choosing || !begin_dialog(screen, "Choose", {1180, 700})) return;
  const Choosing choosing = *screen.view.choosing;
  strong_text(screen, choosing.heading);
  if (choosing.begins)
    dim_text(screen, "You can change every part of it afterwards.");
  else
    dim_text(screen, !columns_of(choosing.kind).is_bought
                         ? "Samples/s: what the machine would train of it"
                     : compares(screen, columns_of(choosing.kind))
                         ? "Δ: what the whole would cost more, and train faster, with it"
                         : "All, Samples/s: what the whole would cost and train with it");
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (screen.view.dialog_opened) ImGui::SetKeyboardFocusHere();
  text_field(screen, "##search", "search: words of the name, such as micron 7.68",
             screen.view.search);
  if (const auto* choices = screen.lists.of(choosing.kind)) {
    begin_effects(screen, choosing, *choices);
    draw_table(screen, choosing, *choices);
  } else {
    dim_text(screen, "Reading the catalog…");
  }
  if (button(screen, "Cancel")) close_dialog(screen);
  if (choosing.begins) draw_switch(screen, choosing);
  end_dialog();
}

}  // namespace gpufeed::ui
