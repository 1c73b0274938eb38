// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/page_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

/// Mean over the epochs `from` to the last, counted from 1.
double mean(const std::vector<double>& rates, int from = 2) {
  const auto first = rates.begin() + from - 1;
  return std::accumulate(first, rates.end(), 0.0) / static_cast<double>(rates.end() - first);
}

struct Row {
  double cached_share;
  double hit_rate;
  std::int64_t files = 8000;
};

}  // namespace

TEST_CASE("LRU: N readers in random orders that start epochs together hit c + (1-c) ln(1-c) / N") {
  // At the time t of an epoch (0 to 1) a reader misses a file that no reader has read for as long
  // as the cache reaches back. Early, that is into the epoch before: all N have read the share t
  // and 1-t is left to each, so a miss has probability (1-c) / (1-t); later it is
  // (1-c)^((N-1)/N). The change comes when 1-(1-t)^N = c; the mean over t is the formula.
  for (const int readers : {1, 2, 4, 8})
    for (const double c : {0.1, 0.35, 0.5, 0.65, 0.8, 0.95}) {
      CAPTURE(readers);
      CAPTURE(c);
      const auto rates =
          hit_rates({.cached_share = c, .policy = CachePolicy::lru, .readers = readers});
      CHECK(std::abs(mean(rates) - (c + (1 - c) * std::log(1 - c) / readers)) <= 0.01);
    }
}

// 30 epochs of 8192 files: a slice is known to 0.5 / sqrt(30 x 410), and 0.02 is four times that.
TEST_CASE("under LRU the hits of one reader lie at an epoch's beginning: 1 - (1-c)/(1-x)") {
  constexpr int kEpochs = 30;
  for (const double c : {0.25, 0.5, 0.8}) {
    CAPTURE(c);
    const auto curves =
        hit_curves({.cached_share = c, .policy = CachePolicy::lru, .epochs = kEpochs + 1});
    for (std::size_t slice = 0; slice < HitCurve::kSlices; ++slice) {
      double found = 0;
      for (int epoch = 1; epoch <= kEpochs; ++epoch)
        found += curves[static_cast<std::size_t>(epoch)].slices[slice] / kEpochs;
      // The integral from a to b of what is positive of it.
      const double a = static_cast<double>(slice) / HitCurve::kSlices;
      const double b = std::min(a + 1.0 / HitCurve::kSlices, c);
      const double hits =
          a < c ? HitCurve::kSlices * (b - a + (1 - c) * std::log((1 - b) / (1 - a))) : 0;
      CAPTURE(a);
      CHECK(std::abs(found - hits) <= 0.02);
    }
  }
}

TEST_CASE("a first epoch of several readers hits what another one has read: 1 - (1-x)^(k-1)") {
  for (const int readers : {2, 8}) {
    CAPTURE(readers);
    const HitCurve first = hit_curves({.cached_share = 1, .readers = readers, .epochs = 1}).front();
    CHECK(first.mean() == approx(1 - 1.0 / readers));  // together they fetch the set once
    for (std::size_t slice = 0; slice < HitCurve::kSlices; ++slice) {
      const double x = (static_cast<double>(slice) + 0.5) / HitCurve::kSlices;
      CAPTURE(x);
      CHECK(std::abs(first.slices[slice] - (1 - std::pow(1 - x, readers - 1))) <= 0.06);
    }
  }
}

TEST_CASE("many ranks that each read a random share hit c, whatever the policy") {
  // Each read is then nearly an independent draw, and no file is likelier than another.
  for (const auto policy : {CachePolicy::lru, CachePolicy::mglru, CachePolicy::two_list})
    for (const double c : {0.2, 0.5, 0.8}) {
      const auto rates = hit_rates(
          {.cached_share = c, .policy = policy, .readers = 64, .shares = 64, .epochs = 30});
      CHECK(std::abs(mean(rates, 6) - c) <= 0.02);
    }
}

TEST_CASE("in sequence, a set larger than the cache is never found by LRU, FIFO or two lists") {
  // Linux 6.18, 1 GiB of files, c = 0.65 and 0.8: 0.000 in all of six epochs. Linux 6.1 with
  // multi-generation LRU, c = 0.6: 0.008.
  for (const auto policy : {CachePolicy::lru, CachePolicy::mglru, CachePolicy::two_list})
    for (const double c : {0.3, 0.65, 0.8, 0.99})
      CHECK(mean(hit_rates(
                {.cached_share = c, .policy = policy, .order = ReadOrder::sequential})) == 0);
}

TEST_CASE("in sequence and in step, the first of N readers misses and the others hit") {
  // Linux 6.18, eight readers, c = 0.65: 0.875 in each of three epochs.
  const auto rates =
      hit_rates({.cached_share = 0.65, .order = ReadOrder::sequential, .readers = 8});
  CHECK(mean(rates, 1) == 7 / 8.0);
}

