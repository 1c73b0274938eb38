// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "ui/window/kit/screen.h"

namespace gpufeed::ui {

/// The window without what it is shown on: session, state, ImGui's context.
class App {
 public:
  /// \param wake  called from other threads when there is something new to draw
  App(const Catalog& catalog, const std::filesystem::path& examples, std::function<void()> wake);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  Session& session() { return session_; }
  Sweeper& sweeper() { return sweeper_; }
  Finder& finder() { return finder_; }
  Explainer& explainer() { return explainer_; }
  Adviser& adviser() { return adviser_; }
  ViewState& view() { return view_; }
  const ViewState& view() const { return view_; }
  /// Shows a dialog of `--view`.
  void show(const std::string& name);
  void carry_out(Command command);
  /// Waits until the effects of the choices in sight are known.
  void finish_effects() { effects_.finish(); }
  std::optional<Effect> effect_of(const std::string& choice) const { return effects_.of(choice); }
  /// Begins a sweep over "path=1, 2, 4". \throws InputError  where it cannot be begun
  void sweep(const std::vector<std::string>& axes);
  /// Waits for all that is read and computed in the background, but advice.
  void finish();

  /// From now on remembers recent files, theme and scale in this folder, and keeps a copy of edits
  /// that are not saved. Begins with what was remembered, and with what a crash left behind.
  void keep_in(const std::filesystem::path& folder);

  /// Takes in what is new. \return whether there was anything
  bool poll();
  /// Whether fonts have to be read again; then the backend's texture has to be made anew.
  bool refresh_fonts();
  /// Builds ImGui's draw lists of a frame that was begun.
  void draw();
  /// The frame has reached the screen.
  void shown();
  /// From now on writes into `file` what of a frame can be clicked, whenever that changes: lines
  /// "x y name", and first "standing samples/s". For tests with a real window.
  void write_probes(const std::filesystem::path& file);

 private:
  Screen screen();
  void keep();
  /// Has the adviser think about the answer that is shown, and no other.
  void advise();
  void note_probes();

  Session session_;
  Sweeper sweeper_;
  Finder finder_;
  Explainer explainer_;
  ChoiceLists lists_;
  Effects effects_;
  Adviser adviser_;
  std::vector<Example> examples_;
  ViewState view_;
  Keeping keeping_;
  std::filesystem::path probes_file_;  ///< empty: none is written
  std::string probes_;                 ///< as they were written last
  std::uint64_t kept_version_ = 0;
  std::uint64_t kept_begun_ = 0;
  std::string kept_;                       ///< the file whose changes a copy keeps
  std::shared_ptr<const Result> advised_;  ///< that advice is sought for; null: none is
  Fonts fonts_;
};

}  // namespace gpufeed::ui
