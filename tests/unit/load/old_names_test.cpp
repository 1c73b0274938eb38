// SPDX-License-Identifier: Apache-2.0
// A key that was renamed works under its old name, wherever it is given, and is told once.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/scenario_source.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/malformed.h"

namespace gpufeed {
namespace {

using malformed::kSystem;
using malformed::kWorkload;

const std::string kOldFile = kSystem + kWorkload + "crowding_overhead = \"3 ms\"\n";

Scenario loaded(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(text, "s.toml", own_catalog(), overrides);
}

double overhead_of(const Scenario& scenario) {
  return scenario.workload.get<kind::Training>().contention_overhead.value;
}

}  // namespace

TEST_CASE("a file may call a key by its old name, which is told") {
  const Scenario scenario = loaded(kOldFile);
  CHECK(overhead_of(scenario) == approx(3e-3));
  REQUIRE(scenario.old_names.size() == 1);
  CHECK(line_of(scenario.old_names.front()) ==
        "s.toml:5:21: note: workload.crowding_overhead is called contention_overhead since version "
        "0.1.0; the old name still works");
  CHECK(loaded(kSystem + kWorkload).old_names.empty());
}

TEST_CASE("an option may call a key by its old name, and either name replaces the file's") {
  const Scenario set = loaded(kSystem + kWorkload, {"workload.crowding_overhead=4 ms"});
  CHECK(overhead_of(set) == approx(4e-3));
  REQUIRE(set.old_names.size() == 1);
  CHECK(set.old_names.front().where.file == "--set workload.crowding_overhead=4 ms");
  CHECK(overhead_of(loaded(kOldFile, {"workload.contention_overhead=4 ms"})) == approx(4e-3));
  CHECK(overhead_of(loaded(kOldFile, {"workload.crowding_overhead=4 ms"})) == approx(4e-3));
  CHECK(overhead_of(loaded(kOldFile, {"workload.crowding_overhead="})) == 0);
  const std::string renamed = kSystem + kWorkload + "contention_overhead = \"3 ms\"\n";
  CHECK(overhead_of(loaded(renamed, {"workload.crowding_overhead=4 ms"})) == approx(4e-3));
}

TEST_CASE("axes and cases may call a key by its old name") {
  const ScenarioSource source(kSystem + kWorkload, "s.toml", own_catalog());
  const Override axis{"workload.crowding_overhead", "\"4 ms\"", "sweep.toml axis 1"};
  CHECK(overhead_of(source.load({axis})) == approx(4e-3));
  ValidationCase one;
  one.where = {"case.toml", 1, 1};
  one.set = {"workload.crowding_overhead=4 ms"};
  CHECK(overhead_of(source.load(overrides_of(one))) == approx(4e-3));
}

TEST_CASE("two names of one key are one too many") {
  CHECK(malformed::error_of(kOldFile + "contention_overhead = \"3 ms\"\n") ==
        "bad.toml:5:21: error: workload: crowding_overhead and contention_overhead are two names "
        "of one key; leave one out\n");
}

TEST_CASE("what is wrong with a key under its old name is said of its name") {
  CHECK(malformed::error_of(kSystem + kWorkload + "crowding_overhead = 3\n") ==
        "bad.toml:5:21: error: workload.contention_overhead must be text with a unit from \"0 s\" "
        "to \"1 h\"; found 3\n");
}

}  // namespace gpufeed
