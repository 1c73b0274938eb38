// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/window/clicks.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";
const std::string kExample = kExamples + "/13_sweep_on_slurm/scenario.toml";

/// The example, open and answered.
struct Opened {
  Clicks hands{own_catalog(), kExamples};
  Opened() {
    hands.session().open(kExample);
    hands.settle_answered();
  }
  void choose(const std::string& axis, const std::string& path, const std::string& item) {
    hands.click(axis);
    hands.type("search: words of a parameter, such as workers", path);
    hands.click("vary by " + item);
  }
};

}  // namespace

TEST_CASE(
    "a configuration is pinned, another one changed beside it, loaded and removed by clicks") {
  Opened opened;
  Clicks& hands = opened.hands;
  const std::string before = hands.session().text();
  hands.click("Compare");
  hands.click("Pin it (Ctrl+P)");
  CHECK(!hands.at("Pin this configuration").enabled);  // it is pinned already
  CHECK(!hands.at("Load A").enabled);
  hands.type("loader.workers_per_gpu", "1");
  hands.settle();
  const auto& keys = hands.app().view().compare.comparison.keys;
  REQUIRE(keys.size() == 1);
  CHECK(keys.front().help == "loader.workers_per_gpu");
  CHECK(keys.front().values == std::vector<std::string>{"1", "8"});
  hands.click("Pin this configuration");
  hands.click("Load A");
  hands.settle();
  CHECK(hands.session().text() == before);
  hands.click("Undo");
  hands.settle();
  CHECK(hands.session().answered()->loader.workers_per_gpu == 1);
  hands.click("Remove A");
  CHECK(!hands.shows("Load A"));
  CHECK(hands.shows("Load B"));
}

TEST_CASE("a sweep is set up, run, canceled, run again and a point of it loaded by clicks") {
  Opened opened;
  Clicks& hands = opened.hands;
  Sweeper& sweeper = hands.app().sweeper();
  hands.click("Sweep");
  CHECK(!hands.at("Sweep (F5)").enabled);
  opened.choose("What varies", "workers_per", "loader.workers_per_gpu");
  hands.type("values, such as 1, 2, 4", "1, 2, 4, 8, 12, 16, 20, 24");
  opened.choose("Second axis", "decode_cores", "loader.decode_cores");
  hands.type("values of the second", "8, 40");
  hands.click("Sweep (F5)");
  REQUIRE(sweeper.running());
  CHECK(sweeper.points().size() == 16);
  hands.click("Cancel the sweep");
  CHECK(sweeper.canceled());
  hands.click("Sweep again (F5)");
  hands.settle();
  CHECK(!sweeper.running());
  CHECK(sweeper.finished() == 16);
  for (const auto& point : sweeper.points()) CHECK(point.state == SweptPoint::State::good);

  const std::string before = hands.session().text();
  for (const char* how : {"Lines", "Map"}) {
    hands.click(how);
    hands.click("chart point 3");  // 2 workers, 40 cores
    hands.settle();
    CHECK(hands.session().answered()->loader.workers_per_gpu == 2);
    CHECK(hands.session().result()->throughput_samples_per_s ==
          sweeper.points()[3].result->throughput_samples_per_s);
    hands.click("Undo");
    CHECK(hands.session().text() == before);
  }
  hands.click("row 15");
  hands.settle();
  CHECK(hands.session().answered()->loader.workers_per_gpu == 24);
}

TEST_CASE("a form that cannot be swept says why, and nothing runs") {
  Opened opened;
  Clicks& hands = opened.hands;
  hands.click("Sweep");
  opened.choose("What varies", "workers_per", "loader.workers_per_gpu");
  hands.click("Range 1");
  hands.type("from", "8");
  hands.type("to", "2");
  hands.command(Command::show_sweep);
  hands.command(Command::start);
  CHECK(shown_lines(hands.app().view().sweep.problems) ==
        "the sweep: error: the range of loader.workers_per_gpu: from must be less than to");
  CHECK(!hands.app().sweeper().running());
  hands.type("from", "1");
  hands.type("to", "900");
  hands.type("how many values", "900");
  hands.command(Command::show_sweep);
  hands.command(Command::start);
  CHECK(shown_lines(hands.app().view().sweep.problems) ==
        "the sweep: error: 900 points are too many for a chart (at most 400); gpufeed sweep takes "
        "more");
}

