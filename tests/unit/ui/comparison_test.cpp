// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/comparison.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "ui/model/decide/pins.h"
#include "ui/model/show/cards.h"

namespace gpufeed::ui {
namespace {

const std::string kExample = GPUFEED_SOURCE_DIR "/examples/13_sweep_on_slurm/scenario.toml";

Candidate candidate(const std::vector<Override>& changes) {
  const auto scenario =
      std::make_shared<const Scenario>(load_scenario(kExample, own_catalog(), changes));
  Result result = simulate(*scenario);
  result.scenario = to_toml(*scenario);
  return {scenario, std::make_shared<const Result>(std::move(result))};
}

const ComparedRow& row(const std::vector<ComparedRow>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &ComparedRow::name);
  REQUIRE(found != rows.end());
  return *found;
}

/// Two answers that differ in what is set here alone.
std::vector<Candidate> two(const Candidate& like, const Result& one, const Result& other) {
  return {{like.scenario, std::make_shared<const Result>(one)},
          {like.scenario, std::make_shared<const Result>(other)}};
}

}  // namespace

TEST_CASE("keys, parts and results that differ come first, and only they for keys") {
  const auto few = candidate({{"loader.workers_per_gpu", "1", "--set"}});
  const auto many = candidate({{"replace[0].count", "3", "--set"}});
  const Comparison found = compare({few, many});
  REQUIRE(found.keys.size() == 1);
  CHECK(found.keys.front().help == "loader.workers_per_gpu");
  CHECK(found.keys.front().values == std::vector<std::string>{"1", "8"});
  CHECK(found.parts.front().name == "drive");
  CHECK(found.parts.front().values.front().starts_with("4 × "));
  CHECK(found.parts.front().values.back().starts_with("3 × "));
  for (const auto* rows : {&found.results, &found.parts}) {
    CHECK(rows->front().changed);
    CHECK(!rows->back().changed);
    CHECK(std::ranges::is_partitioned(*rows, [](const auto& one) { return one.changed; }));
  }
  const bool first_is_faster = few.result->job_samples_per_s > many.result->job_samples_per_s;
  CHECK(row(found.results, "Job rate").better == (first_is_faster ? 0U : 1U));
}

TEST_CASE("settings that differ are told in words, products by their titles") {
  const auto found = compare({candidate({}), candidate({{"workload.model", "vgg-16", "--set"}})});
  const auto model = std::ranges::find(found.keys, "workload.model", &ComparedRow::help);
  REQUIRE(model != found.keys.end());
  CHECK(model->name == "Model");
  CHECK(model->values.back() == "VGG-16");
}

TEST_CASE("a value within an entry of one name is a key that differs") {
  const auto found = compare({candidate({{"workload.dataset.decode_time", "5 ms", "--set"}}),
                              candidate({{"workload.dataset.decode_time", "9 ms", "--set"}})});
  REQUIRE(found.keys.size() == 1);
  CHECK(found.keys.front().help == "workload.dataset.decode_time");
  CHECK(found.keys.front().values == std::vector<std::string>{"5 ms", "9 ms"});
}

TEST_CASE("equal candidates have no changed row and no better one") {
  const auto one = candidate({});
  const Comparison found = compare({one, one, one});
  CHECK(found.keys.empty());
  for (const auto* rows : {&found.results, &found.parts})
    for (const auto& each : *rows) {
      CHECK(each.values.size() == 3);
      CHECK(!each.changed);
      CHECK(!each.better);
    }
  CHECK(compare({}).results.empty());
}

TEST_CASE("what is better must be so by more than both are uncertain by") {
  const auto base = candidate({});
  Result slow = *base.result;
  slow.job_samples_per_s = 1000;
  slow.simulated.step_rate_uncertainty = 0.03;
  slow.simulated.run_uncertainty = 0;
  Result fast = slow;
  fast.job_samples_per_s = 1040;  // 3.8 % of it, and both together are uncertain by 4.2 %
  CHECK(!row(compare(two(base, slow, fast)).results, "Job rate").better);
  fast.job_samples_per_s = 1050;
  CHECK(row(compare(two(base, slow, fast)).results, "Job rate").better == 1U);
}

