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
  hands.settle_answered();
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

TEST_CASE(
    "a field shows what is wrong with what was typed in, and undoing it brings the answer back") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  const std::string before = hands.session().text();
  const double rate = hands.session().result()->throughput_samples_per_s;
  struct Wrong {
    std::string path, typed, said;
  };
  for (const Wrong& wrong :
       {Wrong{"nodes", "0", "Machines must be a whole number from 1 to 65536; found 0"},
        Wrong{"nodes", "70000", "Machines must be a whole number from 1 to 65536; found 70000"},
        Wrong{"workload.batch_per_gpu", "-5",
              "Batch per GPU must be a whole number from 1 to 1000000; found -5"},
        Wrong{"loader.workers_per_gpu", "2.5",
              "Loader workers must be a whole number from 0 to 1024; found 2.5"},
        Wrong{"loader.prefetch_batches", "many",
              "Prefetch must be a whole number from 1 to 1024; found \"many\""}}) {
    CAPTURE(wrong.path);
    CAPTURE(wrong.typed);
    hands.type(wrong.path, wrong.typed);
    hands.settle();
    CHECK(hands.session().standing() == Standing::wrong);
    CHECK(hands.shows("problem of " + wrong.path));
    CHECK(problem_of(own_path(wrong.path), hands.session().problems()) == wrong.said);
    CHECK(hands.session().result()->throughput_samples_per_s == rate);
    hands.click("Undo");
    hands.settle();
    CHECK(hands.session().text() == before);
    CHECK(hands.session().standing() == Standing::current);
    CHECK(!hands.shows("problem of " + wrong.path));
  }
}

TEST_CASE("a number goes up and down by buttons, each press an edit, and not below the least") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  CHECK(!hands.at("fewer nodes").enabled);
  hands.click("more nodes");
  hands.click("more nodes");  // whether or not the first is answered
  hands.settle();
  CHECK(hands.session().answered()->nodes == 3);
  hands.click("fewer nodes");
  hands.settle();
  CHECK(hands.session().answered()->nodes == 2);
  hands.click("Undo");
  hands.click("Undo");
  hands.settle();
  CHECK(hands.session().answered()->nodes == 2);
  hands.type("nodes", "");
  hands.settle();
  CHECK(hands.session().text().find("nodes") == std::string::npos);
}

TEST_CASE("what is said of a command stands until the next edit") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  hands.click("Copy command");
  CHECK(!hands.app().view().message.empty());
  hands.click("more nodes");
  CHECK(hands.app().view().message.empty());
}

TEST_CASE("work of every kind has its machines, its data and all its settings at the left") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/24_checkpoints_of_a_cluster/scenario.toml");
  hands.settle_answered();
  CHECK(hands.shows("data.at"));
  CHECK(!hands.shows("workload.batch_per_gpu"));
  hands.click("fewer nodes");
  hands.settle();
  CHECK(hands.session().answered()->nodes == 7);
  hands.click("All settings…");
  CHECK(hands.shows("search: words of the key, such as prefetch"));
}

TEST_CASE("the layout, the memory and the checkpoints of a language model stand in the window") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/20_finetune_7b/scenario.toml");
  hands.settle();
  for (const char* label : {"Time to result", "Time to first step", "Tokens", "Layout",
                            "Step goes to", "GPU memory", "Checkpoints"})
    CHECK(hands.shows(std::string("job: ") + label));
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  CHECK(hands.shows("job: Time to result"));
  for (const char* label : {"Tokens", "Layout", "Step goes to", "GPU memory", "Checkpoints"})
    CHECK(!hands.shows(std::string("job: ") + label));
}

}  // namespace gpufeed::ui
