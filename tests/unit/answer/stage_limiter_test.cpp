// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/answer/answer.h"

using namespace gpufeed;

namespace {

std::string workers(const LoaderShape& loader) {
  Plan plan;
  plan.loader = loader;
  return stage_limiter(plan, {PathStage::workers, {}, {}});
}

}  // namespace

TEST_CASE("workers that build batches each for itself are called so") {
  CHECK(workers({.batches_at_once = 1, .prefetch_factor = 5}) == "1 loader worker per GPU");
  CHECK(workers({.batches_at_once = 8, .prefetch_factor = 2}) == "8 loader workers per GPU");
}

TEST_CASE("threads and readers that share batches are not called workers") {
  CHECK(workers({.shared_batches = true, .batches_at_once = 5}) == "1 thread x 5 batches per GPU");
  CHECK(workers({.shared_batches = true,
                 .batches_at_once = 1,
                 .threads_per_batch = 4,
                 .readers_per_batch = 2}) == "4 threads, 2 readers x 1 batch per GPU");
}
