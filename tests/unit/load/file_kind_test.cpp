// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/file_kind.h"

#include <doctest/doctest.h>

#include "sim/load/study/goal.h"
#include "sim/load/study/sweep.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

TEST_CASE("a file's keys tell what it describes") {
  const TemporaryFolder folder;
  const auto kind_of = [&](const char* text) { return kind_of_file(folder.write("a.toml", text)); };
  CHECK(kind_of("system = 'x'\n") == FileKind::scenario);
  CHECK(kind_of("scenario = 'a.toml'\n[[axis]]\npath = 'x'\n") == FileKind::sweep);
  CHECK(kind_of("scenario = 'a.toml'\nfront = ['x', 'y']\n[[axis]]\n") == FileKind::goal);
  CHECK(kind_of("title = 'x'\n[[case]]\n") == FileKind::measurements);
  CHECK(kind_of("[workload]\nkind = 'cluster'\n[cluster]\n") == FileKind::cluster);
  CHECK(kind_of("[workload]\nkind = 'serving'\n[serving]\n") == FileKind::serving);
  CHECK(kind_of("title = 'x'\n[gpu_utilization]\nvalue = '55 %'\n") == FileKind::observations);
  for (const char* nobody_knows : {"title = 'x'\n", "", "= no TOML\n"})
    CHECK_FALSE(kind_of(nobody_knows));
  CHECK_FALSE(kind_of_file("there is no such file"));
}

TEST_CASE("what takes one kind of file names the command that takes another") {
  const std::string goal = "scenario = 'a.toml'\nminimize = 'price_USD'\n";
  const std::string scenario = "[workload]\n";
  const Catalog& catalog = own_catalog();
  CHECK(refusal_of([&] { parse_scenario(goal, "g.toml", catalog); }) ==
        "g.toml:1:1: error: this is a goal, which gpufeed recommend takes; a scenario is wanted "
        "here\n");
  CHECK(refusal_of([&] { parse_sweep(goal, "g.toml", catalog); }) ==
        "g.toml:1:1: error: this is a goal, which gpufeed recommend takes; a sweep is wanted "
        "here\n");
  CHECK(refusal_of([&] { parse_goal(scenario, "s.toml", catalog); }) ==
        "s.toml:1:1: error: this is a scenario, which gpufeed simulate takes; a goal is wanted "
        "here\n");
  CHECK(refusal_of([&] { parse_scenario("[[case]]\n", "c.toml", catalog); }) ==
        "c.toml:1:1: error: this is a list of measurements, which gpufeed validate takes; a "
        "scenario is wanted here\n");
  CHECK(refusal_of([&] { parse_scenario("samples_per_s = { value = 1 }\n", "o.toml", catalog); }) ==
        "o.toml:1:1: error: this is what was observed of a run, which gpufeed simulate SCENARIO "
        "--observed takes; a scenario is wanted here\n");
  // A sweep is a goal, too: the cheapest of its points.
  CHECK(
      parse_goal("scenario = 'a.toml'\naxis = [{ path = 'x', values = [1] }]\n", "s.toml", catalog)
          .minimize == "price_USD");
}
