// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/page_cache.h"

#include <doctest/doctest.h>

#include <optional>

#include "sim/base/diagnostics.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// The mean of what jobs fetched in the epochs after the first; nothing, and a message, where this
/// machine permits no measurement.
std::optional<double> fetched_later(PageCacheTest test) {
  const TemporaryFolder folder;
  test.folder = folder / "set";
  test.files = 512;
  test.file_size = {131072};
  try {
    make_files(test);
    const auto epochs = measure_page_cache(test);
    REQUIRE(std::ssize(epochs) == test.epochs * test.jobs);
    double sum = 0;
    double first = 0;
    for (const auto& epoch : epochs) (epoch.epoch == 0 ? first : sum) += epoch.fetched;
    if (first < 0.5) {
      MESSAGE("skipped: the folder for temporary files lies on no local storage");
      return {};
    }
    CHECK(first >= 0.99);
    return sum / static_cast<double>((test.epochs - 1) * test.jobs);
  } catch (const InputError& error) {
    MESSAGE("skipped: " << error.what());
    return {};
  }
}

}  // namespace

TEST_CASE("in sequence, a set larger than the cgroup is fetched anew in every epoch") {
  if (const auto fetched = fetched_later({.cached_share = 0.5, .sequential = true, .epochs = 3}))
    CHECK(*fetched >= 0.95);
}

TEST_CASE("short epochs keep no more than long ones: the kernel knows how full the cgroup is") {
  // LRU keeps 15 % of a set twice as large, Linux's two lists some more; by counters of seconds ago
  // the active list grows for ever: 25 to 40 % after a few epochs
  if (const auto fetched = fetched_later({.cached_share = 0.5, .epochs = 8})) {
    CHECK(*fetched >= 0.76);
    CHECK(*fetched <= 0.87);
  }
}

TEST_CASE("a set that fits the cgroup is fetched once") {
  if (const auto fetched = fetched_later({.cached_share = 2, .epochs = 3})) CHECK(*fetched <= 0.01);
}