TEST_CASE("the lower price is better unless something is left out of one") {
  const auto base = candidate({});
  Result cheap = *base.result;
  cheap.price_USD = 90;
  cheap.without_price.clear();
  Result dear = cheap;
  dear.price_USD = 100;
  CHECK(row(compare(two(base, dear, cheap)).results, "Price").better == 1U);
  cheap.without_price = "1 x chassis";
  const auto found = compare(two(base, dear, cheap));
  CHECK(!row(found.results, "Price").better);
  CHECK(row(found.results, "Price").values == std::vector<std::string>{"100 USD", "over 90 USD"});
}

TEST_CASE("what trains nothing is compared by its own figures, in the words of gpufeed compare") {
  Candidate saves;
  saves.scenario = std::make_shared<const Scenario>(load_scenario(
      GPUFEED_SOURCE_DIR "/examples/24_checkpoints_of_a_cluster/scenario.toml", own_catalog()));
  Result slow;
  slow.kind = kind_of<kind::Checkpointing>;
  slow.checkpointing.emplace();
  slow.checkpointing->save.rank0_Bps = 1e9;
  slow.checkpointing->save.slowest_Bps = 2e9;
  slow.checkpointing->save.slowest_s = 50;
  Result fast = slow;
  fast.checkpointing->save.rank0_Bps = 1.5e9;
  fast.checkpointing->save.slowest_s = 40;
  const auto found = compare(two(saves, slow, fast)).results;
  const ComparedRow& rate = row(found, "save by rank 0");
  CHECK(rate.values == std::vector<std::string>{"1 GB/s", "1.5 GB/s"});
  CHECK(rate.changes == std::vector<std::string>{"", "+50 %"});
  CHECK(rate.better == 1U);
  CHECK(row(found, "time to save").values == std::vector<std::string>{"50 s", "40 s"});
  CHECK(row(found, "time to save").changes[1] == "−20 %");
  CHECK(row(found, "time to save").better == 1U);  // the shorter time
  CHECK(!row(found, "time to load").better);
  const auto cards = cards_of(fast);
  REQUIRE(cards.size() == 6);
  CHECK(cards[0].title == "Save by rank 0");
  CHECK(cards[0].value == "1.5 GB/s");
  CHECK(cards[0].detail == "save by the slowest rank 2 GB/s");
  CHECK(cards[1].title == "Time to save");
  CHECK(cards[1].value == "40 s");
}

TEST_CASE("language models are compared in tokens, too; others have no such row") {
  const auto base = candidate({});
  Result first = *base.result;
  for (const auto& one : compare(two(base, first, first)).results) CHECK(one.name != "Tokens");
  first.tokens_per_s = first.job_tokens_per_s = 86050;
  Result second = first;
  second.tokens_per_s = second.job_tokens_per_s = 2 * 86050;
  const ComparedRow tokens = row(compare(two(base, first, second)).results, "Tokens");
  CHECK(tokens.values == std::vector<std::string>{"86,050 tokens/s", "172,100 tokens/s"});
  CHECK(tokens.better == 1U);
}

TEST_CASE(
    "three configurations are pinned, each once; a letter is free again once one is removed") {
  Session session(own_catalog());
  Pins pins;
  CHECK(!pins.add(session));
  session.open(kExample);
  session.finish();
  CHECK(pins.add(session));
  CHECK(!pins.takes(session));  // the same
  for (const char* workers : {"1", "2", "3"}) {
    session.edit("loader.workers_per_gpu", workers);
    CHECK(!pins.takes(session));  // not answered yet
    session.finish();
    CHECK(pins.add(session) == (std::string(workers) != "3"));
  }
  REQUIRE(pins.all().size() == 3);
  CHECK(candidates_of(session, pins).size() == 4);
  pins.remove(1);
  CHECK(pins.all().back().letter == 'C');
  CHECK(pins.add(session));
  CHECK(pins.all().back().letter == 'B');
  session.change_to(pins.all().front().text);
  session.finish();
  CHECK(session.answered()->loader.workers_per_gpu == 8);
  session.undo();
  session.finish();
  CHECK(session.answered()->loader.workers_per_gpu == 3);
}

}  // namespace gpufeed::ui
