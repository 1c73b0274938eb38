// SPDX-License-Identifier: Apache-2.0
// What scenarios of strangers may name, and what a text may hold.
#include <doctest/doctest.h>

#include "sim/load/load.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/parameters.h"
#include "sim/load/study/sweep.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

constexpr const char* kTraining = "[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-1k'\n";

std::string refusal(const std::string& text) {
  return refusal_of([&] { parse_scenario(text, "s.toml", own_catalog()); });
}

/// Of the scenario `text` in a folder that it is confined to; the folder's name is left out.
std::string confined(const std::string& text) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "in");
  folder.write("out.csv", "time,file,offset,bytes\n0,a,0,4096\n");
  folder.write("in/in.csv", "time,file,offset,bytes\n0,a,0,4096\n");
  folder.write("in/s.toml", text);
  std::string said = refusal_of(
      [&] { load_scenario(folder / "in/s.toml", own_catalog().confined_to(folder / "in")); });
  const std::string start = (folder / "").string();
  for (auto at = said.find(start); at != std::string::npos; at = said.find(start))
    said.erase(at, start.size());
  return said;
}

std::string replay_of(const std::string& log) {
  return "system = 'nvidia-dgx1-p100'\n[workload]\nkind = 'io'\nio = { log = '" + log +
         "' }\n[data]\nat = 'scratch'\n[loader]\ncache = 'lru'\n";
}

}  // namespace

TEST_CASE("a confined scenario names files of its folder and of the catalog, and no others") {
  CHECK(confined(replay_of("in.csv")) == "accepted");
  CHECK(confined(replay_of("../out.csv")) ==
        "in/s.toml:4:14: error: workload.io.log: \"out.csv\" lies outside the folder of --confine "
        "and the catalogs\n");
  CHECK(confined(std::string("system = '../../../etc/x.toml'\n") + kTraining)
            .ends_with("/etc/x.toml\" lies outside the folder of --confine and the catalogs\n"));
}

TEST_CASE("control characters in text are refused at their place") {
  CHECK(
      refusal(std::string("title = \"a\\u001b[2Jb\"\nsystem = 'nvidia-dgx1-p100'\n") + kTraining) ==
      "s.toml:1:9: error: title: control characters are not allowed; found \"a\\x1b[2Jb\"\n");
  CHECK(refusal(std::string("title = \"a\\nb\"\nsystem = 'nvidia-dgx1-p100'\n") + kTraining) ==
        "accepted");
  CHECK(refusal(std::string("system = \"nvidia-dgx1-p100\\u0000\"\n") + kTraining) ==
        "s.toml:1:10: error: system: control characters are not allowed; found "
        "\"nvidia-dgx1-p100\\x00\"\n");
  CHECK(refusal(std::string("system = \"/tmp/a.toml\\u0000.toml\"\n") + kTraining) ==
        "s.toml:1:10: error: system: control characters are not allowed; found "
        "\"/tmp/a.toml\\x00.toml\"\n");
  CHECK(refusal(std::string("system = 'nvidia-dgx1-p100'\n[store.\"a\\u009b\"]\nmodel = 'x'\n") +
                kTraining) ==
        "s.toml:2:1: error: store: control characters are not allowed; found \"a\\xc2\\x9b\"\n");
}

TEST_CASE("what files of parameters, goals and sweeps name is confined, too") {
  const TemporaryFolder folder;
  for (const char* name : {"in", "in/cat", "in/cat/drive", "out", "out/drive"})
    std::filesystem::create_directory(folder / name);
  folder.write("out/drive/x.toml", "title = \"secret\"\n");
  folder.write("out/scn.toml", std::string("system = 'nvidia-dgx1-p100'\n") + kTraining);
  folder.write("in/scn.toml", std::string("system = 'nvidia-dgx1-p100'\n") + kTraining);
  std::filesystem::create_symlink(folder / "out/drive/x.toml", folder / "in/cat/drive/x.toml");
  std::filesystem::create_symlink(folder / "out", folder / "in/link");
  const Catalog catalog = own_catalog().confined_to(folder / "in");
  const auto refused = [&](const char* name, const std::string& text, auto load) {
    const auto file = folder.write(name, text);
    const std::string said = refusal_of([&] { load(file, catalog); });
    const bool outside =
        said.find("lies outside the folder of --confine and the catalogs") != std::string::npos;
    CHECK_MESSAGE((outside || said == "accepted"), said);
    return outside;
  };
  const auto parameters = [&](const char* folder_named) {
    return refused(
        "in/p.toml",
        std::string("schema = 1\ntitle = 'p'\nsource = 'me'\ncatalog = '") + folder_named + "'\n",
        [](const auto& file, const Catalog& of) { load_parameters(file, of); });
  };
  CHECK(!parameters("cat"));
  CHECK(parameters("../out"));
  CHECK(parameters("link"));
  CHECK(parameters("/etc"));
  const auto goal = [&](const char* scenario, const char* also) {
    return refused("in/g.toml",
                   fmt::format("scenario = '{}'\nalso = ['{}']\n[[axis]]\npath = "
                               "'loader.workers_per_gpu'\nvalues = [1, 2]\n",
                               scenario, also),
                   [](const auto& file, const Catalog& of) { load_goal(file, of); });
  };
  CHECK(!goal("scn.toml", "scn.toml"));
  CHECK(goal("../out/scn.toml", "scn.toml"));
  CHECK(goal("scn.toml", "../out/scn.toml"));
  CHECK(goal("scn.toml", "link/scn.toml"));
  CHECK(refused("in/s.toml",
                "scenario = 'link/scn.toml'\n[[axis]]\npath = 'loader.workers_per_gpu'\nvalues = "
                "[1, 2]\n",
                [](const auto& file, const Catalog& of) { load_sweep(file, of); }));
  // A folder that parameters name lies inside, an entry in it leads outside.
  const Catalog with_theirs =
      Catalog({folder / "in/cat"}).confined_to(folder / "in", {folder / "in/cat"});
  CHECK(refusal_of([&] { with_theirs.find("drive", "x"); }).find("lies outside") !=
        std::string::npos);
  // The user's own may have links.
  const Catalog with_own = Catalog({folder / "in/cat"}).confined_to(folder / "in");
  CHECK(with_own.find("drive", "x"));
}
