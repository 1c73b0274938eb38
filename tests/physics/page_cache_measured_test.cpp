// SPDX-License-Identifier: Apache-2.0
// The replay of the page cache against what a kernel fetched: page_cache_linux_6.18.csv.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/plan/cache/page_cache.h"

using namespace gpufeed;

namespace {

struct Cell {
  std::string order;
  int jobs = 1;
  int readers = 1;
  double cached_share = 0;

  auto operator<=>(const Cell&) const = default;
};

/// What each job fetched in each epoch, over the data set.
struct Fetched {
  std::vector<double> first, later;
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_error(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += std::pow(value - mean_of(values), 2);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

std::map<Cell, Fetched> measured() {
  std::map<Cell, Fetched> cells;
  std::ifstream in(GPUFEED_SOURCE_DIR "/tests/physics/page_cache_linux_6.18.csv");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#') || line.starts_with("files")) continue;
    for (char& c : line)
      if (c == ',') c = ' ';
    std::istringstream row(line);
    double files = 0;
    double seed = 0;
    double job = 0;
    double fetched = 0;
    int epoch = 0;
    Cell cell;
    row >> files >> cell.cached_share >> cell.order >> cell.readers >> cell.jobs >> seed >> job >>
        epoch >> fetched;
    REQUIRE(row);
    (epoch == 0 ? cells[cell].first : cells[cell].later).push_back(fetched);
  }
  return cells;
}

}  // namespace

// The bar: over all cells a mean of 3 points, each within 8 points or twice the standard error.
TEST_CASE("the replay fetches what a kernel fetched, one reader, eight, or eight jobs") {
  const auto cells = measured();
  REQUIRE(cells.size() == 24);
  double sum = 0;
  int compared = 0;
  for (const auto& entry : cells) {
    const Cell& cell = entry.first;
    const Fetched& fetched = entry.second;
    CAPTURE(cell.order);
    CAPTURE(cell.jobs);
    CAPTURE(cell.readers);
    CAPTURE(cell.cached_share);
    constexpr double kSetGiB = 2;
    const auto hits =
        hit_rates({.cached_share = cell.cached_share,
                   .order = cell.order == "random" ? ReadOrder::permutation : ReadOrder::sequential,
                   .reclaimer = Reclaimer::cgroup,
                   .files = 16384,
                   .readers = cell.jobs,
                   .cache_GiB = kSetGiB * cell.cached_share,
                   .epochs = 7});
    double later = 0;
    for (std::size_t epoch = 1; epoch < hits.size(); ++epoch) later += (1 - hits[epoch]) / 6;
    REQUIRE(fetched.later.size() >= 6);
    for (const auto& [replayed, values] :
         {std::pair{1 - hits.front(), fetched.first}, std::pair{later, fetched.later}}) {
      const double error = std::abs(replayed - mean_of(values));
      const double chance = values.size() > 1 ? 2 * standard_error(values) : 0;
      CHECK(error <= std::max(0.08, chance));
      sum += error;
      ++compared;
    }
  }
  MESSAGE("mean error " << 100 * sum / compared << " points");
  CHECK(sum / compared <= 0.03);
}
