// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

struct NumberKey {
  const char* label;
  const char* path;
  std::int64_t least;
  std::int64_t most;
  std::int64_t step;
  const char* help;
};

constexpr float kLabels = 126;  ///< their room

void label(const Screen& screen, const char* name, const char* help) {
  ImGui::AlignTextToFramePadding();
  dim_text(screen, name);
  tooltip(screen, help);
  ImGui::SameLine(screen.px(kLabels));
  ImGui::SetNextItemWidth(-FLT_MIN);
}

/// What the field shows: what was typed in last, until the scenario says it, or something else.
std::int64_t shown_value(Screen& screen, const char* path, std::int64_t own) {
  auto& pending = screen.view.pending;
  const auto typed = pending.find(path);
  if (typed == pending.end()) return own;
  if (typed->second.since == screen.session.scenario().get()) return typed->second.value;
  pending.erase(typed);
  return own;
}

void number(Screen& screen, const NumberKey& key, std::int64_t own) {
  label(screen, key.label, key.help);
  std::int64_t value = shown_value(screen, key.path, own);
  const std::int64_t step = key.step;
  const std::int64_t fast = key.step * 8;
  ImGui::PushID(key.path);
  if (ImGui::InputScalar("##value", ImGuiDataType_S64, &value, &step, &fast))
    screen.view.pending[key.path] = {std::min(std::max(value, key.least), key.most),
                                     screen.session.scenario().get()};
  if (ImGui::IsItemDeactivatedAfterEdit())
    screen.session.edit(key.path, std::to_string(shown_value(screen, key.path, own)));
  note(screen, key.path);
  ImGui::PopID();
}

/// Where data could lie: volumes, drives in none, stores.
std::vector<std::string> places_of(const Scenario& scenario) {
  std::vector<std::string> places;
  for (const auto& volume : scenario.system->volumes) places.push_back(volume.id);
  if (places.empty())
    for (const auto& drive : scenario.system->drives) places.push_back(drive.id);
  for (const auto& [name, store] : scenario.store) places.push_back(name);
  return places;
}

void data_place(Screen& screen, const Scenario& scenario) {
  label(screen, "Data on",
        "Where training reads (data.at): a volume of drives, a drive, or a shared store");
  const std::string& now = scenario.data.at.id;
  const bool open = ImGui::BeginCombo("##data", now.empty() ? "nowhere" : now.c_str());
  note(screen, "data.at");
  if (!open) return;
  for (const auto& place : places_of(scenario))
    if (list_item(screen, place, place == now)) screen.session.edit("data.at", toml_string(place));
  ImGui::EndCombo();
}

std::string name_and_title(const std::string& name, const std::string& title) {
  return title.empty() ? name : title;
}

}  // namespace

void draw_workload(Screen& screen, const Scenario& scenario) {
  const auto product_row = [&](const char* name, const char* help, const char* kind,
                               const char* path, const auto& ref) {
    dim_text(screen, name);
    const float width = screen.px(84);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (ImGui::Button(fmt::format("Change…##{}", path).c_str(), {width, 0}))
      choose(screen, choosing_for_key(kind, std::string("Another ") + help, path, ref.name));
    note(screen, std::string("Change ") + path);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - screen.px(8));
    wrapped_text(name_and_title(ref.name, ref->title));
  };
  dim_text(screen, "Machine");
  wrapped_text(scenario.system->title);
  if (const auto* own = scenario.workload.find<FeedsGpus>(); own && own->model)
    product_row("Neural network", "network to train (workload.model)", "model", "workload.model",
                own->model);
  if (const auto* own = scenario.workload.find<ReadsDataset>(); own && own->dataset)
    product_row("Data set", "data set to train on (workload.dataset)", "dataset",
                "workload.dataset", own->dataset);
  const auto* const epochs = scenario.workload.find<RunsEpochs>();
  if (!epochs) return;
  data_place(screen, scenario);
  number(screen,
         {"Batch per GPU", "workload.batch_per_gpu", 1, 1000000, 1,
          "Samples of one step of one GPU (workload.batch_per_gpu)"},
         epochs->batch_per_gpu);
  number(screen,
         {"Loader workers", "loader.workers_per_gpu", 0, 1024, 1,
          "Worker processes of each GPU, PyTorch's num_workers (loader.workers_per_gpu)"},
         scenario.loader.workers_per_gpu);
  number(screen,
         {"Prefetch", "loader.prefetch_batches", 1, 1024, 1,
          "Batches that each worker may have under way, PyTorch's prefetch_factor "
          "(loader.prefetch_batches)"},
         scenario.loader.prefetch_batches);
  number(screen, {"Machines", "nodes", 1, 4096, 1, "How many train together (nodes)"},
         scenario.nodes);
  if (button(screen, "All settings…", {-FLT_MIN, 0})) carry_out(screen, Command::settings);
  tooltip(screen, "Every key of the scenario, with its default (Ctrl+E)");
}

}  // namespace gpufeed::ui
