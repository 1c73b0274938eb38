// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/window/app.h"

namespace gpufeed::ui {

/// The window without a display, and the hands of who uses it: frames are built as they are, and
/// mouse and keys reach them through ImGui. Widgets are found by the names that views `note`.
class Clicks {
 public:
  /// \param places  where the examples lie, and so on
  explicit Clicks(const Catalog& catalog, const std::string& examples = "");

  App& app() { return app_; }
  Session& session() { return app_.session(); }

  /// Makes the window another size, in pixels.
  void resize(float width, float height);
  /// Presses what has this name, once it is there and enabled; turns the wheel where it is out of
  /// sight. Fails the test where it is not there.
  void click(const std::string& name);
  void double_click(const std::string& name);
  /// Clicks into a field and types over what is there; then Enter.
  void type(const std::string& name, const std::string& text);
  void key(ImGuiKey key);
  /// As the key of the shortcut does.
  void command(Command command);
  void wheel(ImVec2 at, float turns);

  /// Draws until all that runs in the background has ended and is shown.
  void settle();
  /// The same; what is open can be simulated, and its answer is shown.
  void settle_answered();
  void frames(int count = 1);
  bool shows(const std::string& name) const { return probes().contains(name); }
  const Probe& at(const std::string& name);
  const std::map<std::string, Probe>& probes() const { return app_.view().probes.all(); }
  /// Clicks, typing and commands so far.
  int actions() const { return actions_; }

 private:
  void press(ImVec2 at);
  Probe bring_into_sight(const std::string& name);

  App app_;
  int actions_ = 0;
};

}  // namespace gpufeed::ui
