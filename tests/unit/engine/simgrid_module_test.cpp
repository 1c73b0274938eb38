// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simgrid_module.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <span>
#include <string>

#include "sim/base/diagnostics.h"
#include "tests/support/temporary_folder.h"

namespace gpufeed {
namespace {

std::string refusal_of(std::span<const std::filesystem::path> folders) {
  try {
    load_simgrid_module(folders);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("without its module SimGrid is refused, with what to install and where was looked") {
  const std::array<std::filesystem::path, 2> folders{"/nowhere/bin", "/nowhere/lib"};
  CHECK(refusal_of(folders) ==
        "run.engine = \"simgrid\": error: this gpufeed has no SimGrid: there is no "
        "libgpufeed_simgrid.so in /nowhere/bin or /nowhere/lib; install Debian's libsimgrid-dev "
        "and build again, or take \"fluid\"\n");
}

TEST_CASE("a module that does not load is refused with the loader's own words") {
  const TemporaryFolder folder;
  const std::string file = folder.write("libgpufeed_simgrid.so", "not a library, but long enough");
  const std::array folders{std::filesystem::path(file).parent_path()};
  const std::string error = refusal_of(folders);
  CHECK(error == "run.engine = \"simgrid\": error: cannot load " + file + ": " + file +
                     ": file too short; install SimGrid (Debian's libsimgrid-dev), or take "
                     "\"fluid\"\n");
}

TEST_CASE("the program's own module makes engines that run") {
  require_simgrid();
  CHECK(make_simgrid_engine()->events() == 0);
}

}  // namespace
}  // namespace gpufeed
