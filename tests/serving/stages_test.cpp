// SPDX-License-Identifier: Apache-2.0
#include "tests/serving/stages.h"

#include <doctest/doctest.h>

#include <cmath>

namespace gpufeed::serving {

TEST_CASE("20 measured stages of four models come out within 5 % end to end, 12 % to the first") {
  double e2e = 0, itl = 0, ttft = 0, count = 0;
  for (const Stage& stage : measured_stages()) {
    const Answer told = one_draw(document_of(stage));
    const double off = told.e2e_s.mean / stage.e2e_s - 1;
    CAPTURE(stage.said.at("exp"));
    CAPTURE(stage.said.at("stage"));
    CHECK(std::abs(off) < 0.15);
    e2e += std::abs(off);
    itl += std::abs(told.itl_s.mean / stage.itl_s - 1);
    ttft += std::abs(told.ttft_s.mean / stage.ttft_s - 1);
    ++count;
  }
  CHECK(count == 20);
  MESSAGE(
      fmt::format("E2E {:.4f}, ITL {:.4f}, TTFT {:.4f}", e2e / count, itl / count, ttft / count));
  CHECK(e2e / count <= 0.05);
  CHECK(itl / count <= 0.05);
  CHECK(ttft / count <= 0.12);
}

}  // namespace gpufeed::serving
