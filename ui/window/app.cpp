// SPDX-License-Identifier: Apache-2.0
#include "ui/window/app.h"
#include "sim/model/scenario.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/write_whole.h"
#include "ui/window/draw.h"

namespace gpufeed::ui {

App::App(const Catalog& catalog, const std::filesystem::path& examples, std::function<void()> wake)
    : session_(catalog, wake),
      sweeper_(catalog, wake),
      finder_(session_.catalog(), wake),
      explainer_(session_.catalog(), wake),
      lists_(catalog),
      effects_(session_.catalog(), wake),
      adviser_(session_.catalog(), std::move(wake)),
      examples_(examples_in(examples)) {
  ImGui::CreateContext();

  ImGui::GetIO().IniFilename = nullptr;
}

App::~App() {
  if (!session_.has_changes()) keeping_.forget();  // else they are offered at the next start
  view_.remembered.dark = view_.dark;
  view_.remembered.scale = view_.scale / view_.display_scale;
  keeping_.save(view_.remembered);
  ImGui::DestroyContext();
}

void App::keep_in(const std::filesystem::path& folder) {
  keeping_ = Keeping(folder);
  view_.remembered = keeping_.load(view_.message);
  view_.dark = view_.remembered.dark;
  view_.scale = view_.remembered.scale;
  view_.left_behind = keeping_.left_behind();
}

bool App::poll() {
  const bool answered = session_.poll();
  bool any = sweeper_.poll() || answered;
  if (kept_version_ != session_.version()) keep();
  advise();
  any = adviser_.poll() || any;
  any = finder_.poll() || any;
  any = explainer_.poll() || any;
  return any;
}

void App::advise() {
  const bool current = session_.standing() == Standing::current;
  const auto wanted = current && session_.is_whole() ? session_.result() : nullptr;
  if (wanted && wanted == advised_) return;
  if (advised_) adviser_.cancel();  // the old advice stays in sight as long as the old answer does
  if (current) adviser_.forget();
  advised_ = wanted;
  if (wanted && takes_advice(*session_.answered()))
    adviser_.begin({session_.text(), session_.file().lexically_normal().string(),
                    session_.answered(), wanted});
}

void App::keep() {
  kept_version_ = session_.version();
  const bool another = std::exchange(kept_begun_, session_.begun()) != session_.begun();
  if (another && !kept_.empty() && keeping_.set_aside())
    view_.message = "Changes of " + kept_ + " were not saved; the next start offers them.";
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::absolute(session_.file(), unknown);
  if (std::filesystem::is_regular_file(file, unknown)) note_recent(view_.remembered, file.string());
  if (session_.has_changes()) {
    keeping_.note(file.string(), session_.text());
    kept_ = file.filename().string();
  } else {
    keeping_.forget();
    kept_.clear();
  }
}

Screen App::screen() {
  return {session_, sweeper_, finder_,   explainer_, lists_,
          effects_, adviser_, examples_, view_,      fonts_};
}

void App::show(const std::string& name) {
  Screen all = screen();
  if (name == "open") ui::carry_out(all, Command::open);
  if (name == "save") ui::carry_out(all, Command::save);
  if (name == "report") ui::carry_out(all, Command::report);
  if (name == "keys") ui::carry_out(all, Command::keys);
  if (name == "build") ui::carry_out(all, Command::build);
  if (name == "settings") ui::carry_out(all, Command::settings);
  if (name == "what-if") ui::carry_out(all, Command::show_what_if);
  if (name == "timeline") ui::carry_out(all, Command::show_timeline);
  if (name == "data-path") ui::carry_out(all, Command::show_path);
  if (name == "sweep") ui::carry_out(all, Command::show_sweep);
  if (name == "find") ui::carry_out(all, Command::show_find);
  if (name == "explain") ui::carry_out(all, Command::show_explain);
  if (name == "compare") ui::carry_out(all, Command::show_compare);
  if (!session_.scenario()) return;
  for (const PartGroup& group : part_groups(*session_.scenario()->system)) {
    if (name == "numbers") return show_numbers(all, group.kind, group.product, group.title);
    if (group.kind != name) continue;
    view_.selected = group.ids.front();
    choose(all, choosing_for(group));
    break;
  }
}

void App::carry_out(Command command) {
  Screen all = screen();
  ui::carry_out(all, command);
}

void App::sweep(const std::vector<std::string>& axes) {
  if (axes.empty() || !session_.result()) return;
  const auto known = parameters_of(*session_.answered(), *session_.result());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t equals = end_of_path(axes[i]);
    const std::string path = axes[i].substr(0, equals);
    const auto found = std::ranges::find(known, path, &Parameter::path);
    if (found == known.end()) {
      Names paths;
      for (const Parameter& one : known) paths.push_back(one.path);
      throw InputError({{{"--sweep " + axes[i], 0, 0}, suggestion(path, paths)}});
    }
    AxisForm& form = view_.sweep.forms[i];
    form = suggested_form(*found);
    form.list = axes[i].substr(std::min(equals + 1, axes[i].size()));
  }
  carry_out(Command::show_sweep);
  carry_out(Command::start);
  if (!view_.sweep.problems.empty()) throw InputError(view_.sweep.problems);
}

void App::finish() {
  lists_.finish();
  session_.finish();
  sweeper_.finish();
  finder_.finish();
  explainer_.finish();
}

bool App::refresh_fonts() {
  if (!std::exchange(view_.fonts_wanted, false)) return false;
  fonts_ = load_fonts(view_.scale);
  apply_style(palette(view_.dark), view_.scale);
  return true;
}

void App::write_probes(const std::filesystem::path& file) {
  probes_file_ = file;
  view_.probes.begin();
}

void App::note_probes() {
  std::string words = fmt::format(
      "{} {}\n", static_cast<int>(session_.standing()),
      session_.result() ? fmt::format("{}", session_.result()->job_samples_per_s) : "none");
  for (const auto& [name, probe] : view_.probes.all())
    if (probe.enabled && probe.in_sight())
      words += fmt::format("{:.0f} {:.0f} {}\n", probe.middle().x, probe.middle().y, name);
  if (words == probes_) return;
  write_whole(probes_file_.string(), probes_file_, words);
  probes_ = std::move(words);
}

void App::shown() {
  view_.pace.shown(session_);
  if (!probes_file_.empty()) note_probes();
}

void App::draw() {
  const auto start = std::chrono::steady_clock::now();
  Screen all = screen();
  draw_screen(all);
  const auto passed = std::chrono::steady_clock::now() - start;
  view_.pace.drawn(std::chrono::duration<double>(passed).count());
}

}  // namespace gpufeed::ui
