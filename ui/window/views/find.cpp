// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/recommendation_text.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"
#include "ui/model/build/words.h"
#include "ui/model/decide/best_three.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/axis_form.h"
#include "ui/window/views/sweep_parts.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void refresh_goal(Screen& screen) {
  FindState& state = screen.view.find;
  if (state.version == screen.session.version() || !screen.session.result()) return;
  state.version = screen.session.version();
  state.parameters =
      choosable(screen.view.requested, *screen.session.answered(), *screen.session.result());
  std::vector<TickGroup> groups = tick_groups(state.parameters);
  for (const TickGroup& old : state.groups) {  // those that were asked for
    const auto still = std::ranges::find(state.parameters, old.parameter.path, &Parameter::path);
    const auto same = [&](const TickGroup& one) {
      return one.parameter.path == old.parameter.path;
    };
    if (still != state.parameters.end() && std::ranges::none_of(groups, same))
      groups.push_back(tick_group(*still));
  }
  keep_ticks(state.groups, groups);
  state.groups = std::move(groups);
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
  const bool more = ImGui::CollapsingHeader("More limits");
  note(screen, "More limits");
  if (!more && form.rate.empty() && form.hours.empty() && form.power.empty()) return;
  draw_limit(screen, "Samples/s, at least", "no limit", "Of all GPUs together", form.rate);
  draw_limit(screen, "Hours, at most", "no limit", "From the start to the result", form.hours);
  draw_limit(screen, "Power, at most", "W: no limit", "At full load", form.power);
}

void draw_ticks(const Screen& screen, const std::string& path, std::vector<Tick>& ticks,
                bool in_a_row) {
  for (Tick& tick : ticks) {
    const float width = ImGui::CalcTextSize(tick.words.c_str()).x + screen.px(34);
    if (in_a_row && &tick != ticks.data() &&
        room_behind_item(ImGui::GetWindowContentRegionMax().x - width))
      ImGui::SameLine();
    const std::string shown =
        clipped_to(tick.words, ImGui::GetContentRegionAvail().x - screen.px(30), ImGui::GetFont(),
                   ImGui::GetFontSize());
    ImGui::Checkbox(fmt::format("{}##{}", shown, tick.value).c_str(), &tick.on);
    note(screen, fmt::format("{}={}", path, tick.value));
    if (shown != tick.words) tooltip(screen, tick.words);
  }
}

/// Any other product of the kind, by its name.
void add_product(Screen& screen, TickGroup& group) {
  std::string& search = screen.view.find.search;
  if (ImGui::SmallButton("Another…")) {
    search.clear();
    ImGui::OpenPopup("products");
    hold_typing(screen);
  }
  note(screen, "another " + group.parameter.path);
  if (!ImGui::BeginPopup("products")) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(screen.px(420));
  text_field(screen, "##product", "search: words of the name", search);
  ImGui::BeginChild("list", {screen.px(420), screen.px(300)});
  if (const auto* choices = screen.lists.of(group.kind))
    for (const Choice* one : found_in(*choices, search)) {
      if (one->fits_nowhere || !list_item(screen, one->title)) continue;
      add_tick(group.values, one->name, one->title);
      ImGui::CloseCurrentPopup();
    }
  ImGui::EndChild();
  ImGui::EndPopup();
}

