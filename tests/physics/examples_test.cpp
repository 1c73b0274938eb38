// SPDX-License-Identifier: Apache-2.0
// Every example, by both engines: what they say must agree.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "reports/writers/json.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"
#include "tests/support/examples.h"

using namespace gpufeed;
using Json = nlohmann::json;

namespace {

constexpr double kAgree = 0.005;

/// The first steps are told span by span, how many are simulated follows from the rest, and what
/// waiting costs is a small difference of large times.
const std::set<std::string> kNotCompared{"engine", "scenario", "timeline", "simulated",
                                         "gpus_waiting_USD"};

/// Shares of a whole may differ by as much of the whole; all that has a unit by as much of itself,
/// but for a microsecond or byte.
bool agree(double a, double b, const std::string& path) {
  const double most = std::max(std::abs(a), std::abs(b));
  const bool has_unit = path.ends_with("_s") || path.ends_with("_B") || path.ends_with("_Bps");
  if (has_unit) return std::abs(a - b) <= std::max(kAgree * most, path.ends_with("_s") ? 1e-6 : 1);
  return std::abs(a - b) <= kAgree * (most <= 1 ? 1 : most);
}

void compare(const Json& a, const Json& b, const std::string& path) {
  CAPTURE(path);
  REQUIRE(a.type() == b.type());
  if (a.is_number()) {
    CAPTURE(a.get<double>());
    CAPTURE(b.get<double>());
    CHECK(agree(a.get<double>(), b.get<double>(), path));
  }
  if (!a.is_structured()) return;
  REQUIRE(a.size() == b.size());
  if (a.is_array())
    for (std::size_t i = 0; i < a.size(); ++i) compare(a[i], b[i], fmt::format("{}/{}", path, i));
  if (a.is_object())
    for (const auto& [key, value] : a.items())
      if (!kNotCompared.contains(key)) compare(value, b.at(key), fmt::format("{}/{}", path, key));
}

std::set<std::filesystem::path> scenarios() {
  std::set<std::filesystem::path> files;
  const std::filesystem::path examples = std::string(GPUFEED_SOURCE_DIR) + "/examples";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples))
    if (entry.path().extension() == ".toml" && example_file(entry.path()) == ExampleFile::scenario)
      files.insert(entry.path());
  return files;
}

}  // namespace

TEST_CASE("every example says the same by both engines") {
  int number = 0, compared = 0;
  for (const auto& file : scenarios()) {
    if (!costly_drawn(number++)) continue;
    CAPTURE(file);
    Scenario scenario = load_scenario(file, own_catalog());
    // Without a barrier, rounding decides who comes first, and so what chance gives to whom: both
    // engines then know their means only to the precision.
    if (scenario.exchange.mode == ExchangeMode::asynchronous) scenario.run.precision = {0.0005};
    scenario.run.range_samples = 0;  // estimates_test.cpp holds what results rest on
    scenario.run.engine = EngineKind::simgrid;
    const Result simgrid = simulate(scenario);
    scenario.run.engine = EngineKind::fluid;
    compare(Json::parse(to_json(simulate(scenario))), Json::parse(to_json(simgrid)), "");
    ++compared;
  }
  CHECK(compared >= costly_draws(70));
}
