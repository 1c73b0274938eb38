// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

constexpr float kAnswers = 150;  ///< their room

/// A question at the left; its answers follow in the same line.
void question(const Screen& screen, const char* words) {
  ImGui::AlignTextToFramePadding();
  dim_text(screen, words);
  ImGui::SameLine(screen.px(kAnswers));
}

/// A button that stays pressed; in the next line where there is no room.
bool answer(const Screen& screen, const std::string& label, bool chosen, bool first) {
  const float width = ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  if (!first) {
    if (room_behind_item(ImGui::GetWindowContentRegionMax().x - width))
      ImGui::SameLine(0, screen.px(6));
    else
      ImGui::SetCursorPosX(screen.px(kAnswers));
  }
  return chosen ? main_button(screen, label.c_str()) : button(screen, label.c_str());
}

std::string title_in(const Screen& screen, const std::string& kind, const std::string& name) {
  if (const auto* choices = screen.lists.of(kind))
    if (const auto found = std::ranges::find(*choices, name, &Choice::name);
        found != choices->end())
      return found->title;
  return name;
}

/// A list to choose from; tests know it by `name`, its items by the products. \return what is taken
std::optional<std::string> combo(const Screen& screen, const char* name, float width,
                                 const std::string& kind, const std::string& now,
                                 const std::vector<std::string>& all, const char* none = nullptr) {
  std::optional<std::string> taken;
  ImGui::SetNextItemWidth(screen.px(width));
  ImGui::PushID(name);
  const std::string shown = now.empty() && none ? none : title_in(screen, kind, now);
  const float room =
      screen.px(width) - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  const bool open = ImGui::BeginCombo(
      "##combo", clipped_to(shown, room, ImGui::GetFont(), ImGui::GetFontSize()).c_str());
  note(screen, name);
  tooltip(screen, shown);
  if (open) {
    if (none && list_item(screen, none, now.empty())) taken = "";
    for (const std::string& one : all) {
      const std::string title = title_in(screen, kind, one);
      if (ImGui::Selectable(fmt::format("{}##{}", title, one).c_str(), one == now)) taken = one;
      note(screen, one);
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  return taken;
}

void draw_job(Screen& screen, JobForm& form) {
  question(screen, "What do you train?");
  bool first = true;
  for (const JobKind& kind : job_kinds())
    if (answer(screen, kind.label, kind.trains == form.trains, std::exchange(first, false)))
      form.trains = kind.trains, form.model = form.dataset = form.amount = "";
  const JobKind& kind = kind_of(form);
  question(screen, "Which model?");
  if (const auto model = combo(screen, "job model", 300, "model", model_of(form), kind.models))
    form.model = *model;
  if (form.trains != Trains::tuning) return;
  ImGui::SameLine(0, screen.px(14));
  if (answer(screen, "LoRA", form.lora, true)) form.lora = true;
  tooltip(screen, "Small matrices beside weights that stay as they are: fits small machines");
  if (answer(screen, "All weights", !form.lora, false)) form.lora = false;
}

void draw_data(Screen& screen, JobForm& form) {
  const JobKind& kind = kind_of(form);
  question(screen, "Where are the data?");
  std::vector<std::string> stores;
  if (const auto* arrays = screen.lists.of("array"))
    for (const Choice& one : *arrays) stores.push_back(one.name);
  if (const auto store =
          combo(screen, "job store", 300, "array", form.store, stores, "on drives in the server"))
    form.store = *store;
  if (!kind.datasets.empty()) {
    ImGui::SameLine(0, screen.px(14));
    const std::string now = form.dataset.empty() ? kind.datasets.front() : form.dataset;
    if (const auto set = combo(screen, "job data", 260, "dataset", now, kind.datasets))
      form.dataset = *set;
  }
  ImGui::SameLine(0, screen.px(14));
  ImGui::SetNextItemWidth(screen.px(90));
  if (const auto typed = value_field(screen, "job amount", form.amount)) form.amount = *typed;
  tooltip(screen, kind.datasets.empty() ? "How many billion tokens; empty: one"
                                        : "How much, such as 40 TB; empty: as the data set is");
  ImGui::SameLine();
  dim_text(screen, kind.datasets.empty() ? "billion tokens" : "in all, such as 40 TB");
}

void draw_counts(Screen& screen, JobForm& form) {
  question(screen, "What counts?");
  const auto one = [&](const char* label, Counts counts, bool first) {
    if (!answer(screen, label, form.counts == counts, first)) return;
    form.counts = counts;
    form.most.clear();
  };
  one("Busy GPUs", Counts::utilization, true);
  one("A budget", Counts::budget, false);
  one("A deadline", Counts::deadline, false);
  if (form.counts == Counts::utilization) return;
  ImGui::SameLine(0, screen.px(14));
  ImGui::SetNextItemWidth(screen.px(90));
  if (const auto typed = value_field(screen, "job limit", form.most)) form.most = *typed;
  ImGui::SameLine();
  dim_text(screen, form.counts == Counts::budget ? "USD at most" : "days at most");
}

/// The verdict on a machine for this job, in lines.
void draw_verdict(const Screen& screen, const JobForm& form, const std::string& machine) {
  const auto effect = screen.effects.of(machine);
  if (!effect || (effect->problem.empty() && !effect->answered))
    return dim_text(screen, "Simulating…");
  if (!effect->problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    wrapped_text("Does not fit: " + effect->problem);
    ImGui::PopStyleColor();
    return;
  }
  const double limit = std::strtod(form.most.c_str(), nullptr);
  constexpr double kDay_s = 86400;
  const bool dear =
      form.counts == Counts::budget && limit > 0 && effect->price_USD && *effect->price_USD > limit;
  const bool late =
      form.counts == Counts::deadline && limit > 0 && effect->time_to_result_s > limit * kDay_s;
  const auto line = [&](const std::string& words, bool poor) {
    ImGui::PushStyleColor(ImGuiCol_Text, poor ? screen.colors().poor : screen.colors().text);
    clipped_text(screen, words, false);
    ImGui::PopStyleColor();
  };
  line(fmt::format("{} {}", term::kGpuUtilization, percent(effect->busy)), false);
  line(effect->tokens_per_s > 0 ? text_number(effect->tokens_per_s, 4) + " tokens/s"
                                : text_number(effect->samples_per_s, 4) + " samples/s",
       false);
  line(time_text(effect->time_to_result_s) + " to the result" + (late ? ": too late" : ""), late);
  line(effect->price_USD ? (effect->without_price.empty() ? "" : "over ") +
                               text_number(std::round(*effect->price_USD), 15) + " USD" +
                               (dear ? ": over the budget" : "")
                         : "price not known",
       dear);
}

void begin_with(Screen& screen, const JobForm& form, const StartMachine& machine) {
  try {
    const std::string text = scenario_of_job(form, machine.name, screen.session.catalog());
    screen.effects.cancel();
    screen.view.job.asked.reset();
    screen.view.camera = Camera();
    screen.view.selected.clear();
    GoalForm& goal = screen.view.find.form;
    if (form.counts == Counts::budget && !form.most.empty()) {
      goal.price = form.most;
      goal.aim = Aim::fastest;
      goal.busy.clear();
    }
    if (form.counts == Counts::deadline && !form.most.empty())
      goal.hours = text_number(24 * std::strtod(form.most.c_str(), nullptr), 6);
    screen.session.start(text, model_of(form) + ".toml");
  } catch (const InputError& error) {
    screen.view.message = shown_line(error.problems().front());
  }
}

void draw_machines(Screen& screen, const JobForm& form, float height) {
  const auto& machines = start_machines();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const auto count = static_cast<float>(machines.size());
  const float width = (ImGui::GetContentRegionAvail().x - gap * (count - 1)) / count;
  for (const StartMachine& machine : machines) {
    if (&machine != &machines.front()) ImGui::SameLine();
    ImGui::BeginChild(machine.name.c_str(), {width, height}, true);
    if (main_button(screen, machine.title.c_str(), {-FLT_MIN, 0}))
      begin_with(screen, form, machine);
    tooltip(screen, title_in(screen, "server", machine.name) +
                        "\nStart from it; every part can be changed afterwards.");
    if (screen.view.job.asked) draw_verdict(screen, form, machine.name);
    ImGui::EndChild();
  }
}

}  // namespace

void draw_job_start(Screen& screen, float height) {
  ImGui::BeginChild("job", {0, height}, true);
  JobState& state = screen.view.job;
  const JobForm before = state.form;
  draw_job(screen, state.form);
  draw_data(screen, state.form);
  draw_counts(screen, state.form);
  question(screen, "Start from");
  dim_text(screen, "One of these, with this job; or one of your own, below");
  if (!state.asked || !(state.form == before)) state.asked = state.form;
  if (state.asked && state.begun != state.asked) {
    state.begun = state.asked;
    std::vector<std::string> names;
    for (const StartMachine& machine : start_machines()) names.push_back(machine.name);
    screen.effects.begin(
        names,
        [form = state.form, catalog = screen.session.catalog()](const std::string& machine) {
          return scenario_of_job(form, machine, catalog);
        },
        "job.toml");
    screen.effects.want(names);
  }
  draw_machines(screen, state.form, ImGui::GetContentRegionAvail().y);
  ImGui::EndChild();
}

}  // namespace gpufeed::ui
