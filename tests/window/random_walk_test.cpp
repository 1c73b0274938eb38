// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";

/// Hands that press whatever there is. Files are left alone: nothing is saved by them.
class Walker {
 public:
  Walker(Clicks& hands, unsigned seed) : hands_(hands), random_(seed) {}

  void step() {
    constexpr int kOften = 10;
    const int kind = below(kOften);
    if (kind < 6)
      press_something();
    else if (kind < 8)
      press_key();
    else if (kind == 8)
      carry_out();
    else
      type_something();
  }

 private:
  int below(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most)); }

  bool may_save() const {
    const Dialog dialog = hands_.app().view().dialog;
    return dialog == Dialog::save || dialog == Dialog::report;
  }

  void press_something() {
    std::vector<std::string> names;
    for (const auto& [name, probe] : hands_.probes())
      if (probe.enabled && probe.in_sight() && !name.starts_with("Save")) names.push_back(name);
    if (names.empty()) return hands_.key(ImGuiKey_Escape);
    const auto& name = names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
    INFO("click " << name);
    hands_.click(name);
  }

  void press_key() {
    static constexpr std::array kKeys{ImGuiKey_Tab,       ImGuiKey_Enter,     ImGuiKey_Escape,
                                      ImGuiKey_Space,     ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                      ImGuiKey_UpArrow,   ImGuiKey_DownArrow, ImGuiKey_Delete,
                                      ImGuiKey_Backspace, ImGuiKey_PageDown};
    hands_.key(may_save() ? ImGuiKey_Escape : kKeys[static_cast<std::size_t>(below(kKeys.size()))]);
  }

  void carry_out() {
    static constexpr std::array kCommands{
        Command::undo,         Command::redo,          Command::keys,         Command::larger,
        Command::smaller,      Command::normal_size,   Command::theme,        Command::pin,
        Command::show_machine, Command::show_timeline, Command::show_sweep,   Command::show_compare,
        Command::show_what_if, Command::show_find,     Command::show_explain, Command::start};
    hands_.command(kCommands[static_cast<std::size_t>(below(kCommands.size()))]);
  }

  void type_something() {
    static const std::array<const char*, 6> kTexts{"3", "64", "1, 2", "nvme", "\"", "−ä"};
    if (may_save()) return hands_.key(ImGuiKey_Escape);
    ImGui::GetIO().AddInputCharactersUTF8(kTexts[static_cast<std::size_t>(below(kTexts.size()))]);
    hands_.frames(2);
  }

  Clicks& hands_;
  std::mt19937 random_;
};

int steps_wanted() {
  constexpr int kInTests = 500;
  const char* const wanted = std::getenv("GPUFEED_WALK");
  return wanted ? std::atoi(wanted) : kInTests;
}

}  // namespace

TEST_CASE(
    "whatever is clicked and typed, the window stays, and what it holds opens again as it is") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "reached.toml";
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/13_sweep_on_slurm/scenario.toml");
  hands.settle();
  Walker walker(hands, 1);
  std::set<std::string> reached;
  Session again(own_catalog());
  const int steps = steps_wanted();
  for (int i = 0; i < steps; ++i) {
    INFO("step " << i);
    walker.step();
    const std::string& text = hands.session().text();
    if (!reached.insert(text).second) continue;
    std::ofstream(file, std::ios::binary) << text;
    again.open(file);
    CHECK(again.text() == text);
    again.undo();
    CHECK(again.text() == text);  // a file that was opened has nothing to undo
  }
  hands.app().sweeper().cancel();
  hands.settle();
  CHECK(reached.size() > 1);
  MESSAGE("states reached: " << reached.size());
}

}  // namespace gpufeed::ui
