// SPDX-License-Identifier: Apache-2.0
// What buyers stumbled over in the window, and must not again.
#include <doctest/doctest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catalog.h"
#include "tests/window/clicks.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"

namespace gpufeed::ui {
namespace {

const std::string kTried = GPUFEED_SOURCE_DIR "/examples";

/// A scenario of an example, answered, in a window of this size.
struct Opened {
  Clicks hands{own_catalog(), kTried};
  explicit Opened(const std::string& example, float width = 1600, float height = 1000) {
    hands.resize(width, height);
    hands.session().open(kTried + "/" + example + "/scenario.toml");
    answered();
  }
  void answered() { hands.settle_answered(); }
};

std::vector<std::string> shown_beginning(const Clicks& hands, const std::string& with) {
  std::vector<std::string> out;
  for (const auto& [name, probe] : hands.probes())
    if (name.starts_with(with)) out.push_back(name);
  return out;
}

}  // namespace

TEST_CASE("samples of another length than the model reads are told in the window") {
  Opened opened("20_finetune_7b");
  Clicks& hands = opened.hands;
  hands.session().edit("workload.dataset", "\"c4-tokens-2048\"");
  opened.answered();
  const auto warnings = shown_beginning(hands, "warning: ");
  CHECK(std::ranges::any_of(warnings, [](const std::string& one) {
    return one.find("tokens, and the model takes") != std::string::npos;
  }));
  CHECK(!shown_beginning(hands, "card Certainty, ").empty());
}

TEST_CASE("a warning's reason waits to be asked for, so that what would help is in sight") {
  Opened opened("18_video_on_a100");
  Clicks& hands = opened.hands;
  hands.app().adviser().finish();
  hands.frames(4);
  REQUIRE(!shown_beginning(hands, "warning: ").empty());
  CHECK(hands.at("Try suggestion 1").in_sight());
}

TEST_CASE("networks and data sets are chosen by what they are; only products have prices") {
  Opened opened("20_finetune_7b");
  Clicks& hands = opened.hands;
  for (const char* path : {"workload.model", "workload.dataset"}) {
    CAPTURE(path);
    hands.click(std::string("Change ") + path);
    hands.settle();
    CHECK(hands.shows("column Product"));
    CHECK(hands.shows("column Samples/s"));
    for (const char* column :
         {"column Price, USD", "column Sold since", "column Δ Price, USD", "column Δ Job rate"})
      CHECK_MESSAGE(!hands.shows(column), column);
    hands.click("Cancel");
  }
  hands.click("Change ssd0");
  hands.settle();
  for (const char* column : {"column Price, USD", "column Sold since", "column Δ Price, USD"})
    CHECK_MESSAGE(hands.shows(column), column);
}

TEST_CASE("text is broken at spaces, never within a number nor before its unit") {
  Opened opened("01_local_or_shared");
  ImFont* const font = ImGui::GetIO().Fonts->Fonts[0];
  const std::string text =
      "GPUs wait 97.2 % of 1,234.5 s, of which 0.5 s are the copies'\nand loader.workers_per_gpu.";
  for (float width = 20; width < 700; width += 7) {
    const std::string lines = broken_at_spaces(text, width, font, font->FontSize);
    std::string joined = lines;
    std::ranges::replace(joined, '\n', ' ');
    std::string whole = text;
    std::ranges::replace(whole, '\n', ' ');
    CHECK(joined == whole);
    for (std::size_t at = 0; at <= lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      const std::string line = lines.substr(at, end - at);
      for (const char* const apart : {"97.2\n%", "1,234.5\ns", "0.5\ns"}) {
        std::string together = apart;
        std::ranges::replace(together, '\n', ' ');
        if (font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, (together + ",").c_str()).x <= width)
          CHECK(lines.find(apart) == std::string::npos);
      }
      if (line.find(' ') != std::string::npos)
        CHECK(font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, line.c_str()).x <= width);
      at = end + 1;
    }
  }
}

TEST_CASE("whatever is clipped is told whole in a tooltip") {
  Opened opened("20_finetune_7b", 1280, 720);
  Clicks& hands = opened.hands;
  const auto clipped = shown_beginning(hands, "clipped ");
  REQUIRE(!clipped.empty());
  int seen = 0;
  for (const std::string& name : clipped) {
    CAPTURE(name);
    const Probe probe = hands.at(name);
    if (!probe.in_sight()) continue;
    ImGui::GetIO().MousePos = probe.middle();
    hands.frames(3);
    const ImGuiWindow* const shown = ImGui::FindWindowByName("##Tooltip_00");
    CHECK((shown && shown->Active));
    ++seen;
  }
  CHECK(seen > 0);
  ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
}

TEST_CASE("verdict, loss, fix and picture are in sight of a small screen, none scrolled to") {
  for (const char* example : {"01_local_or_shared", "20_finetune_7b", "22_two_desktop_cards"}) {
    CAPTURE(example);
    Opened opened(example, 1280, 720);
    Clicks& hands = opened.hands;
    hands.app().adviser().finish();
    hands.frames(4);
    for (const char* part : {"card GPU utilization", "card Largest loss", "card To the result",
                             "card Price, power", "Try the fix", "What if", "Machine"})
      CHECK_MESSAGE(hands.at(part).in_sight(), part);
    CHECK(hands.at("total").in_sight());
  }
}

}  // namespace gpufeed::ui