/// A value that is not among those to tick.
void add_own_value(Screen& screen, TickGroup& group) {
  FindState& state = screen.view.find;
  ImGui::SetNextItemWidth(-FLT_MIN);
  std::string typed = state.own_of == group.parameter.path ? state.own : "";
  const bool entered = ImGui::InputTextWithHint("##own", "another value, then Enter", &typed,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  note(screen, "own " + group.parameter.path);
  tooltip(screen, group.parameter.help + "\n" + group.parameter.form);
  if (ImGui::IsItemActive() || entered) state.own_of = group.parameter.path, state.own = typed;
  if (!entered) return;
  for (const std::string& value : items_of(typed)) add_tick(group.values, value, value);
  state.own.clear();
}

void draw_group(Screen& screen, TickGroup& group) {
  const std::string& path = group.parameter.path;
  const std::int64_t varied = values_of(group);
  ImGui::PushID(path.c_str());
  const bool open = ImGui::CollapsingHeader(
      fmt::format("{}{}###group", group.title, varied > 1 ? fmt::format(": {} values", varied) : "")
          .c_str());
  note(screen, "vary " + path);
  tooltip(screen, group.parameter.help);
  if (open) {
    const auto* const choices = group.kind.empty() ? nullptr : screen.lists.of(group.kind);
    if (choices && !group.filled)
      fill_with_products(group, screen.session.text(), screen.session.file().string(), *choices,
                         screen.session.catalog());
    draw_ticks(screen, path, group.values, group.kind.empty());
    if (!group.counts.empty()) {
      dim_text(screen, "How many");
      draw_ticks(screen, path + " x", group.counts, true);
    }
    if (group.kind.empty())
      add_own_value(screen, group);
    else
      add_product(screen, group);
  }
  ImGui::PopID();
}

/// Any key, as a further group.
void add_group(Screen& screen) {
  FindState& state = screen.view.find;
  AxisForm chosen;
  const AxisLabels labels{"", "Another setting…", "Another setting", "", "", "", "", "choice"};
  draw_axis_form(screen, chosen, labels, state.parameters, suggested_form);
  if (chosen.parameter.path.empty()) return;
  const auto same = [&](const TickGroup& one) {
    return one.parameter.path == chosen.parameter.path;
  };
  if (std::ranges::none_of(state.groups, same))
    state.groups.push_back(tick_group(chosen.parameter));
}

void draw_groups(Screen& screen) {
  FindState& state = screen.view.find;
  dim_text(screen, "What may vary: tick values");
  for (TickGroup& group : state.groups) draw_group(screen, group);
  add_group(screen);
}

void draw_goal(Screen& screen, ImVec2 size) {
  begin_panel(screen, "find form", "Find the best", size);
  draw_aim(screen);
  ImGui::Spacing();
  draw_limits(screen);
  ImGui::Spacing();
  const std::int64_t all = combinations(screen.view.find.groups);
  ImGui::TextUnformatted(
      all == 1 ? "1 combination: nothing varies yet"
               : fmt::format("{} combinations", text_number(static_cast<double>(all), 15)).c_str());
  note(screen, "combinations");
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
  ImGui::Spacing();
  draw_groups(screen);
  end_panel();
}

std::string heading_of(const Recommendation& answer, Aim asked) {
  if (answer.chosen.empty()) return "No choice meets all conditions";
  if (asked == Aim::front) return "No other choice beats one of these in both price and samples/s";
  return "The best of " + text_number(static_cast<double>(answer.choices), 15);
}

/// Part by part, products by their titles.
std::string values_in_words(const Screen& screen, const gpufeed::Choice& choice) {
  std::string out;
  for (const ChosenValue& one : choice.values) {
    std::string value = without_quotes(one.value);
    Parameter parameter;
    parameter.path = one.path;
    const std::size_t times = value.find(" x ");
    const std::string name = times == std::string::npos ? value : value.substr(times + 3);
    for (const std::string& kind : {kind_of_parts(parameter), std::string("chassis")})
      if (const auto* const all = kind.empty() ? nullptr : screen.lists.of(kind))
        if (const auto found = std::ranges::find(*all, name, &Choice::name); found != all->end())
          value = (times == std::string::npos ? "" : value.substr(0, times) + " × ") + found->title;
    out += fmt::format("{}{}: {}", out.empty() ? "" : "\n", key_as_title(one.path), value);
  }
  return out;
}

void load_choice(Screen& screen, const std::string& text, const gpufeed::Choice& choice) {
  screen.session.apply([&](const std::string& /*now*/) { return with_choice(text, choice); });
}

void draw_chances(const Screen& screen, const gpufeed::Choice& choice) {
  if (!choice.chance) return;
  const auto words = [](double chance) {  // none is certain
    return chance > 0.99 ? "more than 99 %" : percent(chance);
  };
  wrapped_text("Chance to meet all that is wanted: " + words(*choice.chance));
  for (const ConstraintChance& one : choice.chances)
    clipped_text(screen, condition_in_words(one.constraint) + ": " + words(one.chance), true);
}

void draw_card(Screen& screen, const BestChoice& best, std::size_t number, ImVec2 size) {
  const gpufeed::Choice& choice = best.choice;
  begin_panel(screen, fmt::format("best {}", number).c_str(), best.heading, size);
  if (main_button(screen, fmt::format("Load choice {}", number).c_str()))
    load_choice(screen, screen.finder.text(), choice);
  tooltip(screen, "Make this the open configuration; Undo takes it back");
  ImGui::PushFont(screen.fonts.large);
  ImGui::TextUnformatted(price_text(choice).c_str());
  ImGui::PopFont();
  wrapped_text(fmt::format("{} {}, {} samples/s, {}, {}", term::kGpuUtilization,
                           percent(choice.job_gpu_utilization),
                           text_number(choice.job_samples_per_s),
                           time_text(choice.time_to_result_s), power_text(choice)));
  draw_chances(screen, choice);
  ImGui::Separator();
  ImGui::PushTextWrapPos(0);
  dim_text(screen, values_in_words(screen, choice));
  dim_text(screen, "Held back by " + choice.bottleneck);
  if (!choice.without_price.empty())
    dim_text(screen, "Not counted, price not known: " + choice.without_price);
  ImGui::PopTextWrapPos();
  end_panel();
}

/// What nothing beats, over dollars; where it has been found.
void draw_front(Screen& screen, const Recommendation& front) {
  CostCurve curve;
  const auto& chosen = front.chosen;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i].price_USD)
      curve.points.push_back({*chosen[i].price_USD, chosen[i].job_gpu_utilization, i});
  if (curve.points.size() < 2) return;
  const auto busy = std::ranges::find_if(
      figures(), [](const Figure& one) { return one.name == term::kGpuUtilization; });
  find_front(curve.points, busy->better);
  begin_panel(screen, "front", "What money buys: GPU utilization over dollars",
              {0, screen.px(260)});
  draw_cost_curve(
      screen, curve, *busy,
      [&](std::size_t i) {
        return values_in_words(screen, chosen[i]) + "\n" +
               text_number(chosen[i].job_samples_per_s) +
               " samples/s\nClick to load it; Undo leads back.";
      },
      [&](std::size_t i) { load_choice(screen, screen.finder.text(), chosen[i]); });
  end_panel();
}

void draw_best(Screen& screen, const Recommendation& answer) {
  const Aim asked = screen.view.find.asked;
  const auto best = best_three(answer, asked, screen.finder.front());
  const float room = ImGui::GetContentRegionAvail().x;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool narrow = room < screen.px(600);
  const auto count = static_cast<float>(best.size());
  const float width = narrow ? room : (room - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (i > 0 && !narrow) ImGui::SameLine();
    draw_card(screen, best[i], i + 1, {width, screen.px(310)});
  }
  if (asked == Aim::front)
    draw_front(screen, answer);
  else if (screen.finder.front())
    draw_front(screen, *screen.finder.front());
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
        "Say on the left what is wanted, and tick what may vary: all combinations are looked at, "
        "and the answer comes with its proof.");
  } else {
    const Recommendation answer = *finder.answer();
    begin_panel(screen, "found", heading_of(answer, screen.view.find.asked), size);
    if (!answer.chosen.empty()) draw_best(screen, answer);
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
