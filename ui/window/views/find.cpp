// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "reports/writers/layout.h"
#include "reports/writers/recommendation_text.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"
#include "ui/model/build/words.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/axis_form.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

constexpr std::size_t kMostAxes = 4;

void refresh_goal(Screen& screen) {
  FindState& state = screen.view.find;
  if (state.version == screen.session.version() || !screen.session.result()) return;
  state.version = screen.session.version();
  state.parameters =
      choosable(screen.view.requested, *screen.session.answered(), *screen.session.result());
}

void draw_aim(Screen& screen) {
  struct Words {
    Aim aim;
    const char* name;
    const char* help;
  };
  constexpr std::array kAims{
      Words{Aim::cheapest, "Cheapest", "The choice with the lowest price"},
      Words{Aim::fastest, "Fastest", "The choice with the most samples a second"},
      Words{Aim::front, "Pareto front",
            "All choices that no other beats in both price and samples a second"}};
  dim_text(screen, "What is wanted");
  Aim& aim = screen.view.find.form.aim;
  for (const Words& one : kAims) {
    if (&one != kAims.data()) ImGui::SameLine();
    if (ImGui::RadioButton(one.name, aim == one.aim)) aim = one.aim;
    note(screen, one.name);
    tooltip(screen, one.help);
  }
}

void draw_limit(Screen& screen, const char* label, const char* hint, const char* help,
                std::string& text) {
  ImGui::AlignTextToFramePadding();
  dim_text(screen, label);
  tooltip(screen, help);
  ImGui::SameLine(screen.px(150));
  ImGui::SetNextItemWidth(-FLT_MIN);
  text_field(screen, fmt::format("##{}", label).c_str(), hint, text);
  note(screen, label);
}

void draw_limits(Screen& screen) {
  GoalForm& form = screen.view.find.form;
  draw_limit(screen, "GPU utilization, from", "no limit", "Share of the time that the GPUs compute",
             form.busy);
  draw_limit(screen, "Price, at most", "USD: no limit", "Of all machines and stores", form.price);
  draw_limit(screen, "Samples/s, at least", "no limit", "Of all GPUs together", form.rate);
  draw_limit(screen, "Hours, at most", "no limit", "From the start to the result", form.hours);
  draw_limit(screen, "Power, at most", "W: no limit", "At full load", form.power);
}

/// Products of the catalog behind those that are there already.
void add_product(Screen& screen, AxisForm& form, const std::string& number) {
  const std::string kind = kind_of_parts(form.parameter);
  if (kind.empty() || form.range) return;
  std::string& search = screen.view.find.search;
  if (ImGui::SmallButton("Add a product…")) {
    search.clear();
    ImGui::OpenPopup("products");
  }
  note(screen, "Add a product " + number);
  if (!ImGui::BeginPopup("products")) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(screen.px(420));
  text_field(screen, "##product", "search: words of the name", search);
  ImGui::BeginChild("list", {screen.px(420), screen.px(300)});
  if (const auto* choices = screen.lists.of(kind))
    for (const Choice* one : found_in(*choices, search)) {
      if (one->fits_nowhere || !list_item(screen, one->title)) continue;
      form.list = with_product_added(form.list, one->name);
      ImGui::CloseCurrentPopup();
    }
  ImGui::EndChild();
  ImGui::EndPopup();
}

void draw_axes(Screen& screen) {
  FindState& state = screen.view.find;
  auto& axes = state.form.axes;
  std::erase_if(axes, [](const AxisForm& axis) { return axis.parameter.path.empty(); });
  axes.resize(std::min(axes.size() + 1, kMostAxes));  // one to fill in
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const AxisLabels labels{i == 0 ? "What may be chosen" : "and",
                            "choose…",
                            "Choice " + number,
                            "values of choice " + number,
                            "from " + number,
                            "to " + number,
                            "how many of " + number,
                            "of choice " + number};
    draw_axis_form(screen, axes[i], labels, state.parameters, suggested_choice);
    ImGui::PushID(static_cast<int>(i));
    if (!axes[i].parameter.path.empty()) add_product(screen, axes[i], number);
    ImGui::PopID();
    ImGui::Spacing();
  }
}

void draw_goal(Screen& screen, ImVec2 size) {
  begin_panel(screen, "find form", "Find the best", size);
  draw_aim(screen);
  ImGui::Spacing();
  draw_limits(screen);
  ImGui::Spacing();
  draw_axes(screen);
  if (screen.finder.running()) {
    if (button(screen, "Cancel the search")) screen.finder.cancel();
  } else if (main_button(screen, "Find it (F5)")) {
    carry_out(screen, Command::start);
  }
  const std::string& problem = screen.view.find.problem;
  if (!problem.empty()) {
    problem_text(screen, problem);
    note(screen, "problem of the goal");
    bring_outcome_into_sight(screen);
  }
  end_panel();
}

