// SPDX-License-Identifier: Apache-2.0
#include "sim/load/key_values.h"

#include <doctest/doctest.h>

#include "tests/support/refusals.h"

namespace gpufeed {

TEST_CASE("a text is taken apart into paths and values, tables and arrays of tables included") {
  const auto values = key_values(
      "nodes = 2\nshare = 1.4\n[loader]\nstyle = 'pytorch'\nstaging = { from = \"nas\" }\n"
      "[[replace]]\npart = \"ssd*\"\n[[replace]]\npart = \"gpu*\"\nids = [1, 2]\n");
  const std::map<std::string, std::string> expected{{"nodes", "2"},
                                                    {"share", "1.4"},
                                                    {"loader.style", "\"pytorch\""},
                                                    {"loader.staging.from", "\"nas\""},
                                                    {"replace[0].part", "\"ssd*\""},
                                                    {"replace[1].part", "\"gpu*\""},
                                                    {"replace[1].ids", "[1, 2]"}};
  CHECK(values == expected);
  CHECK(key_values("").empty());
}

TEST_CASE("of a scenario's values, an entry given as a table is one") {
  const auto values = scenario_values(
      "system = { chassis = \"dell-r760xa\", memory = \"1 TB\" }\n[workload]\nkind = "
      "\"training\"\n[workload.model]\ntitle = \"own\"\n[store.nas]\nblades = 3\nmodel = { title = "
      "\"NAS\" }\n");
  const std::map<std::string, std::string> expected{{"system", "\"dell-r760xa\""},
                                                    {"workload.kind", "\"training\""},
                                                    {"workload.model", "\"workload.model\""},
                                                    {"store.nas.blades", "3"},
                                                    {"store.nas.model", "\"store.nas.model\""}};
  CHECK(values == expected);
}

TEST_CASE("what is no TOML is refused with its place") {
  CHECK_THROWS_AS(key_values("nodes = "), InputError);
}

}  // namespace gpufeed