TEST_CASE("the cheapest configuration is found, loaded and undone by clicks") {
  Clicks hands{own_catalog(), kExamples};
  hands.session().open(kExamples + "/21_cheapest_machine/scenario.toml");
  hands.settle();
  const std::string before = hands.session().text();
  hands.click("Find");
  hands.click("Find it (F5)");
  CHECK(hands.app().view().find.problem == "the goal: error: tick first what may be chosen");
  hands.click("vary system.drives");
  for (const char* count : {"1", "2", "4", "16"})
    hands.click(std::string("system.drives x=") + count);
  hands.click("vary system.drives");
  hands.click("vary system.cpu");
  hands.click("another system.cpu");
  hands.type("search: words of the name", "epyc 9354");
  hands.click("AMD EPYC 9354");
  CHECK(combinations(hands.app().view().find.groups) == 10);
  hands.type("GPU utilization, from", "80");
  hands.click("Find it (F5)");
  hands.settle();
  const Finder& finder = hands.app().finder();
  REQUIRE_MESSAGE(finder.answer(), finder.problem());
  CHECK(finder.answer()->choices == 10);
  CHECK(finder.front());
  REQUIRE(finder.answer()->chosen.size() == 1);
  const gpufeed::Choice best = finder.answer()->chosen.front();
  hands.click("Load choice 1");
  hands.settle_answered();
  CHECK(hands.session().result()->job_samples_per_s == best.job_samples_per_s);
  CHECK(hands.session().result()->price_USD == best.price_USD);
  CHECK(hands.session().result()->job_gpu_utilization >= 0.8);
  hands.click("Undo");
  CHECK(hands.session().text() == before);
  hands.type("Price, at most", "10");
  hands.command(Command::start);
  hands.settle();
  REQUIRE(finder.answer());
  CHECK(finder.answer()->chosen.empty());
  CHECK(!finder.answer()->obstacles.empty());
}

TEST_CASE("what comes of a search is scrolled to where the window is small") {
  Clicks hands{own_catalog(), kExamples};
  hands.resize(1000, 700);
  hands.session().open(kExamples + "/21_cheapest_machine/scenario.toml");
  hands.settle();
  hands.click("Find");
  hands.click("Find it (F5)");
  hands.frames(4);
  CHECK(hands.at("problem of the goal").in_sight());
  hands.click("vary loader.workers_per_gpu");
  hands.click("loader.workers_per_gpu=16");
  hands.click("Find it (F5)");
  hands.settle();
  REQUIRE_MESSAGE(hands.app().finder().answer(), hands.app().finder().problem());
  CHECK(hands.at("what was found").in_sight());
}

TEST_CASE("the figure over dollars loads a point, and says when the machine has changed") {
  Clicks hands{own_catalog(), kExamples};
  hands.session().open(kExamples + "/21_cheapest_machine/scenario.toml");
  hands.settle();
  hands.click("Sweep");
  hands.click("What varies");
  hands.type("search: words of a parameter, such as workers", "number of");
  hands.click("vary by number of ssd0-ssd7");
  hands.click("Sweep (F5)");
  hands.settle();
  hands.click("Cost");
  hands.frames(2);
  CHECK(!hands.shows("sweep is old"));
  const auto& points = hands.app().sweeper().points();
  REQUIRE(points.front().result);
  hands.click("cost point 0");
  hands.settle();
  CHECK(hands.session().result()->price_USD == points.front().result->price_USD);
  CHECK(!hands.shows("sweep is old"));  // another point of the same sweep
  hands.type("loader.workers_per_gpu", "3");
  hands.settle();
  CHECK(hands.shows("sweep is old"));
  hands.click("New…");  // and so of a machine begun anew
  hands.frames(2);
  hands.key(ImGuiKey_Escape);
}

