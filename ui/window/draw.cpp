// SPDX-License-Identifier: Apache-2.0
#include "ui/window/draw.h"

#include <algorithm>
#include <utility>

#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
#include "ui/window/kit/wheel.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

Told told_of(const Session& session) {
  if (!session.result() || !session.answered()) return {};
  Result told;
  told.warnings = session.result()->warnings;
  told.bottleneck = session.result()->bottleneck;
  told.without_price = session.result()->without_price;
  told.without_power = session.result()->without_power;
  told = called_by_title(std::move(told), *session.answered());
  return {std::move(told.warnings), std::move(told.bottleneck.evidence),
          std::move(told.without_price), std::move(told.without_power)};
}

/// Makes anew what is drawn from the session. The picture is of the machine that the answer is of:
/// it stays while a new one is computed.
void refresh(Screen& screen) {
  ViewState& view = screen.view;
  const Session& session = screen.session;
  if (std::exchange(view.drawn_edits, session.edits()) != session.edits()) view.message.clear();
  if (view.drawn_version == session.version()) return;
  view.drawn_version = session.version();
  view.titled = told_of(session);
  if (!session.is_scenario()) {
    view.rows.clear();
    view.requested.reset();
    view.settings.clear();
    view.picture = Picture();
    return;
  }
  view.rows = part_rows(session.text(), session.scenario().get(),
                        session.result() ? session.result()->bill : std::vector<BillLine>{},
                        session.catalog());
  view.requested = requested_machine_of(session.text(), session.catalog());
  view.settings = setting_rows(session.text());
  view.picture =
      session.result() ? picture_of(*session.result(), *session.answered()->system) : Picture();
}

bool trains(const Result& result) { return !result.stages.empty(); }

/// Panels below one another, where there is no room for two side by side; the last one has the rest
/// of the page.
void draw_narrow_machine(Screen& screen, const Result& result, float width) {
  const auto rest = [&](float least) {
    return ImVec2{width, std::max(screen.px(least), ImGui::GetContentRegionAvail().y)};
  };
  constexpr float kPicture = 0.45F;  ///< its height over its width, as most machines need it
  draw_topology(screen, {width, std::max(screen.px(220), kPicture * width)});
  if (!trains(result)) return draw_report(screen, result, rest(330));
  draw_stages(screen, result, {width, screen.px(300)});
  draw_gpu_time(screen, result, rest(420));
}

void draw_machine(Screen& screen, const Result& result, ImVec2 size) {
  constexpr float kLeastForTwo = 900;
  if (size.x < screen.px(kLeastForTwo)) return draw_narrow_machine(screen, result, size.x);
  const float bottom = std::clamp(size.y * 0.46F, screen.px(300), screen.px(390));
  draw_topology(screen, {size.x, size.y - bottom - ImGui::GetStyle().ItemSpacing.y});
  if (trains(result)) {
    const float left = size.x * 0.58F;
    draw_stages(screen, result, {left, bottom});
    ImGui::SameLine();
    draw_gpu_time(screen, result, {0, bottom});
  } else {
    draw_report(screen, result, {size.x, bottom});
  }
}

void draw_page(Screen& screen, const Result& result, ImVec2 size) {
  switch (screen.view.page) {
    case Page::machine:
      return draw_machine(screen, result, size);
    case Page::timeline:
      return draw_timeline(screen, result, size);
    case Page::path:
      return draw_path(screen, result, size);
    case Page::what_if:
      return draw_what_if(screen, size);
    case Page::sweep:
      return draw_sweep(screen, size);
    case Page::find:
      return draw_find(screen, size);
    case Page::compare:
      return draw_compare(screen, size);
    case Page::explain:
      return draw_explain(screen, size);
  }
}

/// What depends on the answer; dimmed where that is not of the scenario as it is. It scrolls where
/// there is too little room.
void draw_answer(Screen& screen, ImVec2 size) {
  const std::shared_ptr<const Result> result = screen.session.result();
  const bool stale = screen.session.standing() != Standing::current;
  if (stale) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55F);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  ImGui::BeginChild("answer", size);
  ImGui::PopStyleColor();
  draw_cards(screen, *result);
  draw_pages(screen);
  constexpr float kLeastPage = 520;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_page(screen, *result, {room.x, std::max(room.y, screen.px(kLeastPage))});
  ImGui::EndChild();
  if (stale) ImGui::PopStyleVar();
}

float height_of_problems(const Screen& screen) {
  const auto lines = static_cast<float>(std::min<std::size_t>(screen.session.problems().size(), 4));
  const float repairs = screen.session.repairs().empty() ? 0 : 2;
  return screen.px(88) + (1.6F * lines + 1.4F * repairs) * ImGui::GetTextLineHeightWithSpacing();
}

void draw_right(Screen& screen, ImVec2 size) {
  ImGui::BeginGroup();
  const Session& session = screen.session;
  const bool wrong = session.standing() == Standing::wrong;
  if (wrong && session.result()) {
    const float height = height_of_problems(screen);
    draw_problems(screen, {size.x, height});
    size.y -= height + ImGui::GetStyle().ItemSpacing.y;
  }
  if (session.result())
    draw_answer(screen, size);
  else if (wrong)
    draw_problems(screen, size);
  else
    draw_loading(screen, size);
  ImGui::EndGroup();
}

void draw_body(Screen& screen) {
  const float status = ImGui::GetTextLineHeightWithSpacing();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 body{room.x, room.y - status};
  if (screen.session.standing() == Standing::empty) return draw_start(screen, body);
  if (screen.session.serves()) return draw_serving(screen, body);
  if (screen.session.is_shared()) return draw_cluster(screen, body);
  const float left = std::min(screen.px(370), body.x * 0.32F);
  draw_settings(screen, {left, body.y});
  ImGui::SameLine();
  draw_right(screen, {body.x - left - ImGui::GetStyle().ItemSpacing.x, body.y});
}

void draw_dialogs(Screen& screen) {
  switch (screen.view.dialog) {
    case Dialog::none:
      break;
    case Dialog::open:
      draw_open_dialog(screen);
      break;
    case Dialog::save:
      draw_save_dialog(screen);
      break;
    case Dialog::report:
      draw_report_dialog(screen);
      break;
    case Dialog::keys:
      draw_keys_dialog(screen);
      break;
    case Dialog::choose:
      draw_choose_dialog(screen);
      break;
    case Dialog::settings:
      draw_settings_dialog(screen);
      break;
    case Dialog::numbers:
      draw_numbers_dialog(screen);
      break;
  }
  screen.view.dialog_opened = false;
  if (screen.view.effects_begun && screen.view.dialog != Dialog::choose) {
    screen.effects.cancel();
    screen.view.effects_begun = false;
  }
}

}  // namespace

void draw_screen(Screen& screen) {
  screen.view.probes.new_frame();
  hand_wheel_on();
  hand_typing_on(screen.view);
  refresh(screen);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("gpufeed", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  draw_toolbar(screen);
  draw_body(screen);
  draw_status(screen);
  draw_dialogs(screen);
  ImGui::End();
  keep_typing(screen.view);
}

}  // namespace gpufeed::ui
