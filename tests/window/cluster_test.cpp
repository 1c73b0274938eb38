// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/cluster/answer.h"
#include "sim/load/cluster/document.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";

cluster::Totals totals_of_text(const std::string& text) {
  const auto document = parse_cluster(text, "cluster.toml", own_catalog());
  return cluster::answer_of(document, cluster::schedulers_of(document).front()).totals;
}

}  // namespace

TEST_CASE("a cluster is shared from the start page, and its queue and machines changed by clicks") {
  Clicks hands(own_catalog(), kExamples);
  hands.click("Share a cluster");
  hands.settle_answered();
  REQUIRE(hands.session().shared());
  for (const char* const shown : {"card Mean wait", "card Useful", "Jobs on nodes"})
    CHECK(hands.shows(shown));
  const cluster::Totals before = hands.session().shared()->totals;
  CHECK(before.mean_wait_s == totals_of_text(hands.session().text()).mean_wait_s);

  hands.type("cluster.scheduler.backfill", "none");
  hands.settle();
  const cluster::Totals without = hands.session().shared()->totals;
  CHECK(without.mean_wait_s > before.mean_wait_s);
  CHECK(without.mean_wait_s == totals_of_text(hands.session().text()).mean_wait_s);
  hands.type("cluster.nodes[0].count", "12");
  hands.settle();
  CHECK(hands.session().shared()->nodes == 12);
  CHECK(hands.session().shared()->totals.mean_wait_s < without.mean_wait_s);

  hands.type("cluster.scheduler.order", "fffo");
  hands.settle();
  CHECK(hands.session().standing() == Standing::wrong);
  CHECK(hands.session().shared()->nodes == 12);
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

TEST_CASE("examples of clusters are opened, others after them, and reported") {
  Clicks hands(own_catalog(), kExamples);
  for (const char* const name : {"30_a_store_for_forty_jobs", "01_local_or_shared",
                                 "28_long_documents", "25_one_pool_or_four"}) {
    CAPTURE(name);
    hands.click("Open…");
    hands.click(name);
    hands.settle();
    CHECK(hands.session().standing() == Standing::current);
    CHECK((hands.session().shared() != nullptr) == hands.session().is_shared());
    CHECK((hands.session().served() != nullptr) == hands.session().serves());
    CHECK((hands.session().result() != nullptr) == hands.session().is_scenario());
  }
  CHECK(hands.session().is_shared());
  const TemporaryFolder folder;
  hands.click("Report…");
  hands.type("path of the file to write", (folder / "page.html").string());
  if (hands.shows("Save the report")) hands.click("Save the report");
  CHECK(std::filesystem::exists(folder / "page.html"));
}

}  // namespace gpufeed::ui
