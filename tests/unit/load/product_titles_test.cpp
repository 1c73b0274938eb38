// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/product_titles.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/purchase/bill_of.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

namespace gpufeed {

TEST_CASE("every product of a bill has its title: part, store, memory, network, machine") {
  for (const char* example : {"01_local_or_shared/scenario.toml", "16_h100_or_l40s/l40s_nfs.toml",
                              "20_finetune_7b/scenario.toml"}) {
    CAPTURE(example);
    const Scenario scenario =
        load_scenario(GPUFEED_SOURCE_DIR "/examples/" + std::string(example), own_catalog());
    const auto bill = called_by_title(bill_of(scenario), scenario);
    REQUIRE(!bill.empty());
    for (const BillLine& line : bill)
      CHECK_MESSAGE(std::ranges::none_of(catalog_kinds(),
                                         [&](const auto& kind) {
                                           return own_catalog().find(kind, line.name).has_value();
                                         }),
                    line.name);
  }
}

TEST_CASE("a chassis is called by its own title, not by that of the machine that is built in it") {
  const Scenario scenario =
      load_scenario(GPUFEED_SOURCE_DIR "/examples/16_h100_or_l40s/l40s_nfs.toml", own_catalog());
  const auto bill = called_by_title(bill_of(scenario), scenario);
  const auto chassis = std::ranges::find(bill, "chassis", &BillLine::kind);
  REQUIRE(chassis != bill.end());
  const auto entry = describe_entry(own_catalog(), "supermicro-as-4125gs-tnrt");
  CHECK(chassis->name == std::ranges::find(entry, "chassis", &EntryText::kind)->title);
  CHECK(chassis->name.find("L40S") == std::string::npos);
}

}  // namespace gpufeed
