// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>

#include "tests/support/catalog.h"
#include "tests/window/clicks.h"
#include "ui/model/keep/examples.h"

namespace gpufeed::ui {

namespace {

/// Many parts in one machine, or many machines.
std::string many(int drives, int nodes) {
  std::string list;
  for (int i = 0; i < drives; ++i)
    list += fmt::format("  {{ id = \"ssd{}\", model = \"sata-ssd-1.92tb\", at = \"cpu{}\" }},\n", i,
                        i % 2);
  return fmt::format(
      "schema = 1\nnodes = {}\n[system]\ntitle = \"many parts\"\nsource = \"a test\"\n"
      "basis = \"estimate\"\nsocket = [\n"
      "  {{ id = \"cpu0\", model = \"intel-xeon-e5-2690v4\", memory = \"128 GiB\" }},\n"
      "  {{ id = \"cpu1\", model = \"intel-xeon-e5-2690v4\", memory = \"128 GiB\" }},\n]\n"
      "socket_link = [{{ between = [\"cpu0\", \"cpu1\"], link = \"qpi-9.6\", count = 2 }}]\n"
      "gpu = [{{ id = \"gpu0\", model = \"nvidia-p40\", at = \"cpu0\" }},\n"
      "       {{ id = \"gpu1\", model = \"nvidia-p40\", at = \"cpu1\" }}]\n"
      "nic = [{{ id = \"eth0\", model = \"mellanox-connectx-4-lx-25g\", at = \"cpu0\" }}]\n"
      "drive = [\n{}]\nvolume = [{{ id = \"scratch\", drives = [\"ssd*\"] }}]\n"
      "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n[data]\nat = \"scratch\"\n",
      nodes, list);
}

/// Three edits, each until its answer is shown.
Pace edited(Clicks& hands, const char* key) {
  for (const char* value : {"4111", "4112", "4113"}) {
    hands.session().edit(key, value);
    while (hands.session().standing() == Standing::updating) hands.frames();
    hands.frames(2);
  }
  return hands.app().view().pace;
}

void tell(const std::string& what, const Pace& pace) {
  CHECK(pace.edits().count() == 3);
  REQUIRE(pace.frames().median());
  MESSAGE(fmt::format("{}: edit to answer {:.1f} ms, frame {:.2f} ms", what,
                      1e3 * *pace.edits().median(), 1e3 * *pace.frames().median()));
}

}  // namespace

// Figures, not tests of speed: `window_tests --test-case='*how long*' --success` prints them.
TEST_CASE("the window itself tells how long an edit takes until its answer, and a frame") {
  const std::string folder = GPUFEED_SOURCE_DIR "/examples";
  for (const Example& example : examples_in(folder)) {
    if (!example.folder.starts_with("01") && !example.folder.starts_with("20") &&
        !example.folder.starts_with("25") && !example.folder.starts_with("27"))
      continue;
    Clicks hands(own_catalog(), folder);
    hands.session().open(example.file);
    hands.settle_answered();
    tell(example.folder, edited(hands, hands.session().serves()      ? "serving.token_budget"
                                       : hands.session().is_shared() ? "cluster.seed"
                                                                     : "run.seed"));
  }
}

TEST_CASE("how long an edit takes of 300 drives, and of 64 nodes") {
  for (const auto& [drives, nodes] : {std::pair{300, 1}, {4, 64}}) {
    Clicks hands(own_catalog());
    hands.session().start(many(drives, nodes), "many.toml");
    for (Standing now = Standing::empty; now != Standing::current && now != Standing::wrong;
         now = hands.session().standing())
      hands.frames();
    REQUIRE(hands.session().standing() == Standing::current);
    tell(fmt::format("{} drives, {} nodes", drives, nodes), edited(hands, "run.seed"));
  }
}

}  // namespace gpufeed::ui
