// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/picture/picture.h"
#include "ui/model/build/choices.h"
#include "ui/model/build/choosing.h"
#include "ui/model/build/job_form.h"
#include "ui/model/build/own_numbers.h"
#include "ui/model/build/part_rows.h"
#include "ui/model/build/requested_machine.h"
#include "ui/model/build/setting_rows.h"
#include "ui/model/decide/advice.h"
#include "ui/model/decide/explainer.h"
#include "ui/model/decide/finder.h"
#include "ui/model/decide/sweeper.h"
#include "ui/model/keep/examples.h"
#include "ui/model/keep/keeping.h"
#include "ui/model/show/cluster_page.h"
#include "ui/model/show/command_line.h"
#include "ui/model/work/effects.h"
#include "ui/model/work/pace.h"
#include "ui/model/work/session.h"
#include "ui/window/kit/decide.h"
#include "ui/window/kit/probes.h"
#include "ui/window/kit/theme.h"

namespace gpufeed::ui {

/// What keys and buttons ask for.
enum class Command {
  build,
  this_machine,
  open,
  save,
  report,
  undo,
  redo,
  settings,
  copy_command,
  keys,
  larger,
  smaller,
  normal_size,
  theme,
  pin,
  show_machine,
  show_timeline,
  show_path,
  show_what_if,
  show_sweep,
  show_find,
  show_compare,
  show_explain,
  start  ///< the sweep, or the search, or the explanation, on whose page it is
};

/// A dialog over the window.
enum class Dialog { none, open, save, report, keys, choose, settings, numbers };

/// The text of the field that is typed into, until it is left.
struct Typing {
  std::string field;
  std::string text;
};

/// Letters for a field that does not have the focus yet.
struct HeldTyping {
  int frames = 0;  ///< in which they are kept
  bool has_field = false;
  std::vector<ImWchar> letters;
};

/// The product whose numbers are shown.
struct ProductNumbers {
  std::string kind;
  std::string product;
  std::string title;
  std::uint64_t version = 0;  ///< of the session; another one's are read anew
  std::vector<ProductNumber> numbers;
};

/// The questions of the start page, and which answers their verdicts are of.
struct JobState {
  JobForm form;
  std::optional<JobForm> asked;  ///< nothing before anyone has answered one
  std::optional<JobForm> begun;
};

/// Where the picture of the machine is looked at from.
struct Camera {
  bool fits = true;  ///< as large as the panel allows
  float zoom = 1;
  ImVec2 shift{};
};

/// All that the window remembers beside the session: plain data, which views change.
/// The page of a shared cluster, made once for each answer.
struct ClusterState {
  std::shared_ptr<const cluster::Answer> of;
  ClusterPage page;
};

/// What the answer tells of products, by their titles.
struct Told {
  std::vector<Warning> warnings;
  std::vector<Evidence> evidence;
  std::string without_price;
  std::string without_power;
};

struct ViewState {
  bool dark = true;
  float scale = 1;           ///< with `display_scale`
  float display_scale = 1;   ///< that of the display, which is not remembered
  bool fonts_wanted = true;  ///< the scale has changed
  Dialog dialog = Dialog::none;
  bool dialog_opened = false;
  std::string selected;        ///< id of a part
  bool show_selected = false;  ///< scroll to it
  Camera camera;
  ProductNumbers numbers;
  std::optional<Choosing> choosing;   ///< what gets another product
  bool effects_begun = false;         ///< those of the choices are sought
  std::vector<std::string> in_sight;  ///< choices whose effects were asked for
  std::set<std::string> unfit;        ///< choices at the end of the list
  bool pointing = false;              ///< the pointer moves over choices, which stay in place
  Page page = Page::machine;
  bool outcome_awaits = false;  ///< of what was started: it is to be scrolled to
  CompareState compare;
  TimelineState timeline;
  SweepState sweep;
  FindState find;
  ExplainState explain;
  ClusterState cluster;
  std::string parameter_search;
  std::string search;
  ChoiceOrder order = ChoiceOrder::title;
  bool descending = false;
  std::string path;        ///< typed in a dialog
  std::string destroys;    ///< the file that is written over when asked to once more
  bool show_times = true;  ///< false: pictures are to be the same whenever they are drawn
  std::string message;     ///< of the last command, until the next edit; empty: nothing to say
  JobState job;
  Typing typing;
  HeldTyping held;
  Remembered remembered;
  Sources sources;
  std::vector<LeftBehind> left_behind;
  Probes probes;
  Pace pace;
  // What is drawn from the session, made anew when it changes.
  std::uint64_t drawn_version = 0;
  std::uint64_t drawn_edits = 0;
  Picture picture;
  Told titled;
  std::vector<PartRow> rows;
  std::optional<RequestedMachine> requested;
  std::vector<SettingRow> settings;
};

/// What every view draws from.
struct Screen {
  Session& session;
  Sweeper& sweeper;
  Finder& finder;
  Explainer& explainer;
  const ChoiceLists& lists;
  Effects& effects;
  Adviser& adviser;
  const std::vector<Example>& examples;
  ViewState& view;
  Fonts fonts;

  const Palette& colors() const { return palette(view.dark); }
  /// Pixels of a length at the normal size.
  float px(float length) const { return length * view.scale; }
};

void carry_out(Screen& screen, Command command);
void show_dialog(Screen& screen, Dialog dialog);
/// Opens the numbers of a product.
void show_numbers(Screen& screen, const std::string& kind, const std::string& product,
                  const std::string& title);
/// Opens the list to choose from.
void choose(Screen& screen, Choosing choosing);

}  // namespace gpufeed::ui