TEST_CASE("pinned files are hit by their share, in every order") {
  for (const auto order : {ReadOrder::permutation, ReadOrder::sequential})
    for (const double c : {0.1, 0.35, 0.8})
      CHECK(std::abs(mean(hit_rates(
                         {.cached_share = c, .policy = CachePolicy::pinned, .order = order})) -
                     c) <= 1.0 / 8192);
}

TEST_CASE("more memory never hits noticeably less, and none hits more than what is pinned") {
  for (const auto policy : {CachePolicy::lru, CachePolicy::mglru, CachePolicy::two_list})
    for (const auto reclaimer : {Reclaimer::kswapd, Reclaimer::cgroup, Reclaimer::cgroup_fresh}) {
      double before = 0;
      for (double c = 0.05; c < 1; c += 0.05) {
        const double now = mean(hit_rates(
            {.cached_share = c, .policy = policy, .reclaimer = reclaimer, .cache_GiB = 50 * c}));
        CAPTURE(c);
        CHECK(now >= before - 0.01);
        CHECK(now <= c + 0.01);
        before = now;
      }
    }
}

TEST_CASE("two lists in a memory cgroup: 8000 files of 128 KiB on Linux 6.18 from a drive") {
  // Epochs 2 to 6 of several runs, whose rates spread by up to 0.16; ratio of the lists 1.
  for (const Row& row :
       {Row{0.25, 0.06}, Row{0.35, 0.08}, Row{0.5, 0.18}, Row{0.65, 0.33}, Row{0.8, 0.54}}) {
    CAPTURE(row.cached_share);
    const auto rates = hit_rates({.cached_share = row.cached_share,
                                  .reclaimer = Reclaimer::cgroup,
                                  .files = 8000,
                                  .cache_GiB = row.cached_share});
    CHECK(std::abs(mean(rates) - row.hit_rate) <= 0.05);
  }
}

TEST_CASE("two lists in a memory cgroup, epoch by epoch, on Linux 6.18") {
  // Sparse files read whole with read(), hits by cachestat(), the cgroup's counters flushed every
  // 8 to 32 files, as an epoch of hours does. Inodes and the like take 0.007 of the set from c.
  struct Run {
    double limit;  ///< of the cgroup, over the size of the data set
    double set_GiB;
    int readers;
    std::vector<double> measured;
  };
  const Run runs[] = {
      {0.25, 1, 1, {0, 0.031, 0.055, 0.077, 0.096, 0.096, 0.098}},
      {0.35, 1, 1, {0, 0.063, 0.113, 0.126, 0.129, 0.133, 0.130}},
      {0.50, 1, 1, {0, 0.147, 0.203, 0.203, 0.205, 0.206, 0.203}},
      {0.65, 1, 1, {0, 0.272, 0.332, 0.330, 0.338, 0.326, 0.332}},
      {0.80, 1, 1, {0, 0.463, 0.584, 0.519, 0.543, 0.531, 0.543}},
      {0.35, 8, 1, {0, 0.067, 0.124, 0.180, 0.211, 0.212, 0.212}},  // ratio of the lists 4
      {0.50, 8, 1, {0, 0.152, 0.263, 0.291, 0.303, 0.303, 0.300}},  // 6
      {0.80, 8, 1, {0, 0.478, 0.638, 0.616, 0.606, 0.604, 0.604}},  // 7
      {0.35, 1, 2, {0.113, 0.162, 0.158, 0.162, 0.165}},
      {0.50, 1, 2, {0.167, 0.275, 0.271, 0.272, 0.274}},
      {0.25, 1, 8, {0.198, 0.197, 0.200, 0.201, 0.198}},
      {0.35, 1, 8, {0.284, 0.286, 0.290, 0.291, 0.290}},
      {0.50, 1, 8, {0.416, 0.431, 0.433, 0.434, 0.433}},
      {0.80, 1, 8, {0.688, 0.746, 0.748, 0.746, 0.745}},
  };
  for (const Run& run : runs) {
    const auto rates = hit_rates({.cached_share = run.limit - 0.007,
                                  .reclaimer = Reclaimer::cgroup,
                                  .files = 8192,
                                  .readers = run.readers,
                                  .cache_GiB = run.limit * run.set_GiB,
                                  .epochs = static_cast<std::int64_t>(run.measured.size())});
    REQUIRE(rates.size() == run.measured.size());
    for (std::size_t i = 0; i < rates.size(); ++i) {
      CAPTURE(run.limit);
      CAPTURE(run.readers);
      CAPTURE(i);
      CHECK(std::abs(rates[i] - run.measured[i]) <= 0.04);
    }
  }
}

