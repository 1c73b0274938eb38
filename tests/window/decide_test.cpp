// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/window/clicks.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";
const std::string kExample = kExamples + "/13_sweep_on_slurm/scenario.toml";

/// The example, open and answered.
struct Opened {
  Clicks hands{own_catalog(), kExamples};
  Opened() {
    hands.session().open(kExample);
    hands.settle();
    REQUIRE(hands.session().standing() == Standing::current);
  }
  void choose(const std::string& axis, const std::string& path, const std::string& item) {
    hands.click(axis);
    hands.type("search: words of a parameter, such as workers", path);
    hands.click(item);
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
  CHECK(keys.front().name == "loader.workers_per_gpu");
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
  opened.choose("What varies", "workers_per", "loader.workers_per_gpu  =  8");
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
  opened.choose("What varies", "workers_per", "loader.workers_per_gpu  =  8");
  hands.click("Range 1");
  hands.type("from", "8");
  hands.type("to", "2");
  hands.command(Command::start_sweep);
  CHECK(hands.app().view().sweep.problem ==
        "the sweep: error: the range of loader.workers_per_gpu: from must be less than to\n");
  CHECK(!hands.app().sweeper().running());
  hands.type("from", "1");
  hands.type("to", "900");
  hands.type("how many values", "900");
  hands.command(Command::start_sweep);
  CHECK(hands.app().view().sweep.problem ==
        "900 points are too many for a chart (at most 400); gpufeed sweep takes more.");
}

TEST_CASE("frames go on while a sweep runs") {
  Opened opened;
  Clicks& hands = opened.hands;
  hands.click("Sweep");
  opened.choose("What varies", "run.seed", "run.seed  =  1");
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
