// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";

/// The example with few loader workers, open, answered and advised on.
struct Advised {
  Clicks hands{own_catalog(), kExamples};
  Advised() {
    hands.session().open(kExamples + "/13_sweep_on_slurm/scenario.toml");
    hands.settle();
    hands.type("loader.workers_per_gpu", "1");
    settle();
  }
  void settle() {
    hands.settle();
    hands.app().adviser().finish();
    hands.frames(4);
  }
};

}  // namespace

TEST_CASE("a what-if is tried by a click, gives what it said, and is undone") {
  Advised advised;
  Clicks& hands = advised.hands;
  const std::string before = hands.session().text();
  const double slow = hands.session().result()->throughput_samples_per_s;
  hands.click("What if");
  REQUIRE(hands.app().adviser().advice().what_if);
  const WhatIfRow best = hands.app().adviser().advice().what_if->rows.front();
  hands.click("Try " + best.change);
  hands.settle_answered();
  CHECK(hands.session().text() != before);
  CHECK(hands.session().result()->throughput_samples_per_s == best.after.throughput_samples_per_s);
  hands.click("Undo");
  advised.settle();
  CHECK(hands.session().text() == before);
  CHECK(hands.session().result()->throughput_samples_per_s == slow);
  hands.click("Machine");
  hands.click("Try suggestion 1");
  hands.settle();
  CHECK(hands.session().result()->throughput_samples_per_s == best.after.throughput_samples_per_s);
}

TEST_CASE("frames go on while advice is sought") {
  Advised advised;
  Clicks& hands = advised.hands;
  hands.type("loader.workers_per_gpu", "2");
  hands.settle();
  int frames = 0;
  while (hands.app().adviser().busy()) {
    hands.frames();
    ++frames;
  }
  CHECK(frames > 20);  // a blocked frame would have waited for the answer
  CHECK(hands.app().adviser().advice().parts_tried);
}

TEST_CASE("the report that is saved is the command line's") {
  const TemporaryFolder folder;
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/04_cache_or_not/scenario.toml");
  hands.settle();
  hands.command(Command::report);
  hands.type("path of the file to write", (folder / "mine.html").string());
  hands.click("Save the report");
  std::ifstream in(folder / "mine.html");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find(hands.session().result()->title) != std::string::npos);
  CHECK(page.find("P10 to P90") != std::string::npos);
  CHECK(page.find("that are not saved") == std::string::npos);
  hands.session().edit("nodes", "2");
  hands.settle();
  hands.command(Command::report);
  hands.type("path of the file to write", (folder / "two.html").string());
  hands.click("Save the report");
  std::ifstream changed(folder / "two.html");
  const std::string other{std::istreambuf_iterator<char>(changed), {}};
  CHECK(other.find("with changes that are not saved") != std::string::npos);
}

TEST_CASE("a number of a product becomes the user's own, and is taken back") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/13_sweep_on_slurm/scenario.toml");
  hands.settle();
  const std::string before = hands.session().text();
  hands.click("Numbers of ssd0");
  hands.type("own read_bandwidth", "1 GB/s");
  hands.settle_answered();
  for (const auto& drive : hands.session().scenario()->system->drives)
    CHECK(drive.model->read_bandwidth.value == 1e9);
  CHECK(hands.session().text().find("[[own]]") != std::string::npos);
  hands.click("Catalog's read_bandwidth");
  hands.settle();
  CHECK(hands.session().scenario()->system->drives.front().model->read_bandwidth.value == 3e9);
  hands.click("Close");
  hands.click("Undo");
  hands.click("Undo");
  CHECK(hands.session().text() == before);
}

}  // namespace gpufeed::ui
