// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/key_labels.h"

#include <doctest/doctest.h>

#include "sim/base/diagnostics.h"

namespace gpufeed::ui {

TEST_CASE(
    "a refusal calls by its label what it is about; what is no key stays as the file has it") {
  CHECK(label_of("loader.workers_per_gpu") == "Loader workers");
  CHECK(label_of("loader.decode") == "Decoding");
  CHECK(in_words(missing_key({}, "workload", "model", "text in quotes")) ==
        "Neural network is missing; it must be text in quotes");
  Diagnostics out;
  out.refuse("system.drive[ssd0].lanes", {}, " is {}, more than its slot has", 8);
  out.refuse("data.at", {}, ": nothing lies on \"{}\"", "data.at");
  CHECK(in_words(out.problems()[0]) == "Drive ssd0: lanes is 8, more than its slot has");
  CHECK(in_words(out.problems()[1]) == "Data on: nothing lies on \"data.at\"");
  CHECK(in_words(unknown_key({}, "loader", "wrkers", {"workers_per_gpu"})) ==
        sentence(unknown_key({}, "loader", "wrkers", {"workers_per_gpu"})));
  CHECK(in_words(Problem{{}, "it died"}) == "it died");
}

}  // namespace gpufeed::ui
