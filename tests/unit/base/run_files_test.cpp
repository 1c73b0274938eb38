// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/run_files.h"

#include <doctest/doctest.h>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
namespace fs = std::filesystem;

namespace {

/// The same file by other names.
std::vector<fs::path> aliases_of(const TemporaryFolder& folder, const std::string& name) {
  fs::create_directory(folder / "d");
  fs::create_directory_symlink(folder / ".", folder / "around");
  fs::create_hard_link(folder / name, folder / "hard");
  fs::create_symlink(folder / name, folder / "soft");
  fs::create_symlink("soft", folder / "softer");
  const fs::path doubled = (folder / "").string() + "/" + name;
  return {folder / name,   folder / ("./" + name), folder / ("d/../" + name),
          doubled,         folder / "hard",        folder / ("around/" + name),
          folder / "soft", folder / "softer"};
}

struct BegunAnew {
  BegunAnew() { forget_files(); }
  ~BegunAnew() { forget_files(); }
};

}  // namespace

TEST_CASE("what was read is no output, by whatever name") {
  const BegunAnew files;
  const TemporaryFolder folder;
  const fs::path input = folder.write("a", "");
  CHECK(!note_read(input));
  for (const auto& alias : aliases_of(folder, "a")) {
    const std::string said = "--json x: error: this is the file " + input.string() +
                             ", which is read; name another one\n";
    CHECK(refusal_of([&] { note_output("--json x", alias); }) == said);
    CHECK(refusal_of([&] { refuse_read("--json x", alias); }) == said);
  }
  CHECK(refusal_of([&] { note_output("--json b", folder / "b"); }) == "accepted");
}

TEST_CASE("what is going to be written is no input, by whatever name") {
  const TemporaryFolder folder;
  folder.write("a", "");
  for (const auto& alias : aliases_of(folder, "a")) {
    const BegunAnew files;
    note_output("--json x", alias);
    const auto problem = note_read(folder / "a");
    REQUIRE(problem);
    CHECK(problem->where.file == "--json x");
    CHECK(problem->message ==
          "this is the file " + (folder / "a").string() + ", which is read; name another one");
    // whoever went on for all that is stopped before it writes
    CHECK(refusal_of([&] { refuse_read("--json x", alias); }) != "accepted");
  }
}

TEST_CASE("two outputs are two files, whether they are there already or not") {
  for (const bool there : {false, true}) {
    const BegunAnew files;
    const TemporaryFolder folder;
    if (there) folder.write("a", "");
    fs::create_directory_symlink(folder / ".", folder / "around");
    fs::create_symlink("a", folder / "soft");
    note_output("--json a", folder / "a");
    for (const char* alias : {"a", "./a", "around/a", "soft"})
      CHECK(refusal_of([&] { note_output("--html b", folder / alias); }) ==
            "--html b: error: this is the file of --json a too; name another one\n");
    CHECK(refusal_of([&] { note_output("--csv c", folder / "c"); }) == "accepted");
  }
  const BegunAnew files;
  note_output("--json /dev/null", "/dev/null");
  CHECK(refusal_of([&] { note_output("--csv /dev/null", "/dev/null"); }) == "accepted");
}

TEST_CASE("entries of a catalog are inputs, whichever are read") {
  const BegunAnew files;
  const TemporaryFolder folder;
  folder.write("x.toml", "");
  folder.write("notes", "");
  fs::create_hard_link(folder / "x.toml", folder / "other");
  note_read_entries(folder / "");
  CHECK(refusal_of([&] { note_output("--json o", folder / "other"); }) ==
        "--json o: error: this is the file " + (folder / "x.toml").string() +
            ", which is read; name another one\n");
  CHECK(refusal_of([&] { note_output("--json n", folder / "notes"); }) == "accepted");
  CHECK(refusal_of([&] { note_output("--json y", folder / "y.toml"); }) == "accepted");
}

TEST_CASE("its editor alone writes the file that is open, and no input") {
  const BegunAnew files;
  const TemporaryFolder folder;
  folder.write("scenario", "");
  folder.write("system", "");
  note_edited(folder / "scenario");
  note_read(folder / "system");
  const auto refused = [&](const char* name, Writer writer) {
    return refusal_of([&] { refuse_read("save", folder / name, writer); }) != "accepted";
  };
  CHECK(!refused("scenario", Writer::editor));
  CHECK(refused("scenario", Writer::any));
  CHECK(refused("system", Writer::editor));
  note_edited(folder / "system");
  CHECK(!refused("scenario", Writer::any));
  CHECK(refused("system", Writer::editor));
}

TEST_CASE("a name that leads elsewhere by now protects what it leads to") {
  const BegunAnew files;
  const TemporaryFolder folder;
  note_read(folder.write("a", "old"));
  folder.write("new", "new");
  fs::rename(folder / "new", folder / "a");  // as editors save
  CHECK(refusal_of([&] { refuse_read("x", folder / "a"); }) != "accepted");
}
