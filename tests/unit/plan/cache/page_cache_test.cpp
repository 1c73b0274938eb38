// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/page_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/plan/cache/cache_policies.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

/// Reads `items` one after the other. \returns 'h' for a hit and '-' for a miss of each.
std::string reads(FileCache& cache, const std::vector<std::int32_t>& items) {
  std::string seen;
  for (const std::int32_t item : items) seen += cache.read(item) ? 'h' : '-';
  return seen;
}

constexpr CachePolicy kKeeping[] = {CachePolicy::lru, CachePolicy::two_list, CachePolicy::mglru,
                                    CachePolicy::pinned};

}  // namespace

TEST_CASE("LRU drops the file that was not read for longest") {
  const auto cache = lru_cache(8, 3);
  CHECK(reads(*cache, {0, 1, 2, 0, 3}) == "---h-");
  CHECK(reads(*cache, {0, 2, 3, 1}) == "hhh-");
}

TEST_CASE("FIFO drops the file that came first, read again or not") {
  const auto cache = fifo_cache(8, 3);
  CHECK(reads(*cache, {0, 1, 2, 0, 3}) == "---h-");
  CHECK(reads(*cache, {1, 2, 3, 0}) == "hhh-");
}

TEST_CASE("a pinned cache keeps what came first") {
  const auto cache = pinned_cache(8, 3);
  CHECK(reads(*cache, {0, 1, 2, 3, 4, 3, 0, 1, 2}) == "------hhh");
}

TEST_CASE("a file read twice while in memory outlives files read once") {
  const auto two_list = two_list_cache(8, 4, {});
  CHECK(reads(*two_list, {0, 1, 2, 3, 0, 4, 5, 6, 7, 0}) == "----h----h");
  const auto lru = lru_cache(8, 4);
  CHECK(reads(*lru, {0, 1, 2, 3, 0, 4, 5, 6, 7, 0}) == "----h-----");
}

TEST_CASE("a file that comes back soon is active at once, and an active list too long shrinks") {
  const auto cache = two_list_cache(8, 4, {});
  // 0 and 1 become active; 4 evicts 2; 2 comes back two steps later, and two files are active.
  REQUIRE(reads(*cache, {0, 1, 2, 3, 0, 1, 4, 2}) == "----hh--");
  // Three active files against one: the oldest, 0, goes back to the inactive list, from where the
  // second miss drops it.
  REQUIRE(reads(*cache, {5, 6}) == "--");
  CHECK(reads(*cache, {1, 2, 6}) == "hhh");
  CHECK(reads(*cache, {0}) == "-");
}

TEST_CASE("a larger ratio of the lists leaves more files active") {
  const auto cache = two_list_cache(8, 4, {.inactive_ratio = 3});
  REQUIRE(reads(*cache, {0, 1, 2, 3, 0, 1, 4, 2}) == "----hh--");
  REQUIRE(reads(*cache, {5, 6}) == "--");
  CHECK(reads(*cache, {0, 1, 2, 6}) == "hhhh");
}

TEST_CASE("reclaim that sees an activated refault takes from the active list") {
  TwoListRules rules{.inactive_ratio = 3};
  SUBCASE("one for each file it frees") {}
  SUBCASE("in proportion") { rules.proportional_scan = true; }
  rules.refault_window = 1;
  const auto cache = two_list_cache(8, 4, rules);
  REQUIRE(reads(*cache, {0, 1, 2, 3, 0, 1, 4, 2}) == "----hh--");
  REQUIRE(reads(*cache, {5, 6}) == "--");
  CHECK(reads(*cache, {0}) == "-");
}

TEST_CASE("active files of others take room until reclaim reaches them") {
  const auto cache = two_list_cache(8, 4, {.foreign_active = 3});
  // One file fits. 1 drives 0 out, since the foreign file that the longer list gives up comes in
  // behind it; 0 drives that one out and comes back early enough to be active.
  CHECK(reads(*cache, {0, 1, 0, 1, 0}) == "---hh");
  const auto alone = two_list_cache(8, 4, {});
  CHECK(reads(*alone, {0, 1, 0, 1, 0}) == "--hhh");
}

