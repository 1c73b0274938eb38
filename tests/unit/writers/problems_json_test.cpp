// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/problems_json.h"

#include <doctest/doctest.h>

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
    "sentence": "loader: unknown key \"reader\"; did you mean \"readers\"?"
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

}  // namespace gpufeed
