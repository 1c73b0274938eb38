// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("an example is opened, a number typed in, undone, made again and saved by clicks") {
  const TemporaryFolder folder;
  Clicks hands(own_catalog(), kExamples);
  hands.click("Open…");
  hands.click("01_local_or_shared");
  hands.settle();
  REQUIRE(hands.session().standing() == Standing::current);
  const std::string before = hands.session().text();

  hands.type("loader.workers_per_gpu", "3");
  hands.settle();
  CHECK(hands.session().answered()->loader.workers_per_gpu == 3);
  hands.click("Undo");
  CHECK(hands.session().text() == before);
  hands.click("Redo");
  CHECK(hands.session().text() == before + "\n[loader]\nworkers_per_gpu = 3\n");

  const std::string file = (folder / "mine.toml").string();
  hands.click("Save…");
  hands.type("path of the file to write", file);
  if (hands.shows("Save")) hands.click("Save");
  CHECK(content(file) == hands.session().text());
  CHECK(hands.session().saved());
}

TEST_CASE("another product is searched for and taken by clicks") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  hands.click("Change gpu0");
  hands.type("search: words of the name, such as micron 7.68", "tesla v100 sxm 16");
  hands.click("nvidia-v100-sxm2-16gb");
  hands.settle();
  CHECK(hands.session().scenario()->system->gpus.front().model.name == "nvidia-v100-sxm2-16gb");
}

}  // namespace gpufeed::ui
