// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/problems_json.h"

#include <doctest/doctest.h>

#include "sim/base/diagnostics.h"

namespace gpufeed {

TEST_CASE("problems as JSON carry all that is known of them") {
  CHECK(to_json(std::vector<Problem>()) == "[]\n");
  const Problem option = unknown_key({"--set loader.x=1", 0, 0}, "loader", "reader", {"readers"});
  CHECK(to_json({option, {{"a.toml", 3, 5}, "a \"b\" is wrong"}}) == R"([
  {
    "code": "unknown_key",
    "place": {
      "file": "--set loader.x=1"
    },
    "subject": "loader.reader",
    "found": "reader",
    "known": [
      "readers"
    ],
    "fixes": [
      {
        "action": "rename",
        "key": "loader.reader",
        "value": "readers"
      }
    ],
    "sentence": "loader: unknown key \"reader\"; did you mean \"readers\"?",
    "said_by": "code"
  },
  {
    "code": "other",
    "place": {
      "file": "a.toml",
      "line": 3,
      "column": 5
    },
    "subject": null,
    "fixes": [],
    "sentence": "a \"b\" is wrong"
  }
]
)");
}

TEST_CASE("problems that JSON brought have the sentences that they had, under any name") {
  Diagnostics told;
  const Location here{"a.toml", 3, 5};
  told.refuse(ProblemCode::conflict, "data.at", here, ": {} is too many", 9);
  told.error(here, "a \"b\" is wrong");
  told.error(ProblemCode::missing_key, here, "column \"time\" is missing");
  told.add(missing_key(here, "workload", "model", "a name"));
  told.add(unknown_entry(here, "system.gpu", "gpu", "h10", {"h100"}));
  told.add(unknown_key(here, "loader", "reader", {"readers"}));
  Problem range{here};
  range.code = ProblemCode::out_of_range;
  range.subject = "nodes", range.expected = "at least 1", range.found = "0", range.note = "a whole";
  told.add(range);
  const auto brought = problems_from_json(to_json(told.problems()));
  REQUIRE(brought.size() == told.count());
  for (std::size_t i = 0; i < brought.size(); ++i) {
    CHECK(sentence(brought[i]) == sentence(told.problems()[i]));
    CHECK(sentence(brought[i], "The key") == sentence(told.problems()[i], "The key"));
    CHECK(brought[i].fixes == told.problems()[i].fixes);
  }
}

}  // namespace gpufeed
