// SPDX-License-Identifier: Apache-2.0
#include "ui/window/views/axis_form.h"

#include "reports/writers/key_words.h"
#include "ui/model/build/words.h"
#include "ui/window/kit/widgets.h"

namespace gpufeed::ui {
namespace {

/// "Workers per GPU  =  8", or the same by the key.
std::string one_line(const std::string& name, const Parameter& parameter) {
  return name + (parameter.now.empty() ? "" : "  =  " + without_quotes(parameter.now));
}

/// A list of all parameters, with a search.
void choose_parameter(Screen& screen, AxisForm& form, const std::vector<Parameter>& parameters,
                      AxisForm (*suggest)(const Parameter&)) {
  if (!ImGui::BeginPopup("parameters")) return;
  std::string& search = screen.view.parameter_search;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(screen.px(520));
  text_field(screen, "##search", "search: words of a parameter, such as workers", search);
  ImGui::BeginChild("list", {screen.px(520), screen.px(320)});
  for (const Parameter* one : found_in(parameters, search)) {
    ImGui::PushID(one->path.c_str());
    if (ImGui::Selectable(one_line(key_as_title(one->path), *one).c_str())) {
      form = suggest(*one);
      ImGui::CloseCurrentPopup();
    }
    note(screen, "vary by " + one->path);
    ImGui::PopID();
    tooltip(screen, one->help + "\n" + one->path + ": " + one->form);
  }
  ImGui::EndChild();
  ImGui::EndPopup();
}

void field(const Screen& screen, const std::string& name, std::string& text) {
  ImGui::SetNextItemWidth(-FLT_MIN);
  text_field(screen, ("##" + name).c_str(), name.c_str(), text);
}

void draw_values(Screen& screen, AxisForm& form, const AxisLabels& labels) {
  if (ImGui::RadioButton("List", !form.range)) form.range = false;
  note(screen, "List " + labels.number);
  ImGui::SameLine();
  if (ImGui::RadioButton("Range", form.range)) form.range = true;
  note(screen, "Range " + labels.number);
  tooltip(screen, "So many values from one to another");
  if (!form.range) return field(screen, labels.values, form.list);
  field(screen, labels.from, form.from);
  field(screen, labels.to, form.to);
  field(screen, labels.count, form.count);
  ImGui::Checkbox("by a factor, not a step", &form.geometric);
}

}  // namespace

void draw_axis_form(Screen& screen, AxisForm& form, const AxisLabels& labels,
                    const std::vector<Parameter>& parameters,
                    AxisForm (*suggest)(const Parameter&)) {
  ImGui::PushID(labels.parameter.c_str());
  dim_text(screen, labels.heading);
  const bool none = form.parameter.path.empty();
  const std::string label = none ? labels.none : key_as_title(form.parameter.path);
  const std::string shown = clipped_to(label, ImGui::GetContentRegionAvail().x - screen.px(52),
                                       ImGui::GetFont(), ImGui::GetFontSize());
  if (ImGui::Button((shown + "###parameter").c_str())) {
    screen.view.parameter_search.clear();
    ImGui::OpenPopup("parameters");
  }
  note(screen, labels.parameter);
  tooltip(screen,
          none ? "Choose a parameter"
               : form.parameter.help + "\n" + form.parameter.path + ": " + form.parameter.form);
  choose_parameter(screen, form, parameters, suggest);
  if (!form.parameter.path.empty()) {
    ImGui::SameLine();
    if (ImGui::Button("×")) form = {};
    note(screen, "Clear " + labels.number);
    tooltip(screen, "Leave it out");
  }
  if (!form.parameter.path.empty()) draw_values(screen, form, labels);
  ImGui::PopID();
}

}  // namespace gpufeed::ui
