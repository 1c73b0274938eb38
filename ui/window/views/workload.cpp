// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/model/taken.h"
#include "ui/model/build/key_labels.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

struct NumberKey {
  const char* path;
  std::int64_t least;  ///< of the buttons; what is typed in is judged as all of the scenario is
  std::int64_t most;
  const char* help;
};

constexpr float kLabels = 126;  ///< their room

void label(const Screen& screen, const char* path, const char* help) {
  ImGui::AlignTextToFramePadding();
  dim_text(screen, label_of(path));
  tooltip(screen, help);
  ImGui::SameLine(screen.px(kLabels));
  ImGui::SetNextItemWidth(-FLT_MIN);
}

/// As the scenario's text says it, be it wrong; else what stands where it says nothing.
std::string shown_value(const Screen& screen, const char* path, std::int64_t own) {
  const auto& rows = screen.view.settings;
  const auto row = std::ranges::find(rows, path, &SettingRow::path);
  return row == rows.end() || row->value.empty() ? std::to_string(own) : row->value;
}

void number(Screen& screen, const NumberKey& key, std::int64_t own) {
  label(screen, key.path, key.help);
  const auto typed = number_field(
      screen, {key.path, key.path, shown_value(screen, key.path, own), key.least, key.most});
  if (typed && typed->empty())
    screen.session.reset(key.path);
  else if (typed)
    screen.session.edit_words(key.path, *typed);
  const std::string problem = problem_of(key.path, screen.session.problems());
  if (problem.empty()) return;
  problem_text(screen, problem);
  note(screen, std::string("problem of ") + key.path);
}

void data_place(Screen& screen, const Scenario& scenario) {
  label(screen, "data.at",
        "Where the job reads, or saves (data.at): a volume of drives, a drive, or a shared store");
  const std::string& now = text_of(scenario.data.at.id);
  const bool open = ImGui::BeginCombo("##data", now.empty() ? "nowhere" : now.c_str());
  note(screen, "data.at");
  if (!open) return;
  for (const auto& place : places_of(scenario))
    if (list_item(screen, place, place == now))
      screen.session.apply([&](const std::string& text) { return with_data_at(text, place); });
  ImGui::EndCombo();
}

std::string name_and_title(const std::string& name, const std::string& title) {
  return title.empty() ? name : title;
}

/// In which steps the job goes on.
void draw_steps(Screen& screen, const Scenario& scenario, const RunsEpochs& epochs) {
  number(screen,
         {"workload.batch_per_gpu", 1, 1000000,
          "Samples of one step of one GPU (workload.batch_per_gpu)"},
         epochs.batch_per_gpu);
  number(screen,
         {"loader.workers_per_gpu", 0, 1024,
          "Worker processes of each GPU, PyTorch's num_workers (loader.workers_per_gpu)"},
         scenario.loader.workers_per_gpu);
  number(screen,
         {"loader.prefetch_batches", 1, 1024,
          "Batches that each worker may have under way, PyTorch's prefetch_factor "
          "(loader.prefetch_batches)"},
         scenario.loader.prefetch_batches);
}

}  // namespace

void draw_workload(Screen& screen, const Scenario& scenario) {
  const auto product_row = [&](const char* help, const char* kind, const char* path,
                               const auto& ref) {
    dim_text(screen, label_of(path));
    const float width = screen.px(84);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (ImGui::Button(fmt::format("Change…##{}", path).c_str(), {width, 0}))
      choose(screen, choosing_for_key(kind, std::string("Another ") + help, path, ref.name));
    note(screen, std::string("Change ") + path);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - screen.px(8));
    wrapped_text(name_and_title(ref.name, ref->title));
  };
  if (const auto* own = scenario.workload.find<FeedsGpus>(); own && own->model)
    product_row("network to train (workload.model)", "model", "workload.model", own->model);
  if (const auto* own = scenario.workload.find<ReadsDataset>(); own && own->dataset)
    product_row("data set to train on (workload.dataset)", "dataset", "workload.dataset",
                own->dataset);
  const auto has = [&](std::string_view section, std::string_view key = {}) {
    return is_taken(scenario.workload.kind(), section, key);
  };
  if (has("data", "at")) data_place(screen, scenario);
  if (const auto* const epochs = scenario.workload.find<RunsEpochs>())
    draw_steps(screen, scenario, *epochs);
  if (has("nodes"))
    number(screen, {"nodes", 1, kMostNodes, "How many work together (nodes)"}, scenario.nodes);
  draw_job_forms(screen, scenario);
  if (button(screen, "All settings…", {-FLT_MIN, 0})) carry_out(screen, Command::settings);
  tooltip(screen, "Every key of the scenario, with its default (Ctrl+E)");
}

}  // namespace gpufeed::ui