TEST_CASE("Linux keeps the square root of ten times the cache in GiB active per inactive page") {
  CHECK(inactive_ratio(0.3) == 1);
  CHECK(inactive_ratio(1) == 3);  // the table above inactive_is_low in mm/vmscan.c
  CHECK(inactive_ratio(10) == 10);
  CHECK(inactive_ratio(100) == 31);
  CHECK(inactive_ratio(1024) == 101);
}

TEST_CASE("the first epoch of one reader is cold, and no cache keeps nothing") {
  for (const CachePolicy policy : kKeeping) {
    CacheReplay replay{.cached_share = 0.5, .policy = policy};
    const auto rates = hit_rates(replay);
    REQUIRE(rates.size() == 6);
    CHECK(rates.front() == 0);
    CHECK(rates.back() > 0);
    replay.cached_share = 0;
    CHECK(std::ranges::max(hit_rates(replay)) == 0);
  }
  CHECK(std::ranges::max(hit_rates({.cached_share = 2, .policy = CachePolicy::none})) == 0);
}

TEST_CASE("a set that fits is read from memory from the second epoch on") {
  for (const CachePolicy policy : kKeeping)
    for (const double share : {1.0, 1.5, 1000.0}) {
      const auto rates = hit_rates({.cached_share = share, .policy = policy});
      CHECK(rates[0] == 0);
      CHECK(*std::min_element(rates.begin() + 1, rates.end()) == 1);
    }
}

TEST_CASE("equal seeds give equal rates, others nearly so") {
  CacheReplay replay{.cached_share = 0.4, .readers = 3};
  const auto rates = hit_rates(replay);
  CHECK(rates == hit_rates(replay));
  replay.seed = 2;
  const auto others = hit_rates(replay);
  CHECK(rates != others);
  for (std::size_t i = 0; i < rates.size(); ++i) CHECK(rates[i] == approx(others[i]).epsilon(0.05));
}

TEST_CASE("few files are replayed as they are") {
  const auto rates =
      hit_rates({.cached_share = 0.75, .policy = CachePolicy::pinned, .files = 7, .epochs = 2});
  CHECK(rates[1] == 5 / 7.0);  // five files fit whole
}

TEST_CASE(
    "the curve of an epoch has the epoch's hits, and what a file gives lies where it is read") {
  for (const std::int64_t files : {3, 7, 20, 41, 5000}) {
    CAPTURE(files);
    const CacheReplay replay{.cached_share = 0.6, .policy = CachePolicy::lru, .files = files};
    const auto rates = hit_rates(replay);
    const auto curves = hit_curves(replay);
    REQUIRE(curves.size() == rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) CHECK(curves[i].mean() == approx(rates[i]));
  }
  // Two of four files are kept, and the same order comes again: five slices each.
  const HitCurve curve = hit_curves({.cached_share = 0.5,
                                     .policy = CachePolicy::pinned,
                                     .order = ReadOrder::sequential,
                                     .files = 4,
                                     .epochs = 2})[1];
  for (std::size_t slice = 0; slice < HitCurve::kSlices; ++slice)
    CHECK(curve.slices[slice] == (slice < 10 ? 1 : 0));
  CHECK(curve.slices[HitCurve::slice_at(0.49)] == 1);
  CHECK(curve.slices[HitCurve::slice_at(0.5)] == 0);
  CHECK(curve.slices[HitCurve::slice_at(1)] == 0);
  CHECK(!curve.flat());
  CHECK(flat_hits(0.3).flat());
}

TEST_CASE("shards of one file are a permutation, one shard is a sequence") {
  CacheReplay replay{.cached_share = 0.5, .policy = CachePolicy::lru, .files = 5000};
  const auto permutation = hit_rates(replay);
  replay.order = ReadOrder::shards;
  CHECK(hit_rates(replay) == permutation);
  replay.shard_files = 5000;
  CHECK(std::ranges::max(hit_rates(replay)) == 0);
  replay.shard_files = 50;
  const auto shards = hit_rates(replay);
  CHECK(shards.back() > 0);
}
