// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>

#include "reports/writers/json.h"
#include "sim/base/files/write_whole.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kExample = GPUFEED_SOURCE_DIR "/examples/01_local_or_shared/scenario.toml";

/// A job of many steps: not done before somebody else could ask.
const std::string kLong =
    "system = \"nvidia-dgx1-p100\"\n"
    "nodes = 512\n"
    "[workload]\n"
    "model = \"resnet-50\"\n"
    "dataset = \"imagenet-1k\"\n"
    "epochs = 3\n"
    "[run]\n"
    "precision = 1e-5\n";

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// As `gpufeed simulate` writes it, but for the program's version.
std::string answer_of(const std::string& text) {
  const Scenario scenario = parse_scenario(text, kExample, own_catalog());
  Result result = simulate(scenario);
  result.scenario = to_toml(scenario);
  return to_json(result);
}

std::string shown_answer(const Session& session) {
  REQUIRE(session.result());
  Result result = *session.result();
  result.version.clear();
  CHECK(!result.timeline.empty());
  result.timeline.clear();  // which only the window asks for
  return to_json(result);
}

}  // namespace

TEST_CASE("a session begins empty, and answers what it opens as the command line does") {
  Session session(own_catalog());
  CHECK(session.standing() == Standing::empty);
  session.undo();
  session.edit("nodes", "2");
  CHECK(session.standing() == Standing::empty);
  session.open(kExample);
  CHECK(session.standing() == Standing::loading);
  session.finish();
  CHECK(session.standing() == Standing::current);
  CHECK(session.saved());
  CHECK(shown_answer(session) == answer_of(content(kExample)));
}

TEST_CASE("an edit changes one key of the text; the old answer is never shown as the new one") {
  Session session(own_catalog());
  session.open(kExample);
  session.finish();
  const std::string before = shown_answer(session);
  session.edit("loader.workers_per_gpu", "1");
  CHECK(session.standing() == Standing::updating);
  CHECK(session.answered()->loader.workers_per_gpu == 8);
  CHECK(shown_answer(session) == before);
  CHECK(session.text() == content(kExample) + "\n[loader]\nworkers_per_gpu = 1\n");
  CHECK(!session.saved());
  session.finish();
  CHECK(session.standing() == Standing::current);
  CHECK(session.scenario()->loader.workers_per_gpu == 1);
  CHECK(shown_answer(session) == answer_of(session.text()));
}

TEST_CASE("undo goes back edit by edit, and redo makes them again") {
  Session session(own_catalog());
  session.open(kExample);
  session.edit("loader.workers_per_gpu", "1");
  session.edit("loader.workers_per_gpu", "2");
  session.undo();
  session.undo();
  CHECK(!session.can_undo());
  CHECK(session.saved());
  session.finish();
  CHECK(session.scenario()->loader.workers_per_gpu == 8);
  session.redo();
  session.redo();
  CHECK(!session.can_redo());
  session.finish();
  CHECK(session.scenario()->loader.workers_per_gpu == 2);
}

TEST_CASE("what is wrong with an edit is told as check tells it, beside the last good answer") {
  Session session(own_catalog());
  session.open(kExample);
  session.finish();
  const std::string good = shown_answer(session);
  session.edit("data.at", "\"scrach\"");
  session.finish();
  CHECK(session.standing() == Standing::wrong);
  CHECK(shown_answer(session) == good);
  const std::string expected =
      refusal_of([&] { parse_scenario(session.text(), kExample, own_catalog()); });
  std::string told;
  for (const auto& problem : session.problems()) told += shown_line(problem) + "\n";
  CHECK(told == expected);
  CHECK(session.answered() != nullptr);
  session.undo();
  session.finish();
  CHECK(session.standing() == Standing::current);
  CHECK(session.problems().empty());
}

TEST_CASE("a file that cannot be read is a problem, not an empty scenario") {
  std::atomic<int> answers = 0;
  Session session(own_catalog(), [&] { ++answers; });
  for (int i = 0; i < 100; ++i) {  // an answer to what is not there would come in between
    session.open("nowhere.toml");
    session.finish();
    CHECK(session.standing() == Standing::wrong);
    REQUIRE(session.problems().size() == 1);
    CHECK(shown_line(session.problems().front()) == "nowhere.toml: error: there is no such file");
    CHECK(!session.result());
  }
  CHECK(answers == 0);
}

