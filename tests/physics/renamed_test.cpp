// SPDX-License-Identifier: Apache-2.0
// What the user calls things decides no number.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/writers/json.h"
#include "sim/load/load.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"
#include "tests/support/random_features.h"
#include "tests/support/renamed.h"

using namespace gpufeed;
using namespace gpufeed::systems;

namespace {

/// All numbers of a JSON text, as they are written; what stands in texts is none.
std::vector<std::string> numbers_of(const std::string& json) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') {
      while (json[++i] != '"')
        if (json[i] == '\\') ++i;
    } else if (json[i] == '-' || std::isdigit(static_cast<unsigned char>(json[i])) != 0) {
      const std::size_t end = json.find_first_of(",\n]}", i);
      numbers.push_back(json.substr(i, end - i));
      i = end;
    }
  }
  return numbers;
}

void check_renamed(const Scenario& scenario) {
  const auto now = numbers_of(to_json(simulate(scenario)));
  const auto then = numbers_of(to_json(simulate(renamed(scenario))));
  REQUIRE(now.size() > 20);
  CHECK(now == then);
}

}  // namespace

TEST_CASE("numbers are told apart from texts") {
  CHECK(numbers_of("{\"a 1\": -2.5e3, \"b\\\"7\": [1, 3],\n \"c\": null}") ==
        std::vector<std::string>{"-2.5e3", "1", "3"});
}

TEST_CASE("every number of the examples is the same whatever parts and products are called") {
  namespace fs = std::filesystem;
  std::size_t told = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(GPUFEED_SOURCE_DIR) / "examples")) {
    if (!entry.path().filename().string().starts_with("scenario") ||
        entry.path().extension() != ".toml")
      continue;
    CAPTURE(entry.path().string());
    Scenario scenario = load_scenario(entry.path(), own_catalog());
    scenario.run.range_samples = std::min<std::int64_t>(scenario.run.range_samples, 16);
    check_renamed(scenario);
    ++told;
  }
  CHECK(told > 20);
}

TEST_CASE("every number of random machines is the same whatever their parts are called") {
  for (std::uint64_t seed = 0; seed < draws(500); ++seed) {
    CAPTURE(seed);
    Scenario scenario = featured_scenario(random_machine(seed), seed);
    scenario.run.precision = {0.01};
    scenario.run.range_samples = 8;
    check_renamed(scenario);
  }
}
