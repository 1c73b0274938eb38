// SPDX-License-Identifier: Apache-2.0
// A machine has one price and one power, by its name, by its chassis, or with its parts written
// out.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/answer/cost.h"
#include "sim/load/load.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

const std::string kLoader =
    "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\ndataset_samples = 1000\n"
    "global_batch = 720\n";

Result cost_of(const std::string& system) {
  Result result;
  answer_cost(parse_scenario("system = " + system + "\n" + kLoader, "test.toml", own_catalog()),
              result);
  return result;
}

/// The chassis that are sold as machines of the catalog.
std::vector<std::pair<std::string, std::string>> sold_as_machines() {
  std::vector<std::pair<std::string, std::string>> found;
  Diagnostics none;
  Reader reader(own_catalog(), "", none);
  for (const auto& name : own_catalog().names(Chassis::kKind))
    if (const auto chassis = reader.entry_of<Chassis>(*own_catalog().find(Chassis::kKind, name));
        !chassis->sold_as.empty())
      found.emplace_back(name, chassis->sold_as);
  return found;
}

}  // namespace

TEST_CASE("by its name and by its chassis, a machine has one price and one power") {
  CHECK(sold_as_machines().size() >= 25);
  for (const auto& one : sold_as_machines()) {
    const auto& chassis = one.first;
    const auto& machine = one.second;
    CAPTURE(machine);
    const Result named = cost_of("\"" + machine + "\"");
    const Result made = cost_of("{ chassis = \"" + chassis + "\" }");
    CHECK(named.price_USD.has_value() == made.price_USD.has_value());
    if (named.price_USD && made.price_USD) CHECK(*made.price_USD == about(*named.price_USD));
    CHECK(named.power_W.has_value() == made.power_W.has_value());
    if (named.power_W && made.power_W) CHECK(*made.power_W == about(*named.power_W));
    CHECK(named.without_price == made.without_price);
    CHECK(named.without_power == made.without_power);
  }
}

TEST_CASE("a machine draws what its maker says, not that and its chassis") {
  CHECK(*cost_of("\"nvidia-dgx-h100\"").power_W == about(10200));
  CHECK(*cost_of("{ chassis = \"nvidia-dgx-h100\" }").power_W == about(10200));
  CHECK(*cost_of("{ chassis = \"nvidia-dgx1-p100\" }").price_USD == about(129000));
}

TEST_CASE("a machine of one's own that names its chassis is the one it is sold as") {
  // One that differs from the machine as it is sold in its title alone.
  const Result named = cost_of("\"nvidia-dgx-h100\"");
  Result own;
  answer_cost(parse_scenario("system = \"nvidia-dgx-h100\"\n" + kLoader, "test.toml", own_catalog(),
                             {parse_override("system.title=our own")}),
              own);
  CHECK(own.price_USD == named.price_USD);
  CHECK(own.power_W == named.power_W);
}

TEST_CASE("other parts in a chassis change its price and power by theirs") {
  const Result sold = cost_of("{ chassis = \"nvidia-dgx-h200\" }");
  const Result more = cost_of("{ chassis = \"nvidia-dgx-h200\", memory = \"4 TB\" }");
  const auto memory = std::ranges::find(sold.bill, "memory", &BillLine::kind);
  REQUIRE(memory->price_USD);
  // Twice the memory: as much again as there is, at the price and power of its modules.
  CHECK(*more.price_USD - *sold.price_USD == about(memory->count * *memory->price_USD));
  CHECK(*more.power_W > *sold.power_W);
}