TEST_CASE("an edit that the text cannot take changes nothing, and says why") {
  Session session(own_catalog());
  session.open(kExample);
  session.finish();
  session.edit("system.title", "\"x\"");
  CHECK(session.refusal() == "system.title: error: system is \"nvidia-dgx1-p100\", not a table");
  CHECK(session.standing() == Standing::current);
  CHECK(!session.can_undo());
}

TEST_CASE("the newest request wins: what runs is stopped, and nothing of it is shown") {
  Session session(own_catalog());
  session.start(kLong, "long.toml");
  session.start(content(kExample), kExample);
  session.finish();
  CHECK(session.standing() == Standing::current);
  CHECK(session.result()->title == "ResNet-50, local SSDs");
}

TEST_CASE("parts become another product, and what is saved opens to the same answer") {
  const TemporaryFolder folder;
  Session session(own_catalog());
  session.open(kExample);
  session.finish();
  const auto parts = group_of(part_groups(*session.scenario()->system), "ssd2");
  REQUIRE(parts);
  CHECK(parts->ids == std::vector<std::string>{"ssd0", "ssd1", "ssd2", "ssd3"});
  CHECK(parts->pattern == "ssd*");
  session.replace(*parts, "intel-d3-s4510-3.84tb");
  session.finish();
  CHECK(session.text() ==
        content(kExample) + "\n[[replace]]\npart = \"ssd*\"\nwith = \"intel-d3-s4510-3.84tb\"\n");
  session.replace(*parts, "samsung-pm893-3.84tb");  // again: the same table
  session.finish();
  CHECK(std::ranges::count(session.text(), '[') == std::ranges::count(content(kExample), '[') + 2);
  session.save(folder / "mine.toml");
  CHECK(session.saved());
  session.finish();
  REQUIRE(session.standing() == Standing::current);
  const std::string saved = shown_answer(session);
  Session again(own_catalog());
  again.open(folder / "mine.toml");
  again.finish();
  CHECK(shown_answer(again) == saved);
  CHECK(content((folder / "mine.toml").string()) == session.text());
}

TEST_CASE("what is saved through a link is written where it leads, and as readable as before") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::path file = folder.write("mine.toml", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(file, folder / "link.toml");
  Session session(own_catalog());
  session.start(content(kExample), kExample);
  session.save(folder / "link.toml");
  CHECK(fs::is_symlink(folder / "link.toml"));
  CHECK(content(file.string()) == session.text());
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a scenario is saved in its own place, and in that of no file it names") {
  const TemporaryFolder folder;
  const auto file = folder.write("mine.toml",
                                 "system = './system.toml'\n[workload]\nmodel = 'resnet-50'\n"
                                 "dataset = 'imagenet-1k'\n");
  const auto system = folder.write("system.toml", "title = 'no machine'\n");
  Session session(own_catalog());
  session.open(file);
  session.finish();
  session.edit("nodes", "2");
  session.finish();
  CHECK(refusal_of([&] { session.save(system); }) ==
        system.string() + ": error: this is the file " + system.string() +
            ", which is read; name another one\n");
  CHECK(content(system.string()) == "title = 'no machine'\n");
  session.save(file);
  CHECK(content(file.string()) == session.text());
  session.save(folder / "copy.toml");
  session.save(file);
  // a report is not the editor's
  CHECK(refusal_of([&] { write_whole("report", file, "x"); }) != "accepted");
}

TEST_CASE("changes are what would be lost, and only another file's contents would be destroyed") {
  const TemporaryFolder folder;
  const auto file = folder.write("mine.toml", content(kExample));
  Session session(own_catalog());
  CHECK(!session.has_changes());
  session.start(content(kExample), "new.toml");
  CHECK(!session.has_changes());  // nor saved
  session.recover(content(kExample), "new.toml");
  CHECK(session.has_changes());
  session.open(file);
  CHECK(!session.has_changes());
  session.edit("nodes", "2");
  CHECK(session.has_changes());
  CHECK(!session.would_destroy(file));
  CHECK(!session.would_destroy(folder / "none.toml"));
  folder.write("mine.toml", "another wrote this meanwhile");
  CHECK(session.would_destroy(file));
}

TEST_CASE("a file that cannot be written is told, and the scenario counts as not saved") {
  Session session(own_catalog());
  session.start(content(kExample), kExample);
  CHECK(refusal_of([&] { session.save("/nowhere/at/all.toml"); }) ==
        "/nowhere/at/all.toml: error: cannot be written: No such file or directory\n");
  CHECK(!session.saved());
}

}  // namespace gpufeed::ui
