// SPDX-License-Identifier: Apache-2.0
#include "sim/base/named_files.h"

#include <doctest/doctest.h>

#include "tests/support/temporary_folder.h"

using namespace gpufeed;
namespace fs = std::filesystem;

TEST_CASE("without folders any file may be named, and all that were are known") {
  NamedFiles files;
  CHECK(files.admit("b"));
  CHECK(files.admit("/a"));
  CHECK(files.admit("b"));
  CHECK(files.all() == std::vector<fs::path>{"b", "/a"});
}

TEST_CASE("a folder confines files however they are reached") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "in");
  fs::create_directory(folder / "inner");
  folder.write("in/a.toml", "");
  folder.write("out.toml", "");
  fs::create_symlink(folder / "out.toml", folder / "in/link.toml");
  fs::create_directory_symlink(folder / "inner", folder / "in/away");
  NamedFiles files({folder / "in"});
  CHECK(files.admit(folder / "in/a.toml"));
  CHECK(files.admit(folder / "in/not there yet"));
  CHECK(files.admit(folder / "in/../in/a.toml"));
  CHECK(!files.admit(folder / "out.toml"));
  CHECK(!files.admit(folder / "in/../out.toml"));
  CHECK(!files.admit(folder / "inner/a.toml"));  // begins with the same letters
  CHECK(!files.admit(folder / "in/link.toml"));
  CHECK(!files.admit(folder / "in/away/new.toml"));
  CHECK(!files.admit("/etc/passwd"));
  CHECK(files.all().size() == 3);
}
