// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <imgui.h>

#include <map>
#include <string>

namespace gpufeed::ui {

/// Where a widget was drawn, for tests that click.
struct Probe {
  ImVec2 from, to;
  ImVec2 clip_from, clip_to;  ///< what of the window shows there
  bool enabled = false;

  /// Its middle, where that is in sight.
  bool in_sight() const;
  ImVec2 middle() const { return {(from.x + to.x) / 2, (from.y + to.y) / 2}; }
};

/// The widgets of the frame that is drawn, by name.
class Probes {
 public:
  /// From now on they are noted; costs nothing before.
  void begin() { wanted_ = true; }
  void new_frame() { all_.clear(); }
  /// Notes the item that was drawn last. Of two with one name, the later stays: dialogs are
  /// drawn last.
  void note(const std::string& name);
  const std::map<std::string, Probe>& all() const { return all_; }

 private:
  bool wanted_ = false;
  std::map<std::string, Probe> all_;
};

}  // namespace gpufeed::ui
