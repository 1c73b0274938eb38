// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/serving_form.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/serving/document.h"
#include "sim/serving/answer.h"
#include "tests/support/catalog.h"
#include "ui/model/show/serving_page.h"

namespace gpufeed::ui {
namespace {

std::string shown(const std::string& text, const std::string& path) {
  for (const ServingGroup& group : serving_groups(text))
    for (const ServingRow& row : group.rows)
      if (row.path == path) return row.value;
  return "no such row";
}

}  // namespace

TEST_CASE("rows of the form show what the text says, tiers one by one") {
  std::string text = usual_serving();
  CHECK(shown(text, "workload.model") == "llama-3.1-8b");
  CHECK(shown(text, "serving.requests.prompt") == "4000");
  CHECK(shown(text, "serving.goal.ttft_p95") == "2 s");
  CHECK(shown(text, "serving.requests.shared") == "");
  CHECK(shown(text, "serving.tier[0].at") == "no such row");
  for (const TierChoice choice : {TierChoice::memory, TierChoice::drive, TierChoice::store})
    text = with_tier(text, choice);
  CHECK(shown(text, "serving.tier[0].at") == "memory");
  CHECK(shown(text, "serving.tier[1].at") == "kv");
  CHECK(shown(text, "serving.tier[2].at") == "nas");
  CHECK(shown(without_tier(text, 0), "serving.tier[0].at") == "kv");
  CHECK(parse_serving(text, "serving.toml", own_catalog()).serving.tiers.size() == 3);
}

TEST_CASE("the page of a model that is served has its times, goal, tiers and changes") {
  const auto document =
      parse_serving(with_tier(usual_serving(), TierChoice::memory), "serving.toml", own_catalog());
  const serving::Answer answer = serving::answer_of(document);
  const ServingPage page = serving_page(answer);
  const auto card = std::ranges::find(page.cards, std::string("TTFT 95 %"), &ServingCard::name);
  REQUIRE(card != page.cards.end());
  CHECK(card->misses == (answer.ttft_s.p95 > 2));
  REQUIRE(page.tables.size() == 3);
  CHECK(page.tables[0].rows.size() == 3);
  CHECK(page.tables[1].rows.size() == 2);
  CHECK(page.tables[2].rows.size() == answer.what_if.size());
  for (const ServingTable& table : page.tables)
    for (const auto& row : table.rows) CHECK(row.size() == table.heads.size());
  CHECK(std::ranges::any_of(
      page.words, [](const std::string& words) { return words.starts_with("Extrapolated"); }));
}

}  // namespace gpufeed::ui