TEST_CASE("two lists in a memory cgroup whose counters are read without delay, on Linux 6.18") {
  // As above, 65,536 files of 128 KiB (8 GiB), flushed after every file, limit 0.35 of the set;
  // 0.330 of it was in memory at the end.
  const std::vector<double> measured{0, 0.062, 0.090, 0.113, 0.137, 0.155, 0.172};
  const auto rates = hit_rates({.cached_share = 0.335,
                                .reclaimer = Reclaimer::cgroup_fresh,
                                .files = 65536,
                                .cache_GiB = 2.8,
                                .epochs = 7});
  REQUIRE(rates.size() == measured.size());
  for (std::size_t i = 0; i < rates.size(); ++i) CHECK(std::abs(rates[i] - measured[i]) <= 0.02);
}

TEST_CASE("active pages of others keep the second epoch cold, on Linux 6.18") {
  // As above, 1 GiB of files in 0.5 GiB: 227 MB of others' active, 222 MB inactive before.
  const std::vector<double> measured{0, 0.032, 0.134, 0.185, 0.194, 0.196, 0.194, 0.191};
  const auto rates = hit_rates({.cached_share = 0.47,
                                .reclaimer = Reclaimer::cgroup,
                                .files = 8192,
                                .cache_GiB = 0.5,
                                .active_share_at_start = 0.5,
                                .epochs = 8});
  REQUIRE(rates.size() == measured.size());
  for (std::size_t i = 0; i < rates.size(); ++i) CHECK(std::abs(rates[i] - measured[i]) <= 0.02);
}

TEST_CASE("two lists and kswapd: a machine of 768 MB with Linux 6.1") {
  // Files of 512 KiB, epochs 2 to 6 (5 to 8 epochs measured); c is what was in memory at the end.
  for (const Row& row :
       {Row{0.248, 0.037, 5000}, Row{0.356, 0.078, 3500}, Row{0.416, 0.112, 3000},
        Row{0.500, 0.169, 2500}, Row{0.612, 0.279, 2048}, Row{0.746, 0.461, 1700}}) {
    CAPTURE(row.files);
    const auto rates =
        hit_rates({.cached_share = row.cached_share, .files = row.files, .cache_GiB = 0.6});
    CHECK(std::abs(mean(rates) - row.hit_rate) <= 0.02);
  }
  const auto eight = hit_rates(
      {.cached_share = 0.618, .files = 2048, .readers = 8, .cache_GiB = 0.6, .epochs = 4});
  CHECK(std::abs(mean(eight) - 0.561) <= 0.02);
}

TEST_CASE("multi-generation LRU: the same machine") {
  for (const Row& row : {Row{0.246, 0.040, 5000}, Row{0.356, 0.090, 3500}, Row{0.415, 0.138, 3000},
                         Row{0.502, 0.200, 2500}, Row{0.737, 0.559, 1700}}) {
    CAPTURE(row.files);
    const auto rates = hit_rates(
        {.cached_share = row.cached_share, .policy = CachePolicy::mglru, .files = row.files});
    CHECK(std::abs(mean(rates) - row.hit_rate) <= 0.03);
  }
  const auto eight = hit_rates({.cached_share = 0.592,
                                .policy = CachePolicy::mglru,
                                .files = 2048,
                                .readers = 8,
                                .epochs = 4});
  CHECK(std::abs(mean(eight) - 0.566) <= 0.02);
}

TEST_CASE("ImageNet-1k, a third cached: what one job and eight jobs read in an epoch") {
  // Mohan et al., PVLDB 14(5) 2021, 4.3.2: 146 GiB, 35 % cacheable, DALI with shuffle_after_epoch,
  // in a container with a memory limit (README of their tool), kernels of 2019.
  CacheReplay job{.cached_share = 0.35,
                  .reclaimer = Reclaimer::cgroup_fresh,
                  .files = 1281167,
                  .cache_GiB = 0.35 * 146};
  CHECK(146 * (1 - mean(hit_rates(job))) == approx(125).epsilon(0.05));
  job.readers = 8;
  // 7 % less than measured, unexplained: LRU and each of these rules find 0.30 to 0.32 in memory
  // with independent random orders, the jobs found 0.243. c = 0.285 would give it; not fitted.
  CHECK(8 * 146 * (1 - mean(hit_rates(job))) == approx(884).epsilon(0.08));
}

TEST_CASE("FMA, nearly half cached: eight jobs read less than independent orders let them") {
  // Same paper, 7.3: 950 GB, c = 0.45, 3.5 TB in all. CoorDL's 0.55 TB, (1 - 0.45) * 0.95 TB once
  // for all jobs, says that one warm epoch is counted. Jobs in independent orders would read 4.6
  // TB, jobs in step in one order 0.95 TB: the eight must have shared part of their order.
  CacheReplay jobs{.cached_share = 0.45,
                   .reclaimer = Reclaimer::cgroup_fresh,
                   .files = 106574,
                   .readers = 8,
                   .cache_GiB = 398};
  const auto read_TB = [&] { return 8 * 0.95 * (1 - mean(hit_rates(jobs))); };
  CHECK(read_TB() == approx(4.6).epsilon(0.02));
  jobs.order = ReadOrder::sequential;
  CHECK(read_TB() == approx(0.95).epsilon(0.02));
}
