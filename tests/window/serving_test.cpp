// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/load/serving/document.h"
#include "sim/serving/answer.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";

serving::Answer answer_of_text(const std::string& text) {
  return serving::one_draw(parse_serving(text, "serving.toml", own_catalog()));
}

}  // namespace

TEST_CASE("a model is served from the start page, asked for more, and given a tier by clicks") {
  Clicks hands(own_catalog(), kExamples);
  hands.click("Serve a language model");
  hands.settle_answered();
  REQUIRE(hands.session().served());
  CHECK(hands.shows("card TTFT 95 %"));
  CHECK(hands.shows("How long answers take"));

  hands.type("serving.requests.rate", "2.5 requests/s");
  hands.settle();
  const serving::Answer alone = *hands.session().served();
  CHECK(alone.ttft_s.p95 == answer_of_text(hands.session().text()).ttft_s.p95);
  CHECK(alone.tiers.empty());

  hands.click("+ memory");
  hands.settle();
  const serving::Answer with_memory = *hands.session().served();
  REQUIRE(with_memory.tiers.size() == 1);
  CHECK(with_memory.hit_share > alone.hit_share);
  CHECK(with_memory.ttft_s.p95 == answer_of_text(hands.session().text()).ttft_s.p95);
  hands.type("serving.tier[0].capacity", "1 TB");
  hands.settle();
  CHECK(hands.session().served()->tiers[0].capacity_B > 0.99e12);
  hands.click("+ drive");
  hands.click("+ store");
  hands.settle();
  REQUIRE(hands.session().served()->tiers.size() == 3);
  CHECK(hands.session().served()->tiers[2].kind == serving::TierKind::store);
  hands.click("Remove tier 2");
  hands.settle();
  CHECK(hands.session().served()->tiers.size() == 2);
  CHECK(hands.session().served()->tiers[1].kind == serving::TierKind::store);
}

TEST_CASE("what cannot be served says why, keeps the answer, and is undone") {
  Clicks hands(own_catalog(), kExamples);
  hands.click("Serve a language model");
  hands.settle();
  const auto before = hands.session().served();
  hands.type("workload.model", "lama-3.1-8b");
  hands.settle();
  CHECK(hands.session().standing() == Standing::wrong);
  REQUIRE_FALSE(hands.session().problems().empty());
  CHECK(hands.session().served() == before);
  hands.click("Undo the last change");
  hands.settle();
  CHECK(hands.session().standing() == Standing::current);
  for (const Command command :
       {Command::settings, Command::start, Command::pin, Command::show_find, Command::show_compare,
        Command::show_timeline, Command::copy_command})
    hands.command(command);
  hands.settle();
  CHECK(hands.session().standing() == Standing::current);
}

TEST_CASE("examples that serve a model are opened, and training after them") {
  Clicks hands(own_catalog(), kExamples);
  for (const char* const name :
       {"28_long_documents", "01_local_or_shared", "27_chat_with_history"}) {
    CAPTURE(name);
    hands.click("Open…");
    hands.click(name);
    hands.settle();
    CHECK(hands.session().standing() == Standing::current);
    CHECK(hands.session().serves() == (std::string(name) != "01_local_or_shared"));
    CHECK((hands.session().served() != nullptr) == hands.session().serves());
    CHECK((hands.session().result() == nullptr) == hands.session().serves());
  }
  const TemporaryFolder folder;
  hands.click("Report…");
  hands.type("path of the file to write", (folder / "page.html").string());
  if (hands.shows("Save the report")) hands.click("Save the report");
  CHECK(std::filesystem::exists(folder / "page.html"));
}

}  // namespace gpufeed::ui
