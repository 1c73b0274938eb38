// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/support/catalog.h"
#include "tests/window/clicks.h"
#include "ui/model/keep/examples.h"

namespace gpufeed::ui {

// Figures, not tests of speed: `window_tests --test-case='*how long*' --success` prints them.
TEST_CASE("the window itself tells how long an edit takes until its answer, and a frame") {
  const std::string folder = GPUFEED_SOURCE_DIR "/examples";
  Recent edits(1000);
  Recent frames(1000);
  for (const Example& example : examples_in(folder)) {
    Clicks hands(own_catalog(), folder);
    hands.session().open(example.file);
    hands.settle();
    if (hands.session().standing() != Standing::current) continue;
    const std::size_t before = edits.count();
    const char* const key = hands.session().serves()      ? "serving.token_budget"
                            : hands.session().is_shared() ? "cluster.seed"
                                                          : "run.seed";
    for (const char* value : {"4111", "4112", "4113"}) {
      hands.session().edit(key, value);
      while (hands.session().standing() == Standing::updating) hands.frames();
      hands.frames(2);
    }
    const Pace& pace = hands.app().view().pace;
    CHECK(pace.edits().count() == 3);
    REQUIRE(pace.frames().median());
    edits.add(*pace.edits().median());
    frames.add(*pace.frames().median());
    CHECK(edits.count() == before + 1);
    MESSAGE(fmt::format("{}: edit to answer {:.1f} ms, frame {:.2f} ms", example.folder,
                        1e3 * *pace.edits().median(), 1e3 * *pace.frames().median()));
  }
  REQUIRE(edits.median());
  MESSAGE(fmt::format("median of {} examples: edit to answer {:.1f} ms, frame {:.2f} ms",
                      edits.count(), 1e3 * *edits.median(), 1e3 * *frames.median()));
}

}  // namespace gpufeed::ui
