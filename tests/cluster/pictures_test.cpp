// SPDX-License-Identifier: Apache-2.0
// What the page draws of a cluster lies in its frame before it is drawn: nothing is cut off.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "reports/html/gantt.h"
#include "sim/cluster/answer.h"
#include "sim/load/cluster/document.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

cluster::Answer answer_of(int seed, const std::string& window, const std::string& arrival) {
  return cluster::answer_of(parse_cluster(
      fmt::format("[workload]\nkind = 'cluster'\n{}[[cluster.nodes]]\ngpus = 8\ncount = 3\n"
                  "mtbf = '20 h'\nrepair = '1 h'\n[store.nas]\nbandwidth = '2 GB/s'\n"
                  "[cluster]\nseed = {}\nrepeats = 0\n[cluster.scheduler]\npreempt = true\n"
                  "[cluster.stream.a]\ngpus = [1, 2, 8, 16]\nlength = '2 h'\nspread = 1\n"
                  "every = '30 min'\ncount = 40\nio_per_gpu = '200 MB/s'\npreemptible = true\n"
                  "checkpoint_every = '20 min'\ncheckpoint_cost = '1 min'\n[[cluster.job]]\n"
                  "arrival = '{}'\nwork = '1 h'\nmilli = 300\npriority = 3\n",
                  window, seed, arrival),
      "a.toml", own_catalog()));
}

/// The numbers behind an attribute of all rectangles.
std::vector<double> all_of(const std::string& page, const std::string& attribute) {
  std::vector<double> out;
  const std::string begin = " " + attribute + "='";
  for (std::size_t at = page.find("<rect"); at != std::string::npos;
       at = page.find("<rect", at + 1)) {
    const std::size_t found = page.find(begin, at);
    if (found < page.find('>', at)) out.push_back(std::stod(page.substr(found + begin.size())));
  }
  return out;
}

}  // namespace

TEST_CASE("attempts of jobs lie within the time that the page shows, and on GPUs that there are") {
  for (int seed = 1; seed <= draws(40); ++seed)
    for (const std::string window : {"", "window = '9 h'\n"})
      for (const std::string arrival : {"0 s", "3 h"}) {
        CAPTURE(seed);
        CAPTURE(window);
        const cluster::Answer answer = answer_of(seed, window, arrival);
        REQUIRE_FALSE(answer.bars.empty());
        REQUIRE_FALSE(answer.load.empty());
        const double start = answer.load.front().start_s;
        const double end = start + answer.totals.makespan_s;
        const double near = 1e-6 + 1e-12 * end;
        CHECK(std::abs(answer.load.back().end_s - end) <= near * 400);
        for (const cluster::JobBar& bar : answer.bars) {
          CHECK(bar.start_s >= start - near);
          CHECK(bar.end_s <= end + near);
          CHECK(bar.end_s >= bar.start_s);
          for (std::size_t p = 0; p < bar.nodes.size(); ++p)
            for (const int gpu : bar.gpus[p])
              CHECK(gpu < answer.node_gpus[static_cast<std::size_t>(bar.nodes[p])]);
        }
        for (const cluster::LoadSlice& slice : answer.load) {
          CHECK(slice.allocated_gpus <= static_cast<double>(answer.gpus) * (1 + 1e-9));
          CHECK(slice.stores_Bps[0] <= answer.stores[0].bandwidth_Bps * (1 + 1e-9));
          CHECK(slice.waiting >= 0);
        }
      }
}

TEST_CASE("lanes are as wide as attempts are long") {
  const cluster::Answer answer = answer_of(1, "", "0 s");
  const std::string page = html::gantt_chart(answer);
  const auto widths = all_of(page, "width");
  const auto places = all_of(page, "x");
  REQUIRE(widths.size() == places.size());
  REQUIRE(widths.size() >= answer.bars.size());
  double furthest = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    CHECK(places[i] >= 0);
    furthest = std::max(furthest, places[i] + widths[i]);
  }
  CHECK(furthest == doctest::Approx(10000).epsilon(1e-4));  // the last end is the end of the frame
  // the sum of drawn GPU-time is what was held, before any is cut
  double held = 0;
  for (const cluster::JobBar& bar : answer.bars)
    for (const auto& gpus : bar.gpus)
      held += (bar.end_s - bar.start_s) * bar.share * static_cast<double>(gpus.size());
  CHECK(held / 3600 == doctest::Approx(answer.totals.allocated_gpu_h).epsilon(1e-9));
}
