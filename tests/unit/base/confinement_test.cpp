// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/confinement.h"

#include <doctest/doctest.h>

#include "tests/support/temporary_folder.h"

using namespace gpufeed;
namespace fs = std::filesystem;

TEST_CASE("without folders any file may be named") {
  CHECK(Confinement().allows("b"));
  CHECK(Confinement().allows("/a"));
}

TEST_CASE("a folder confines files however they are reached") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "in");
  fs::create_directory(folder / "inner");
  folder.write("in/a.toml", "");
  folder.write("out.toml", "");
  fs::create_symlink(folder / "out.toml", folder / "in/link.toml");
  fs::create_directory_symlink(folder / "inner", folder / "in/away");
  const Confinement files({folder / "in"});
  CHECK(files.allows(folder / "in/a.toml"));
  CHECK(files.allows(folder / "in/not there yet"));
  CHECK(files.allows(folder / "in/../in/a.toml"));
  CHECK(!files.allows(folder / "out.toml"));
  CHECK(!files.allows(folder / "in/../out.toml"));
  CHECK(!files.allows(folder / "inner/a.toml"));  // begins with the same letters
  CHECK(!files.allows(folder / "in/link.toml"));
  CHECK(!files.allows(folder / "in/away/new.toml"));
  CHECK(!files.allows("/etc/passwd"));
}
