// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "reports/writers/text.h"
#include "sim/model/workload.h"
#include "tests/support/catalog.h"
#include "ui/model/build/choices.h"
#include "ui/model/keep/examples.h"
#include "ui/model/show/cards.h"
#include "ui/model/show/job_rows.h"
#include "ui/model/show/largest_loss.h"

namespace gpufeed::ui {

TEST_CASE("choices of a kind have the columns that matter, and are found by words of their names") {
  const auto drives = choices_of(own_catalog(), "drive");
  CHECK(drives.size() == own_catalog().names("drive").size());
  const auto found = found_in(drives, "MICRON 9400 7.68");
  REQUIRE(found.size() == 1);
  CHECK(found.front()->name == "micron-9400-pro-7.68tb");
  CHECK(found.front()->rate == "7 GB/s");
  CHECK(found.front()->size == "7.68 TB");
  CHECK(found_in(drives, "").size() == drives.size());
  CHECK(found_in(drives, "no such drive").empty());
  CHECK(choices_of(own_catalog(), "nothing").empty());
  CHECK(columns_of("drive").rate == "Read rate");
}

TEST_CASE("drives of a cloud's instance take only each other's place") {
  const auto drives = choices_of(own_catalog(), "drive");
  const auto cloud = std::ranges::find(drives, "aws-p5-nvme-3.84tb", &Choice::name);
  const auto sold = std::ranges::find(drives, "micron-9400-pro-7.68tb", &Choice::name);
  REQUIRE(cloud != drives.end());
  REQUIRE(sold != drives.end());
  CHECK(!may_replace(*cloud, sold->name, drives));
  CHECK(!may_replace(*cloud, "", drives));
  CHECK(may_replace(*cloud, "aws-ebs-gp3-1tb", drives));
  CHECK(may_replace(*sold, sold->name, drives));
  CHECK(may_replace(*sold, cloud->name, drives));
  for (const Choice& gpu : choices_of(own_catalog(), "gpu")) CHECK(may_replace(gpu, "", {}));
}

TEST_CASE("choices are put in order, those that do not say it last either way") {
  const std::vector<Choice> three{{"a", "A", "", "", {}, {}, 5.0, {}, {}, false, ""},
                                  {"b", "b", "", "", {}, {}, {}, {}, {}, false, ""},
                                  {"c", "C", "", "", {}, {}, 3.0, {}, {}, false, ""}};
  auto names = [&](ChoiceOrder by, bool descending) {
    auto found = found_in(three, "");
    sort_choices(found, by, descending);
    std::string out;
    for (const Choice* one : found) out += one->name;
    return out;
  };
  CHECK(names(ChoiceOrder::price, false) == "cab");
  CHECK(names(ChoiceOrder::price, true) == "acb");
  CHECK(names(ChoiceOrder::title, true) == "cba");
}

TEST_CASE("lists of choices are read in the background, once") {
  ChoiceLists lists(own_catalog());
  lists.finish();
  REQUIRE(lists.of("gpu"));
  CHECK(lists.of("gpu") == lists.of("gpu"));
  CHECK(!lists.of("nothing"));
}

TEST_CASE("cards tell the figures that are always in sight, and what is not known") {
  Result result;
  result.job_samples_per_s = 19930;
  result.gpus = {{"gpu0-gpu7", 8, {}}};
  result.job_gpu_utilization = result.accelerator_utilization = 0.515;
  result.bottleneck = {fact<LimiterCode::loader_workers>(),
                       {evidence<EvidenceCode::wait_hardly_for_data>()},
                       fact<LimiterCode::cpu_decode>(),
                       1.75,
                       {}};
  result.price_USD = 104608.4;
  result.oldest_price_year = result.newest_price_year = 2025;
  BillLine unpriced;
  unpriced.power_W = 100;
  result.bill = {unpriced, unpriced};
  result.without_price = "1 x chassis + 2 x cpu";
  result.simulated.step_rate_uncertainty = 0.0022;
  result.warnings = {fact<WarningCode::pipeline_unseen>()};
  result.range.emplace();
  result.range->job_samples_per_s = {15944, 23916};
  result.range->job_gpu_utilization = {0.412, 0.618};
  result.range->causes = {{"decode_time of imagenet-1k", "estimate", 0.28, 0.9, "measure it"}};
  result.running_cost.emplace().per_hour_USD = 9.852;
  result.running_cost->energy_per_epoch_kWh = 0.2551;
  result.running_cost->without = result.without_price;
  result.running_cost->per_result_USD = 9.852;
  result.time_to_result_s = 3600;
  result.gpus.front().share.decode = 0.4;
  const auto cards = cards_of(result);
  REQUIRE(cards.size() == 6);
  const auto is = [&](std::size_t i, const char* title, const char* value, const char* detail,
                      const char* more) {
    CHECK(cards[i].title == title);
    CHECK(cards[i].value == value);
    CHECK(cards[i].detail == detail);
    CHECK(cards[i].more == more);
  };
  is(0, "Job rate", "19,930", "samples/s, P10–P90:", "15,940 to 23,920");
  is(1, "GPU utilization", "51.5 %", "as if 3.9 of 8 idle", "P10–P90: 41 to 62 %");
  is(2, "Largest loss", "40.0 %", "waiting for decoding", "next, at 1.8×: CPU decode");
  is(3, "To the result", "1.00 h", "over 9.85 USD to the result", "over 9.85 USD an hour");
  is(4, "Price, power", "over 104,608 USD", "2 products left out", "power not known");
  is(5, "Certainty, 1 warning", "−20 %, +20 %", "by decode_time of imagenet-1k", "");
  CHECK(cards[5].why.find("± 0.22 %") != std::string::npos);
  CHECK(cards[1].mood == Mood::poor);
  CHECK(cards[4].why.find("It rests on prices of 2025.") != std::string::npos);
  CHECK(cards[4].why.find("Not counted, price not known: 1 x chassis + 2 x cpu") !=
        std::string::npos);
  CardContext titled;
  titled.without_price = "1 x a case + 2 x a processor";
  const std::string why = cards_of(result, titled)[4].why;
  CHECK(why.find("Not counted, price not known: 1 x a case + 2 x a processor") !=
        std::string::npos);
}

TEST_CASE("no interval is told before it is known, and none is made of what runs differ by") {
  Result result;
  result.job_samples_per_s = 19930;
  result.gpus = {{"gpu0-gpu7", 8, {}}};
  result.job_gpu_utilization = result.accelerator_utilization = 0.515;
  result.simulated.step_rate_uncertainty = 0.0022;
  const auto cards = cards_of(result, {false, "images"});
  CHECK(cards[0].detail == "images/s");
  CHECK(cards[0].more == "its range is being found out…");
  CHECK(cards[1].more == "its range is being found out…");
  CHECK(cards.back().value == "…");
}

TEST_CASE("the largest loss is what GPUs lose most to, in the step or beside it") {
  Result result;
  GpuShare share;
  share.compute = 0.9;
  share.exchange = 0.06;
  share.storage = 0.04;
  result.gpus = {{"gpu0-gpu7", 8, share}};
  CHECK(largest_loss(result).words == "waiting for gradients");
  CHECK(largest_loss(result).share == doctest::Approx(0.06));
  result.transformer.emplace().parts = {{fact<LimiterCode::step_products>(), 0.6, 0.6},
                                        {fact<LimiterCode::step_tensor>(), 0.4, 0.4}};
  CHECK(largest_loss(result).share == doctest::Approx(0.36));
  CHECK(largest_loss(result).words.find("tensor") != std::string::npos);
}

TEST_CASE("what a language model's job does is told in the words of the screen") {
  Result result;
  result.kind = kind_of<kind::Training>;
  result.nodes = 2;
  result.job_samples_per_s = 32;
  result.gpus = {{"gpu0-gpu7 of node0-node1", 16, {}}};
  result.tokens_per_s = result.job_tokens_per_s = 131072;
  result.range.emplace();
  result.range->job_samples_per_s = {30, 34};
  result.time_to_result_s = 7200;
  result.checkpoint = {
      .count = 4, .size_B = 94e9, .pause_s = 12, .cost_s = 14, .share = 0.01, .restart_s = 20};
  const Card card = cards_of(result).front();
  CHECK(card.value == "131,100");
  CHECK(card.detail == "tokens/s, P10–P90:");
  CHECK(card.more == "122,900 to 139,300");
  CHECK(card.why.find("30 to 34 samples/s in 80 of 100 cases") != std::string::npos);
  CHECK(card.why.find("Tokens: 131,100 a second, 8,192 per GPU.") != std::string::npos);
  const std::string screen = to_text(result);
  for (const JobRow& row : job_rows(result)) {
    CAPTURE(row.label);
    CHECK(!row.words.empty());
  }
  REQUIRE(job_rows(result).size() == 4);
  CHECK(job_rows(result)[0].words == "2.00 h");
  CHECK(job_rows(result)[2].label == "Tokens");
  CHECK(screen.find("Tokens                " + job_rows(result)[2].words) != std::string::npos);
  CHECK(job_rows(result)[3].label == "Checkpoints");
  CHECK(screen.find("Checkpoints           4 of 94 GB") != std::string::npos);
  CHECK(job_rows(result)[3].words.starts_with("4 of 94 GB; each stops the GPUs for 12"));
  result.kind = kind_of<kind::Io>;
  CHECK(job_rows(result).empty());
}

TEST_CASE("the examples are found with their titles") {
  const auto examples = examples_in(GPUFEED_SOURCE_DIR "/examples");
  REQUIRE(examples.size() >= 15);
  CHECK(examples.front().folder == "01_local_or_shared");
  CHECK(examples.front().question == "Local SSDs or a shared store?");
  CHECK(examples.front().title == "ResNet-50, local SSDs");
  CHECK(examples_in("/nowhere").empty());
}

}  // namespace gpufeed::ui
