// SPDX-License-Identifier: Apache-2.0
// What nobody sells is no part of a machine that is bought.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

const std::string kJob = "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

/// The problems of a scenario, in sentences; empty where it has none.
std::string refusal(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  try {
    parse_scenario(text, "test.toml", own_catalog(), overrides);
  } catch (const InputError& error) {
    CHECK(std::ranges::count(error.problems(), ProblemCode::unfit_part, &Problem::code) > 0);
    return error.what();
  }
  return "";
}

std::string box(const std::string& more) {
  return "[system]\nchassis = \"supermicro-sys-821ge-tnhr\"\n"
         "cpu = \"2 x intel-xeon-platinum-8460y-plus\"\nmemory = \"512 GB\"\n"
         "gpu = \"8 x nvidia-h200-sxm5-141gb\"\n" +
         more + kJob;
}

const std::string kDrives = "drives = \"8 x kioxia-cm7-r-15.36tb\"\n";

}  // namespace

TEST_CASE("a card of a cloud does not go into a chassis, and others that do are named") {
  const std::string text = refusal(box(kDrives + "nics = \"2 x aws-efa-4-400g\"\n"));
  CHECK(text.starts_with(
      "test.toml:7:8: error: system.nic[nic0].model: aws-efa-4-400g cannot be "
      "bought: it is lent with an instance of Amazon EC2; take another, such as "));
  CAPTURE(text);
  CHECK(text.find("such as broadcom-57508-100g") != std::string::npos);
  CHECK(refusal(box(kDrives + "nics = \"2 x nvidia-connectx-7-ndr-400g\"\n")) == "");
}

TEST_CASE("nor do drives and processors, wherever the scenario names them") {
  CHECK(refusal(box("drives = \"8 x aws-p5-nvme-3.84tb\"\n")).find("lent with") !=
        std::string::npos);
  const std::string dgx = "system = \"nvidia-dgx1-p100\"\n";
  const std::string swap =
      "[[replace]]\npart = \"ssd*\"\nat = \"plx0\"\nwith = \"aws-p4d-nvme-1tb\"\n";
  CHECK(refusal(dgx + kJob + swap).find("aws-p4d-nvme-1tb cannot be bought") != std::string::npos);
  CHECK(refusal(dgx + kJob, {"system.drive[ssd0].model=aws-p4d-nvme-1tb"}).find("cannot be") !=
        std::string::npos);
}

TEST_CASE("what a machine comes with is bought with it, and what is rented is not bought") {
  CHECK(refusal("system = \"nvidia-dgx-h100\"\n" + kJob) == "");
  CHECK(refusal("system = { chassis = \"nvidia-dgx-h100\" }\n" + kJob) == "");
  CHECK(refusal("system = \"aws-p5.48xlarge\"\n" + kJob) == "");
  CHECK(refusal(box("drives = \"8 x aws-p5-nvme-3.84tb\"\nrent_per_hour = \"80 USD\"\n"
                    "rent_year = 2025\n")) == "");
}

TEST_CASE("what the buyer has a quote for is for sale") {
  const Catalog quoted =
      own_catalog().with_prices({{"aws-p5-nvme-3.84tb", {{400}, 2026, {"quotes.csv", 2, 1}}}});
  CHECK_NOTHROW(parse_scenario(box("drives = \"8 x aws-p5-nvme-3.84tb\"\n"), "test.toml", quoted));
}

TEST_CASE("what was last sold before the year of the purchase is refused, where one is given") {
  const std::string old = box("drives = \"8 x intel-optane-p5800x-800gb\"\n");
  CHECK(refusal(old) == "");
  CHECK(refusal(old, {"cost.year=2022"}) == "");
  CHECK(
      refusal(old, {"cost.year=2026"}).find("it was last sold in 2023, before cost.year = 2026") !=
      std::string::npos);
}