std::string heading_of(const Recommendation& answer, Aim asked) {
  if (answer.chosen.empty()) return "No choice meets all conditions";
  if (asked == Aim::front) return "No other choice beats one of these in both price and samples/s";
  return asked == Aim::cheapest ? "The cheapest" : "The fastest";
}

/// "drives = 6 x micron-5300-pro-3.84tb, loader.workers_per_gpu = 8".
std::string values_in_words(const gpufeed::Choice& choice) {
  constexpr std::string_view kParts = "system.";
  std::string out;
  for (const ChosenValue& one : choice.values)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ",
                       one.path.substr(one.path.starts_with(kParts) ? kParts.size() : 0),
                       without_quotes(one.value));
  return out;
}

void load_choice(Screen& screen, const std::string& text, const gpufeed::Choice& choice) {
  screen.session.apply([&](const std::string& /*now*/) { return with_choice(text, choice); });
}

void draw_choices(Screen& screen, const Recommendation& answer) {
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH |
                     ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("chosen", 6, flags)) return;
  for (const char* const name : {"", "Price", "Power", "Samples/s", term::kGpuUtil.data()})
    ImGui::TableSetupColumn(name);
  ImGui::TableSetupColumn("Choice, and what holds it back", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableHeadersRow();
  const std::string text = screen.finder.text();
  for (std::size_t i = 0; i < answer.chosen.size(); ++i) {
    const gpufeed::Choice& choice = answer.chosen[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton("Load")) load_choice(screen, text, choice);
    note(screen, fmt::format("Load choice {}", i + 1));
    tooltip(screen, "Make this the open configuration; Undo takes it back");
    ImGui::PopID();
    for (const std::string& words :
         {price_text(choice), power_text(choice), text_number(choice.job_samples_per_s),
          percent(choice.job_gpu_utilization)}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(words.c_str());
    }
    ImGui::TableNextColumn();
    wrapped_text(values_in_words(choice));
    dim_text(screen, "held back by " + choice.bottleneck);
    if (const auto chance = confidence_text(choice); !chance.empty())
      dim_text(screen, "chance: " + chance);
    if (!choice.without_price.empty()) {
      ImGui::PushTextWrapPos(0);
      dim_text(screen, "not counted, price not known: " + choice.without_price);
      ImGui::PopTextWrapPos();
    }
  }
  ImGui::EndTable();
}

void draw_found(Screen& screen, ImVec2 size) {
  const Finder& finder = screen.finder;
  if (finder.running()) {
    begin_panel(screen, "found", "Searching…", size);
    wrapped_text(
        "Choices are excluded by price, power and the analytic bound of their rate; what "
        "that leaves open is simulated.");
  } else if (!finder.problem().empty()) {
    begin_panel(screen, "found", "This cannot be searched", size);
    problem_text(screen, finder.problem());
  } else if (!finder.answer()) {
    begin_panel(screen, "found", "Which configuration is the best?", size);
    paragraph(
        screen,
        "Say on the left what is wanted and what may be chosen: all combinations are looked at, "
        "and the answer comes with its proof. \"1..8 x NAME\" stands for one to eight of a "
        "product.");
  } else {
    const Recommendation answer = *finder.answer();
    begin_panel(screen, "found", heading_of(answer, screen.view.find.asked), size);
    ImGui::PushTextWrapPos(0);
    const std::string equals = equals_text(answer);
    dim_text(screen, "Proof: " + proof_text(answer) + (equals.empty() ? "" : "; " + equals));
    if (screen.session.text() != screen.finder.text())
      dim_text(screen,
               "Load begins from the configuration that was searched, without later changes.");
    if (!answer.first_refusal.empty())
      dim_text(screen, "Cannot be built, such as: " + answer.first_refusal);
    ImGui::PopTextWrapPos();
    for (const Obstacle& obstacle : answer.obstacles) wrapped_text(obstacle_text(obstacle));
    for (const SurerChoice& surer : answer.surer) wrapped_text("Surer, " + surer_text(surer));
    if (!answer.chosen.empty()) draw_choices(screen, answer);
  }
  end_panel();
  note(screen, "what was found");
  bring_outcome_into_sight(screen);
}

}  // namespace

void draw_find(Screen& screen, ImVec2 size) {
  refresh_goal(screen);
  constexpr float kLeastForTwo = 760;
  const bool narrow = size.x < screen.px(kLeastForTwo);
  const float left = narrow ? size.x : screen.px(340);
  draw_goal(screen, {left, narrow ? screen.px(420) : size.y});
  if (!narrow) ImGui::SameLine();
  draw_found(screen, {0, narrow ? screen.px(330) : size.y});
}

}  // namespace gpufeed::ui