TEST_CASE("the cheapest eight L40S that are 90 % busy are found in twelve actions") {
  Clicks hands{own_catalog(), kExamples};
  hands.settle();
  hands.click("New…");
  hands.type("search: words of the name, such as micron 7.68", "l40s esc8000a");
  hands.click("asus-esc8000a-e12 + nvidia-l40s");
  hands.settle_answered();
  hands.click("Find");
  hands.click("vary system.chassis");
  hands.click("system.chassis=gigabyte-g493-zb3");
  hands.click("vary system.drives");
  hands.click("system.drives x=2");
  hands.click("vary workload.batch_per_gpu");
  hands.click("workload.batch_per_gpu=256");
  hands.click("Find it (F5)");
  hands.settle();
  const Finder& finder = hands.app().finder();
  REQUIRE_MESSAGE(finder.answer(), finder.problem());
  CHECK(finder.answer()->choices == 8);
  for (const Obstacle& one : finder.answer()->obstacles)
    MESSAGE(one.constraint, " ", one.closest.value_or(0), " ", one.bottleneck);
  REQUIRE(finder.answer()->chosen.size() == 1);
  hands.click("Load choice 1");
  hands.settle();
  CHECK(hands.actions() <= 12);
  CHECK(hands.session().answered()->system->gpus.size() == 8);
  CHECK(hands.session().answered()->system->gpus.front().model.name == "nvidia-l40s");
  CHECK(hands.session().result()->job_gpu_utilization >= 0.9);
  CHECK(hands.session().result()->price_USD == finder.answer()->chosen.front().price_USD);
}

TEST_CASE("the data path and a model's GPUs are drawn of what the answer says") {
  Clicks hands{own_catalog(), kExamples};
  hands.session().open(kExamples + "/20_finetune_7b/scenario.toml");
  hands.settle();
  hands.click("Data path");
  hands.frames(2);
  CHECK(hands.shows("station GPU compute"));
  CHECK(hands.shows("GPUs of the model"));
  hands.session().open(kExamples + "/14_cold_start/scenario.toml");
  hands.settle();
  CHECK(!hands.shows("GPUs of the model"));
}

TEST_CASE("what was seen on a real run is explained") {
  Opened opened;
  Clicks& hands = opened.hands;
  hands.click("Explain");
  hands.click("Explain it (F5)");
  hands.settle();
  CHECK(!hands.app().explainer().problem().empty());  // nothing was seen
  hands.type("GPU utilization", "20");
  hands.click("Explain it (F5)");
  hands.settle();
  const auto& answer = hands.app().explainer().answer();
  REQUIRE_MESSAGE(answer, hands.app().explainer().problem());
  CHECK(!answer->fits);
  REQUIRE(!answer->causes.empty());
  CHECK(answer->causes.front().explains);
}

TEST_CASE("frames go on while a sweep runs") {
  Opened opened;
  Clicks& hands = opened.hands;
  hands.click("Sweep");
  opened.choose("What varies", "run.seed", "run.seed");
  hands.type("values, such as 1, 2, 4", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10");
  hands.click("Sweep (F5)");
  int frames = 0;
  std::size_t seen = 0;
  bool grows = true;
  while (hands.app().sweeper().running()) {
    hands.frames();
    ++frames;
    grows = grows && hands.app().sweeper().finished() >= seen;
    seen = hands.app().sweeper().finished();
  }
  CHECK(grows);
  CHECK(seen == 10);
  CHECK(frames > 20);  // a blocked frame would have waited for points
}

}  // namespace gpufeed::ui
