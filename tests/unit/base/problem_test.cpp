// SPDX-License-Identifier: Apache-2.0
#include "sim/base/problem.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/diagnostics.h"

namespace gpufeed {

TEST_CASE("problems with a code say their sentence themselves, and know a fix where one is near") {
  const Location here{"mine.toml", 3, 5};
  const Problem key = unknown_key(here, "loader", "workers", {"workers_per_gpu", "readers"});
  CHECK(line_of(key) ==
        "mine.toml:3:5: error: loader: unknown key \"workers\"; did you mean \"workers_per_gpu\"?");
  CHECK(key.fixes == std::vector<Fix>{{Fix::Kind::rename, "loader.workers", "workers_per_gpu"}});
  CHECK(sentence(unknown_key(here, {}, "x y", {"nodes"})) == "unknown key \"x y\"; known: nodes");
  CHECK(sentence(missing_key(here, "workload", "model", "text in quotes")) ==
        "workload: \"model\" is missing; it must be text in quotes");

  const Problem entry = unknown_entry(here, "store.\"nas.lab\".model", "array", "alph", {"alpha"});
  CHECK(sentence(entry) ==
        "store.\"nas.lab\".model: no array \"alph\" in the catalog; did you mean \"alpha\"?");
  CHECK(entry.fixes == std::vector<Fix>{{Fix::Kind::set, "store.\"nas.lab\".model", "\"alpha\""}});
  const Problem part = unknown_part(here, "data.at", "store", "x", {"scratch"});
  CHECK(sentence(part) == "data.at: there is no store \"x\"; known: scratch");
  CHECK(part.fixes.empty());
}

TEST_CASE("a problem that no code says has words that go on behind its key") {
  Diagnostics out;
  out.refuse(KeyPath("store") / "nas.lab", {"mine.toml", 3, 5}, ": {} is too many", 9).code =
      ProblemCode::conflict;
  REQUIRE(out.count() == 1);
  CHECK(sentence(out.problems().front()) == "store.\"nas.lab\": 9 is too many");
  CHECK(out.problems().front().subject.steps[1].key == "nas.lab");
  CHECK(sentence(out.problems().front(), "The lab's store") == "The lab's store: 9 is too many");
}

TEST_CASE("whoever has other names for keys has every sentence with them") {
  const Location here{"mine.toml", 3, 5};
  CHECK(sentence(missing_key(here, "workload", "model", "a name"), "Neural network") ==
        "Neural network is missing; it must be a name");
  CHECK(sentence(unknown_part(here, "data.at", "store", "x", {"scratch"}), "Data on") ==
        "Data on: there is no store \"x\"; known: scratch");
  Problem range{here};
  range.code = ProblemCode::out_of_range;
  range.subject = "nodes", range.expected = "at least 1", range.found = "0";
  CHECK(sentence(range, "Machines") == "Machines must be at least 1; found 0");
  // what is wrong with a key is its spelling, and other words are nobody's
  CHECK(sentence(unknown_key(here, "loader", "reader", {"readers"}), "Reader") ==
        "loader: unknown key \"reader\"; did you mean \"readers\"?");
  CHECK(sentence({here, "no file"}, "Reader") == "no file");
}

TEST_CASE("problems are told once, by their places") {
  Diagnostics out;
  out.error({"b.toml", 9, 1}, "late");
  out.error({"b.toml", 2, 1}, "early");
  out.add(missing_key({"b.toml", 2, 1}, {}, "a", "x"));
  out.add(missing_key({"b.toml", 2, 1}, {}, "a", "x"));
  try {
    out.throw_if_any();
    FAIL("there are problems");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "b.toml:2:1: error: \"a\" is missing; it must be x\n"
          "b.toml:2:1: error: early\n"
          "b.toml:9:1: error: late\n");
    CHECK(error.problems().size() == 3);
  }
}

}  // namespace gpufeed
