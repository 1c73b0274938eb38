// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/history.h"

#include <doctest/doctest.h>

namespace gpufeed::ui {

TEST_CASE("every edit can be undone and made again; a new one ends what could be made again") {
  History history("a");
  CHECK(!history.undo());
  history.push("b");
  history.push("b");  // no change, no step
  history.push("c");
  CHECK(history.undo());
  CHECK(history.now() == "b");
  CHECK(history.redo());
  CHECK(history.now() == "c");
  CHECK(!history.redo());
  CHECK(history.undo());
  CHECK(history.undo());
  CHECK(history.now() == "a");
  history.push("d");
  CHECK(!history.can_redo());
  CHECK(history.undo());
  CHECK(history.now() == "a");
}

}  // namespace gpufeed::ui
