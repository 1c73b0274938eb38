// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "ui/model/build/stores.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

struct FormField {
  const char* label;
  const char* path;
  bool place = false;  ///< a volume, drive or store
};

struct FormGroup {
  const char* title;
  std::vector<FormField> fields;
};

const std::vector<FormGroup>& form_groups() {
  static const std::vector<FormGroup> groups{{"Precision and GPU memory",
                                              {{"Precision", "workload.precision"},
                                               {"Optimizer", "workload.optimizer"},
                                               {"Sharding", "parallel.shard"},
                                               {"Recomputation", "workload.recompute"},
                                               {"LoRA", "workload.lora"},
                                               {"Micro-batch", "parallel.micro_batch"},
                                               {"GPUs a matrix", "parallel.tensor"},
                                               {"Stages", "parallel.pipeline"}}},
                                             {"Checkpoints",
                                              {{"Every … steps", "checkpoint.interval_steps"},
                                               {"Saved on", "checkpoint.at", true},
                                               {"GPUs wait", "checkpoint.mode"},
                                               {"Written by", "checkpoint.writers"}}},
                                             {"Loading and cache",
                                              {{"Decoding", "loader.decode"},
                                               {"Reads go", "data.mode"},
                                               {"Into GPUs", "data.path"},
                                               {"Page cache", "loader.cache"},
                                               {"Its memory", "loader.cache_memory"},
                                               {"Copied in", "data.staging.mode"},
                                               {"Pinned memory", "loader.pinned_memory"}}}};
  return groups;
}

/// The words that may stand at a key, or none where it is typed in.
std::vector<std::string> words_for(const SettingRow& row, const FormField& field,
                                   const Scenario& scenario) {
  if (field.place) return places_of(scenario);
  if (auto usual = items_of(usual_values(field.path)); !usual.empty()) return usual;
  if (row.kind.kind == ValueKind::truth) return {"true", "false"};
  std::vector<std::string> words;
  for (const std::string_view word : row.kind.words) words.emplace_back(word);
  return words;
}

std::string usual_in_words(const SettingRow& row) {
  return row.standard.empty() || row.standard == "required" ? "not set" : "usual: " + row.standard;
}

/// What the file says, be it wrong; tests know the list by the path, its items by "PATH=WORD".
void draw_form_field(Screen& screen, const FormField& field, const SettingRow& row,
                     const Scenario& scenario) {
  constexpr float kFormLabels = 126;
  ImGui::AlignTextToFramePadding();
  dim_text(screen, field.label);
  tooltip(screen, row.help + "\n" + field.path + ": " + row.form);
  ImGui::SameLine(screen.px(kFormLabels));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const std::vector<std::string> words = words_for(row, field, scenario);
  if (words.empty()) {
    const auto typed = value_field(screen, std::string("form ") + field.path, row.value);
    if (typed && typed->empty())
      screen.session.reset(own_path(row.path));
    else if (typed)
      screen.session.edit_words(own_path(row.path), *typed);
  } else {
    const std::string usual = usual_in_words(row);
    ImGui::PushID(field.path);
    const bool open =
        ImGui::BeginCombo("##form", row.value.empty() ? usual.c_str() : row.value.c_str());
    note(screen, std::string("form ") + field.path);
    if (open) {
      if (list_item(screen, usual, row.value.empty())) screen.session.reset(own_path(row.path));
      for (const std::string& word : words) {
        if (ImGui::Selectable(word.c_str(), word == row.value))
          screen.session.edit_words(own_path(row.path), word);
        note(screen, fmt::format("{}={}", field.path, word));
      }
      ImGui::EndCombo();
    }
    ImGui::PopID();
  }
  if (row.value.empty()) {
    // a field that is typed into has no room for it
    if (words.empty()) tooltip(screen, usual_in_words(row));
  }
  const std::string problem = problem_of(own_path(row.path), screen.session.problems());
  if (!problem.empty()) problem_text(screen, problem);
}

}  // namespace

void draw_job_forms(Screen& screen, const Scenario& scenario) {
  const std::vector<SettingRow> rows = screen.view.settings;  // an edit makes them anew
  const auto row_at = [&](const FormField& field) {
    return std::ranges::find(rows, std::string(field.path), &SettingRow::path);
  };
  for (const FormGroup& group : form_groups()) {
    const bool has_any = std::ranges::any_of(
        group.fields, [&](const FormField& field) { return row_at(field) != rows.end(); });
    if (!has_any) continue;
    const bool open = ImGui::CollapsingHeader(group.title);
    note(screen, group.title);
    if (!open) continue;
    for (const FormField& field : group.fields)
      if (const auto row = row_at(field); row != rows.end() && !row->in_tables)
        draw_form_field(screen, field, *row, scenario);
  }
}

}  // namespace gpufeed::ui
