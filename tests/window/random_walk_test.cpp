// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
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
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";

/// A simulation in a process of its own takes no window down; what it died of must not be ours.
void check_no_fault(const std::string& problem) {
  CHECK_MESSAGE(problem.find("internal error") == std::string::npos, problem);
}

/// How many errands of each kind have changed the file.
struct Errands {
  int stores = 0;
  int models = 0;
  int quotes = 0;
};

/// Hands that press whatever there is, and now and then do what a buyer came for, of any product
/// that the list offers. Files are left alone: nothing is saved by them.
class Walker {
 public:
  Walker(Clicks& hands, unsigned seed) : hands_(hands), random_(seed) {}

  const Errands& errands() const { return errands_; }

  /// What random hands get to depends on how fast answers come; each errand in a machine that was
  /// just opened does not.
  void begin(const std::filesystem::path& scenario) {
    for (int errand = 0; errand < kErrands; ++errand) {
      hands_.session().open(scenario);
      hands_.settle_answered();
      constexpr int kTries = 10;
      for (int i = 0; i < kTries && !run_errand(errand); ++i) {
      }
    }
  }

  void step() {
    constexpr int kOften = 10;
    constexpr int kSeldom = 25;
    if (below(kSeldom) == 0) return static_cast<void>(run_errand(below(kErrands)));
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
    const std::string name = any([](const auto& one) { return !one.starts_with("Save"); });
    if (name.empty()) return hands_.key(ImGuiKey_Escape);
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

  /// Enabled and in sight, of those that `wanted` takes; empty where there is none.
  template <class Wanted>
  std::string any(Wanted&& wanted) {
    return any_of(
        [&](const auto& name, const Probe& probe) { return probe.in_sight() && wanted(name); });
  }

  template <class Wanted>
  std::string any_of(Wanted&& wanted) {
    std::vector<std::string> names;
    for (const auto& [name, probe] : hands_.probes())
      if (probe.enabled && wanted(name, probe)) names.push_back(name);
    if (names.empty()) return {};
    return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
  }

  /// \return whether it changed the file
  bool run_errand(int errand) {
    for (int i = 0; i < 3; ++i) hands_.key(ImGuiKey_Escape);  // out of lists and dialogs
    const std::string before = hands_.session().text();
    int* done = nullptr;
    switch (errand) {
      case 0:
        done = choose_any("Add a shared store…", errands_.stores);
        break;
      case 1:
        done = choose_any("Change workload.model", errands_.models);
        break;
      default:
        done = quote_any();
        break;
    }
    const bool changed = done != nullptr && hands_.session().text() != before;
    if (changed) ++*done;
    return changed;
  }

  int* choose_any(const std::string& button, int& count) {
    const auto found = hands_.probes().find(button);
    if (found == hands_.probes().end() || !found->second.enabled) return nullptr;
    hands_.click(button);
    const auto& view = hands_.app().view();
    if (view.dialog != Dialog::choose) return nullptr;
    constexpr int kLook = 10;
    hands_.frames(kLook);  // in which some effects get known; all would take minutes
    for (const auto& name : view.in_sight)
      if (const auto effect = hands_.app().effect_of(name)) check_no_fault(effect->problem);
    const std::string product = any([&](const auto& name) {  // another than the file's
      return std::ranges::count(view.in_sight, name) > 0 &&
             hands_.session().text().find('"' + name + '"') == std::string::npos;
    });
    if (!product.empty()) hands_.click(product);
    return &count;
  }

  int* quote_any() {
    std::set<std::string> tried;
    for (std::string price; !(price = any_of([&](const auto&name, const Probe&) {
                                return name.starts_with("price of ") && !tried.contains(name);
                              })).empty();
         tried.insert(price)) {
      hands_.click(price);
      const std::string field = "quote for " + price.substr(std::string("price of ").size());
      if (!hands_.shows(field)) continue;  // of what is no product, nobody quotes
      hands_.type(field, std::to_string(1 + below(100'000)));
      return &errands_.quotes;
    }
    return nullptr;
  }

  static constexpr int kErrands = 3;
  Clicks& hands_;
  std::mt19937 random_;
  Errands errands_;
};

/// Most of what is pressed at random leads to machines that cannot be; so it begins again at times.
constexpr int kBegins = 125;
const std::array<std::string, 5> kBegun{
    "/13_sweep_on_slurm/scenario.toml", "/01_local_or_shared/scenario.toml",
    "/09_checkpoint_stalls/scenario.toml", "/20_finetune_7b/scenario.toml",
    "/22_two_desktop_cards/scenario.toml"};

/// Reports of examples are written where the program runs.
class StandsIn {
 public:
  explicit StandsIn(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  ~StandsIn() { std::filesystem::current_path(before_); }
  StandsIn(const StandsIn&) = delete;
  StandsIn& operator=(const StandsIn&) = delete;

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
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
  const StandsIn stands(folder / ".");
  const std::filesystem::path file = folder / "reached.toml";
  Clicks hands(own_catalog(), kExamples);
  Walker walker(hands, 1);
  std::set<std::string> reached;
  Session again(own_catalog());
  const int steps = steps_wanted();
  int possible = 0;
  for (int i = 0; i < steps; ++i) {
    INFO("step " << i);
    if (i % kBegins == 0)
      walker.begin(kExamples + kBegun[static_cast<std::size_t>(i / kBegins) % kBegun.size()]);
    walker.step();
    possible += hands.session().standing() == Standing::current ? 1 : 0;
    for (const auto& problem : hands.session().problems()) check_no_fault(shown_line(problem));
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
  const Errands& done = walker.errands();
  CHECK(done.stores > 0);
  CHECK(done.models > 0);
  CHECK(done.quotes > 0);
  MESSAGE("states reached: " << reached.size() << ", with " << done.stores << " stores, "
                             << done.models << " models and " << done.quotes << " quotes; steps of "
                             << "machines that can be: " << possible << " of " << steps);
}

}  // namespace gpufeed::ui
