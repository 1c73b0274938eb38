// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/parts.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

namespace gpufeed::ui {
namespace {

Scenario dgx1() {
  return parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n"
      "workload = { model = \"resnet-50\", dataset = \"imagenet-1k\" }\n",
      "x.toml", own_catalog());
}

}  // namespace

TEST_CASE("a machine's parts are grouped by product, with a pattern that fits them alone") {
  const Scenario scenario = dgx1();
  const auto groups = part_groups(*scenario.system);
  REQUIRE(groups.size() == 6);
  CHECK(groups[0].kind == "gpu");
  CHECK(groups[0].pattern == "gpu*");
  CHECK(groups[0].ids.size() == 8);
  CHECK(group_of(groups, "eth0")->pattern == "eth0");
  CHECK(group_of(groups, "cpu1")->pattern == "cpu*");
  CHECK(!group_of(groups, "nothing"));
}

TEST_CASE("parts without a pattern of their own are replaced one by one") {
  const PartGroup parts{"drive", "old", "Old", {"ssd0", "ssd2"}, "", {}};
  CHECK(with_product("", parts, "new") ==
        "[[replace]]\npart = \"ssd0\"\nwith = \"new\"\n\n[[replace]]\npart = \"ssd2\"\nwith = "
        "\"new\"\n");
  CHECK(with_product("x = 1\n", parts, "old") == "x = 1\n");
}

TEST_CASE("a processor that cannot be joined to another is refused where there are two") {
  const auto refusal = refusal_of([] {
    parse_scenario(
        "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
        "\"imagenet-1k\"\n[[replace]]\npart = \"cpu*\"\nwith = \"amd-epyc-7302p\"\n",
        "x.toml", own_catalog());
  });
  CHECK(refusal ==
        "x.toml:7:8: error: replace.with: amd-epyc-7302p cannot be joined to another CPU, and "
        "nvidia-dgx1-p100 has 2; take one that can\n");
}

}  // namespace gpufeed::ui
