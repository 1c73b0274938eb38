// SPDX-License-Identifier: Apache-2.0
#include "reports/html/result_page.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "reports/html/markup.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/markup_check.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

namespace {

std::size_t count_of(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

bool has(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

html::PicturedResult pictured(const Scenario& scenario) {
  html::PicturedResult out{simulate(scenario), {}};
  out.result.scenario = to_toml(scenario);
  out.picture = picture_of(out.result, *scenario.system);
  return out;
}

}  // namespace

TEST_CASE("the check of pages finds what it is to find") {
  CHECK(faults_of_page("<p id='a'>x<br/></p>") == "");
  CHECK(faults_of_page("<p><b></p></b>") == "</p> closes <b>\n<p> is not closed\n");
  CHECK(faults_of_page("<p id='a'></p><p id='a'></p>") == "id a is given twice\n");
  CHECK(faults_of_page("<script></script>") == "<script> may fetch or run something\n");
  CHECK(faults_of_page("<a href='http://x'>x</a>") == "href='http://x'\n");
  CHECK(faults_of_page("<p class=x></p>") == "<p class=x>: an attribute without quotation marks\n");
}

TEST_CASE("tokens, exchange and checkpoints are told as on the screen") {
  html::PicturedResult one{sample_result(), {}};
  one.result.nodes = 2;
  one.result.tokens_per_s = one.result.job_tokens_per_s = 665'333;
  one.result.exchange = {"synchronous", "ring", 0.13, 47.8e9};
  one.result.checkpoint = CheckpointUse{};
  const std::string page = html::to_html({one}, {"t", "c", "1"});
  CHECK(has(page, "<dt>Tokens</dt><dd>665,300 a second, "));
  CHECK(has(page, "<dt>Exchange</dt><dd>ring: 47.8 GB from each GPU in a step, 130 ms when "));
  CHECK(has(page, "<dt>Checkpoints</dt><dd>0 of 0 B; going back to one takes "));
}

TEST_CASE("a sum of price or power that lacks parts is at least so much") {
  html::PicturedResult one{sample_result(), {}};
  one.result.price_USD = 5000;
  one.result.power_W = 163200;
  const std::string whole = html::to_html({one}, {"t", "c", "1"});
  CHECK(has(whole, "163 kW"));
  CHECK(!has(whole, "≥ "));
  one.result.without_price = one.result.without_power = "1 x leaf switch";
  const std::string lacking = html::to_html({one}, {"t", "c", "1"});
  CHECK(has(lacking, "≥ 5,000 USD"));
  CHECK(has(lacking, "≥ 163 kW"));
}

TEST_CASE("the first page has verdict, advice, parts that add up, and what it rests on") {
  html::PicturedResult one{sample_result(), {}};
  Result& result = one.result;
  result.price_USD = 5400;
  result.bill = {{}, {}};
  result.bill[0].name = "a-chassis";
  result.bill[0].count = 1;
  result.bill[0].price_USD = 5000;
  result.bill[0].price_basis = "estimate";
  result.bill[1].name = "a-drive";
  result.bill[1].count = 4;
  result.bill[1].price_USD = 100;
  result.bill[1].price_basis = "datasheet";
  WhatIfRow likely, coin_toss;
  likely.change = "four drives more";
  likely.gain = 0.2;
  likely.chance = 0.9;
  likely.price_change_USD = 400;
  coin_toss.change = "another flag";
  coin_toss.gain = 0.3;
  coin_toss.chance = 0.52;
  coin_toss.is_free = true;
  one.changes = {coin_toss, likely};
  const std::string page = html::to_html({one}, {"t", "c", "1", {}, "2026-11-28"});
  const std::string first = page.substr(0, page.find("id='detail'"));
  CHECK(has(first, "2026-11-28"));
  CHECK(has(first, "What helps most: four drives more (+20 %, +400 USD)."));
  CHECK(has(first, ">400<"));
  CHECK(has(first, "5,400 USD"));
  CHECK(has(first, "1 of 2 prices are estimates"));
  CHECK(has(first, "another flag"));
  CHECK(!has(first, "--set"));
  CHECK(faults_of_page(page) == "");
}

TEST_CASE("why a warning holds is folded on the first page, so that it hides nothing below") {
  html::PicturedResult one{sample_result(), {}};
  one.result.warnings = {fact<WarningCode::sharding_unseen>()};
  const std::string page = html::to_html({one}, {"t", "c", "1"});
  const std::string first = page.substr(0, page.find("id='detail'"));
  CHECK(has(first,
            "<li><details><summary>sharded replicas are outside what was seen</summary>"
            "<p>no job with them was measured</p></details>"));
  CHECK(has(page, "sharded replicas are outside what was seen; no job with them was measured"));
  CHECK(faults_of_page(page) == "");
}

TEST_CASE("work that trains nothing begins with its own figures, alone and beside others") {
  html::PicturedResult one{sample_result(), {}};
  one.result.kind = kind_of<kind::Checkpointing>;
  one.result.checkpointing = CheckpointingSummary{};
  one.result.checkpointing->save.slowest_s = 12;
  const std::string alone = html::to_html({one}, {"t", "c", "1"});
  CHECK(has(alone.substr(0, alone.find("id='detail'")), "Time to save"));
  const std::string both = html::to_html({one, one}, {"t", "c", "1"});
  const std::string first = both.substr(0, both.find("id='r1-answer'"));
  CHECK(has(first, "time to save"));
  CHECK(has(first, "12 s"));
  CHECK_FALSE(has(first, "samples/s"));
  CHECK(faults_of_page(both) == "");
}

TEST_CASE("a price is told with the years it is of, in sum and line by line") {
  html::PicturedResult one{sample_result(), {}};
  one.result.price_USD = 5000;
  one.result.oldest_price_year = one.result.newest_price_year = 2025;
  one.result.bill = {{}};
  one.result.bill.front().price_USD = 5000;
  one.result.bill.front().price_year = 1999;
  CHECK(has(html::to_html({one}, {"t", "c", "1"}), "prices of 2025; of all that is bought"));
  one.result.oldest_price_year = 2016;
  one.result.without_price = "1 x chassis";
  const std::string page = html::to_html({one}, {"t", "c", "1"});
  CHECK(has(page, "prices of 2016 to 2025; not counted: 1 x chassis"));
  CHECK(has(page, ">1999<"));
}

TEST_CASE("what a user wrote stays text, in titles, names and commands") {
  html::PicturedResult one{sample_result(), {}};
  const std::string evil = "<script>alert('x')</script>\"&";
  one.result.title = one.result.system = one.result.workload = one.result.storage = evil;
  one.result.gpus.front().group = one.result.scenario = evil;
  one.result.stages.front().limit = one.result.bottleneck.resource =
      fact<LimiterCode::parts>(std::vector{evil});
  one.result.warnings = {fact<WarningCode::system_doubt>(evil)};
  one.result.estimates = {evil};
  one.result.defaults = {{"title", evil}};
  one.result.deciding_defaults = {{"title", evil, evil, 1}};
  one.result.timeline.front().gpus.front().gpu = one.result.resources.front().id = evil;
  one.picture.boxes = {{{evil}, "gpu", evil, evil, 0, 0, 130, 46, 0.5, evil},
                       {{"b"}, "socket", "b", "b", 0, 100, 130, 46, {}, ""}};
  one.picture.wires = {{0, 1, "bus", evil, 0.5, 1e9, 2e9, false, evil, evil}};
  const std::string page = html::to_html({one, one}, {evil, evil, "1"});
  CHECK(faults_of_page(page) == "");
  CHECK_FALSE(has(page, "<script"));
  CHECK(has(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;"));
}

TEST_CASE("a page shows the shares, stages and steps of the result, to the letter") {
  const std::string page = html::to_html({{sample_result(), {}}}, {"T", "gpufeed simulate x", "1"});
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "<title>waiting for storage 5.0 %</title>"));
  CHECK(has(page, "<rect class='compute' x='0.00' width='935.00' height='22'>"));
  CHECK(has(page, "% of 1,390 samples/s"));
  // 0.4 of 0.732 s.
  CHECK(has(page, "<rect class='storage' x='0.0' y='1' width='5464.5' height='18'>"));
  CHECK(has(page, "step 0: waiting for storage, 400 ms, from 0"));
  CHECK(has(page, "gpufeed simulate x"));
  CHECK(has(page, "its datasheet"));
}

TEST_CASE("the report of every example is whole, and asks for nothing") {
  int examples = 0;
  for (const auto& folder : std::filesystem::directory_iterator(GPUFEED_SOURCE_DIR "/examples")) {
    const auto file = folder.path() / "scenario.toml";
    if (!std::filesystem::exists(file)) continue;
    ++examples;
    CAPTURE(file.string());
    Scenario scenario = load_scenario(file.string(), own_catalog());
    scenario.run.once();
    scenario.run.timeline = true;
    const html::PicturedResult one = pictured(scenario);
    const std::string page = html::to_html({one}, {one.result.title, "x", "1"});
    CHECK(faults_of_page(page) == "");
    CHECK(count_of(page, "<polyline class='wire") == one.picture.wires.size());
    CHECK(count_of(page, "nan") == count_of(one.result.scenario + one.result.title, "nan"));
    CHECK_FALSE(has(page, "inf samples"));
    if (!one.result.timeline.empty()) CHECK(has(page, "Some steps"));
  }
  CHECK(examples >= 14);
}
