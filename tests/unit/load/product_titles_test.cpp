// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/product_titles.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reports/writers/phrase_book.h"
#include "sim/load/load.h"
#include "sim/model/purchase/bill_of.h"
#include "sim/model/result/result.h"
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

TEST_CASE(
    "what an answer names is called by titles: warnings, bottleneck, workload, missing prices") {
  const Scenario scenario =
      load_scenario(GPUFEED_SOURCE_DIR "/examples/03_data_density/scenario.toml", own_catalog());
  Result told;
  told.warnings = {
      fact<WarningCode::rate_estimated>("alphazero-20b", "nvidia-p100-sxm2-16gb", "fp16", "x")};
  told.bottleneck.evidence = {
      evidence<EvidenceCode::smt_gain>(1.2, "intel-xeon-e5-2698v4", "estimate")};
  told.workload = "samples (" + scenario.workload.dataset().name + ")";
  told.without_price = "8 x nvidia-p100-sxm2-16gb + 1 x chassis";
  const Result titled = called_by_title(told, scenario);
  CHECK(claim(titled.warnings.front()).find("NVIDIA Tesla P100 SXM2 16 GB") != std::string::npos);
  CHECK(claim(titled.warnings.front()).find("alphazero-20b") == std::string::npos);
  CHECK(in_words(titled.bottleneck.evidence).find("(Intel Xeon E5-2698 v4, ") != std::string::npos);
  CHECK(titled.workload == "samples (" + scenario.workload.dataset()->title + ")");
  CHECK(titled.without_price == "8 x NVIDIA Tesla P100 SXM2 16 GB + 1 x chassis");
}

TEST_CASE("what a file describes itself is called by its title, not by its key") {
  const Scenario scenario = load_scenario(
      GPUFEED_SOURCE_DIR "/examples/09_checkpoint_stalls/scenario.toml", own_catalog());
  Result told;
  told.without_price = told.without_power = told.removed_power = "1 x store.nas.model";
  told.title = "store.nas.model";
  const Result titled = missing_by_title(told, scenario);
  CHECK(titled.without_price == "1 x all-flash filer");
  CHECK(titled.without_power == titled.without_price);
  CHECK(titled.removed_power == titled.without_price);
  CHECK(titled.title == told.title);  // nothing else
}

}  // namespace gpufeed
