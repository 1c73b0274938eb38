// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/answer/answer.h"

using namespace gpufeed;

namespace {

using enum LimiterCode;

Limiter workers(const LoaderShape& loader) {
  Plan plan;
  plan.loader = loader;
  return stage_limiter(plan, {PathStage::workers, {}, {}});
}

}  // namespace

TEST_CASE("workers that build batches each for itself are called so") {
  CHECK(workers({.batches_at_once = 1, .prefetch_factor = 5}) == fact<workers_of_gpu>(1));
  CHECK(workers({.batches_at_once = 8, .prefetch_factor = 2}) == fact<workers_of_gpu>(8));
}

TEST_CASE("threads and readers that share batches are not called workers") {
  CHECK(workers({.shared_batches = true, .batches_at_once = 5}) == fact<threads_of_batches>(1, 5));
  CHECK(workers({.shared_batches = true,
                 .batches_at_once = 1,
                 .threads_per_batch = 4,
                 .readers_per_batch = 2}) == fact<threads_and_readers_of_batches>(4, 2, 1));
}
