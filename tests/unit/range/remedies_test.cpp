// SPDX-License-Identifier: Apache-2.0
// What would make a range narrower: a command for that very number, or what else it takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "sim/base/key_path.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/model/uncertain.h"
#include "sim/range/deviations.h"
#include "sim/range/mechanism.h"
#include "tests/support/catalog.h"
#include "tests/support/examples.h"

using namespace gpufeed;

namespace {

/// What no command of this program does.
constexpr std::array<std::string_view, 4> kOthers{"nvbandwidth", "ib_write_bw", "run fio",
                                                  "on this machine, and compare"};

bool tells_how(std::string_view remedy) {
  return remedy.find("gpufeed ") != std::string_view::npos ||
         std::ranges::any_of(kOthers, [&](std::string_view other) {
           return remedy.find(other) != std::string_view::npos;
         });
}

}  // namespace

TEST_CASE("every number that leaves an example open has a command, and what sets it names it") {
  std::set<std::string_view> kinds;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(GPUFEED_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".toml" || example_file(file) != ExampleFile::scenario) continue;
    const Scenario scenario = load_scenario(file.path(), own_catalog());
    for (const UncertainValue& value : uncertain_values(scenario)) {
      const std::string remedy = remedy_for(value);
      CAPTURE(value.name);
      CAPTURE(remedy);
      CHECK(tells_how(remedy));
      const bool sets = remedy.find("--set '") != std::string::npos ||
                        remedy.find("--key '") != std::string::npos;
      if (sets)
        CHECK(remedy.find("'" + text(own_path(value.places.front().path))) != std::string::npos);
      CHECK(remedy.find('{') == std::string::npos);
      kinds.insert(value.kind);
    }
  }
  CHECK(kinds.size() > 8);
}

TEST_CASE(
    "every mechanism has a command that is held against the prediction, or says what it takes") {
  for (std::size_t m = 0; m < kMechanisms; ++m) {
    const std::string_view remedy = remedy_for(static_cast<Mechanism>(m));
    CAPTURE(remedy);
    CHECK(tells_how(remedy));
  }
}
