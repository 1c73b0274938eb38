// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/support/catalog.h"
#include "ui/model/show/epochs.h"
#include "ui/model/show/time_kinds.h"
#include "ui/model/work/pace.h"

namespace gpufeed::ui {

TEST_CASE("the first epoch stands against later ones: time, rate, reads") {
  Result result;
  result.first_epoch_samples_per_s = 800;
  result.later_epochs_samples_per_s = 1000;
  result.first_epoch_s = 250;
  result.epoch_s = 200;  // 200,000 samples
  result.cache.read_first_epoch_B = 40e9;
  result.cache.read_later_epoch_B = 10e9;
  result.cache.hit_rate = 0.75;
  const auto rows = epoch_rows(result);
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].first == "800");
  CHECK(rows[1].later == "1,000");
  CHECK(rows[2].first == "40 GB");
  CHECK(rows[2].later == "10 GB");
  CHECK(rows[3].later == "75.0 %");
  CHECK(epochs_in_words(result) == "The first epoch takes 25.0 % longer than later ones.");
  result.first_epoch_s = 201;
  CHECK(epochs_in_words(result) == "The first epoch takes as long as later ones.");
  result.later_epochs_samples_per_s = {};  // of one epoch nothing is said of later ones
  CHECK(epochs_in_words(result) == "There is one epoch only.");
  for (const EpochRow& row : epoch_rows(result)) CHECK_MESSAGE(row.later == "none", row.name);
  CHECK(epoch_rows(Result()).empty());
  CHECK(epochs_in_words(Result()) == "This work has no epochs.");
}

TEST_CASE("every share of a GPU's time is a kind with words, help and a color of its own") {
  std::size_t known = 0;
  GpuShare::fields([&](const auto& field) {
    const TimeKind* const kind = time_kind(field.name);
    REQUIRE(kind);
    CHECK(kind->share == field.member);
    ++known;
  });
  CHECK(known == kTimeKinds.size());
  for (const TimeKind& one : kTimeKinds)
    for (const TimeKind& other : kTimeKinds) CHECK((&one == &other || one.color != other.color));
}

TEST_CASE("the median is of the last values alone") {
  Recent recent(3);
  CHECK(!recent.median());
  for (const double value : {100.0, 1.0, 3.0, 2.0}) recent.add(value);
  CHECK(recent.count() == 3);
  CHECK(recent.median() == 2.0);
}

TEST_CASE("an edit is timed once, when its answer is shown; opening is no edit") {
  Session session(own_catalog());
  Pace pace;
  session.open(GPUFEED_SOURCE_DIR "/examples/01_local_or_shared/scenario.toml");
  session.finish();
  pace.shown(session);
  CHECK(pace.edits().count() == 0);
  session.edit("loader.workers_per_gpu", "3");
  pace.shown(session);  // not answered yet
  CHECK(pace.edits().count() == 0);
  session.finish();
  pace.shown(session);
  pace.shown(session);
  CHECK(pace.edits().count() == 1);
  session.edit("loader.workers_per_gpu", "4");
  session.edit("loader.workers_per_gpu", "5");  // overtakes it
  session.finish();
  pace.shown(session);
  CHECK(pace.edits().count() == 2);
  session.edit("loader.workers_per_gpu", "100000");  // has no answer
  session.finish();
  pace.shown(session);
  CHECK(pace.edits().count() == 2);
}

}  // namespace gpufeed::ui
