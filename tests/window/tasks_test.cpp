// SPDX-License-Identifier: Apache-2.0
// What a buyer wants to know, each in no more clicks, keys and words than it may take.
#include <doctest/doctest.h>

#include <filesystem>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kShipped = GPUFEED_SOURCE_DIR "/examples";
const std::string kProduct = "search: words of the name";
const std::string kParameter = "search: words of a parameter, such as workers";

/// A window without a scenario, on its start page.
struct Begun {
  Clicks hands{own_catalog(), kShipped};
  Begun() { hands.settle(); }
  void answered() { hands.settle_answered(); }
};

}  // namespace

TEST_CASE("four RTX PRO 6000 or two H100 NVL for a budget: fourteen actions") {
  Begun begun;
  Clicks& hands = begun.hands;
  hands.click("A budget");
  hands.type("job limit", "150000");
  hands.click("Server, RTX PRO 6000");
  begun.answered();
  CHECK(hands.app().view().find.form.price == "150000");
  hands.click("Find");
  hands.click("vary system.gpu");
  hands.click("another system.gpu");
  hands.type(kProduct, "h100 nvl");
  hands.click("NVIDIA H100 NVL 94 GB");
  hands.click("system.gpu x=2");
  hands.click("system.gpu x=4");
  hands.click("Find it (F5)");
  hands.settle();
  const Finder& finder = hands.app().finder();
  REQUIRE_MESSAGE(finder.answer(), finder.problem());
  REQUIRE(finder.answer()->chosen.size() == 1);
  CHECK(*finder.answer()->chosen.front().price_USD <= 150000);
  hands.click("Load choice 1");
  begun.answered();
  CHECK(hands.actions() <= 14);
  CHECK(hands.session().result()->price_USD == finder.answer()->chosen.front().price_USD);
}

TEST_CASE("why my desktop idles, and what mends it: ten actions, saved and simulated alike") {
  const TemporaryFolder folder;
  Begun begun;
  Clicks& hands = begun.hands;
  hands.click("Desktop, RTX 4090");
  begun.answered();
  const double before = hands.session().result()->job_samples_per_s;
  hands.click("What if");
  hands.app().adviser().finish();
  hands.frames(4);
  hands.click("Try the fix");
  begun.answered();
  CHECK(hands.session().result()->job_samples_per_s > before);
  hands.click("Save…");
  hands.type("path of the file to write", (folder / "desktop.toml").string());
  hands.click("Save");
  CHECK(hands.actions() <= 10);
  REQUIRE(std::filesystem::exists(folder / "desktop.toml"));
  CHECK(simulate(load_scenario(folder / "desktop.toml", own_catalog())).job_samples_per_s ==
        hands.session().result()->job_samples_per_s);
}

TEST_CASE("a sweep over workers and drives, and a point of it loaded: eight actions") {
  Begun begun;
  Clicks& hands = begun.hands;
  hands.session().open(kShipped + "/13_sweep_on_slurm/scenario.toml");
  begun.answered();
  hands.click("Sweep");
  hands.click("What varies");
  hands.type(kParameter, "workers");
  hands.click("vary by loader.workers_per_gpu");
  hands.click("Second axis");
  hands.click("vary by number of ssd0-ssd3");
  hands.click("Sweep (F5)");
  hands.settle();
  CHECK(hands.app().sweeper().points().size() == 25);
  hands.click("chart point 1");
  begun.answered();
  CHECK(hands.actions() <= 8);
  CHECK(hands.session().answered()->loader.workers_per_gpu == 2);
}

TEST_CASE("this machine is described in two actions") {
  Begun begun;
  Clicks& hands = begun.hands;
  hands.click("Describe this machine");
  hands.settle();
  CHECK(hands.actions() <= 2);
  CHECK(!hands.session().text().empty());
}

TEST_CASE("a report is saved in two actions") {
  const TemporaryFolder folder;
  Begun other;
  other.hands.session().open(kShipped + "/01_local_or_shared/scenario.toml");
  other.answered();
  other.hands.click("Report…");
  other.hands.app().view().path = (folder / "report.html").string();
  other.hands.frames(2);
  other.hands.click("Save the report");
  CHECK(other.hands.actions() <= 2);
  CHECK(std::filesystem::exists(folder / "report.html"));
}

}  // namespace gpufeed::ui
