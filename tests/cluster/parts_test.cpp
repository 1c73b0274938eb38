// SPDX-License-Identifier: Apache-2.0
// What jobs draw and pay, who holds whom back, what is read when, and parts that are slow.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/cluster/answer.h"
#include "sim/cluster/outcome.h"
#include "sim/load/cluster/document.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

cluster::Answer answer_to(const std::string& nodes_and_stores, const std::string& jobs,
                          const std::string& more = "") {
  return cluster::answer_of(parse_cluster("[workload]\nkind = 'cluster'\n" + nodes_and_stores +
                                              "[cluster]\nrepeats = 0\n" + more +
                                              "[cluster.log]\nrows = '''\n" + jobs + "'''\n",
                                          "a.toml", own_catalog()));
}

}  // namespace

TEST_CASE("energy and cost are those of a bill by hand, and what is left is nobody's") {
  // One of two GPUs computes for an hour: half of 300 W idle and half of 700 W more is its job's.
  const auto answer = answer_to(
      "[[cluster.nodes]]\ngpus = 2\npower = '1000 W'\nidle_power = '300 W'\ncost_per_hour = '4 "
      "USD'\n",
      "arrival,gpus,work,user\n0,1,3600,ann\n", "electricity_per_kwh = '0.1 USD'\n");
  REQUIRE(answer.energy);
  CHECK(answer.energy->energy_kWh == doctest::Approx(0.65));
  CHECK(answer.energy->idle_kWh == doctest::Approx(0.15));
  CHECK(*answer.users[0].energy_kWh == doctest::Approx(0.5));
  CHECK(*answer.jobs[0].cost_USD == doctest::Approx(2 + 0.5 * 0.1 * 1.4));
  CHECK(answer.energy->cost_USD == doctest::Approx(4 + 0.65 * 0.1 * 1.4));
  CHECK(answer.energy->idle_cost_USD == doctest::Approx(2 + 0.15 * 0.1 * 1.4));
}

TEST_CASE("without the power of all nodes no energy is told") {
  const auto answer =
      answer_to("[[cluster.nodes]]\ngpus = 2\npower = '1 kW'\n[[cluster.nodes]]\ngpus = 2\n",
                "arrival,gpus,work\n0,1,3600\n");
  CHECK_FALSE(answer.energy);
  CHECK_FALSE(answer.jobs[0].energy_kWh);
}

TEST_CASE("of a store and a link, the one that is short is told to hold back") {
  const std::string jobs = "id,arrival,gpus,work,io\na,0,1,100,2\nb,0,1,100,2\n";
  const auto link = answer_to(
      "[[cluster.nodes]]\ngpus = 2\nlink = '2 B/s'\n[store.nas]\nbandwidth = '9 B/s'\n", jobs);
  CHECK(*link.jobs[0].end_s == doctest::Approx(200));
  CHECK(link.jobs[0].held_back_by == "link of node 0");
  CHECK(link.jobs[0].held_back_s == doctest::Approx(100));
  CHECK(link.links[0].jobs_slowed == 2);
  CHECK(link.links[0].slowed_gpu_h == doctest::Approx(200.0 / 3600));
  CHECK(link.stores[0].jobs_slowed == 0);
  const auto store = answer_to(
      "[[cluster.nodes]]\ngpus = 2\nlink = '9 B/s'\n[store.nas]\nbandwidth = '2 B/s'\n", jobs);
  CHECK(store.jobs[0].held_back_by == "nas");
  CHECK(store.stores[0].jobs_slowed == 2);
  CHECK(store.links[0].jobs_slowed == 0);
  // a store that is too slow for one alone is nobody's fault
  const auto alone = answer_to("[[cluster.nodes]]\ngpus = 2\n[store.nas]\nbandwidth = '1 B/s'\n",
                               "arrival,work,io\n0,100,2\n");
  CHECK(*alone.jobs[0].end_s == doctest::Approx(200));
  CHECK(alone.jobs[0].held_back_by.empty());
}

TEST_CASE("staging, cold and warm work read what each says") {
  const auto answer =
      answer_to("[[cluster.nodes]]\ngpus = 2\npower = '1 kW'\n[store.nas]\nbandwidth = '10 B/s'\n",
                "arrival,work,staging_work,staging_io,cold_work,cold_io,io\n0,100,10,20,30,20,5\n");
  // 10 s and 30 s at half the rate, 60 s at the full one; while data are copied nothing computes
  CHECK(*answer.jobs[0].end_s == doctest::Approx(2 * 10 + 2 * 30 + 60));
  CHECK(answer.jobs[0].bytes == doctest::Approx(10 * 20 + 30 * 20 + 60 * 5));
  CHECK(answer.totals.busy_gpu_h == doctest::Approx(90.0 / 3600));
}

TEST_CASE("checkpoints share the store they are written to") {
  const std::string job = "0,100,50,10,100\n";
  const std::string head = "arrival,work,checkpoint_every,checkpoint_cost,checkpoint_size\n";
  const std::string machine = "[[cluster.nodes]]\ngpus = 2\n[store.nas]\nbandwidth = '10 B/s'\n";
  CHECK(*answer_to(machine, head + job).jobs[0].end_s == doctest::Approx(110));
  const auto two = answer_to(machine, head + job + job);
  CHECK(*two.jobs[0].end_s == doctest::Approx(120));
  CHECK(two.stores[0].written_bytes == doctest::Approx(200));
  CHECK(two.jobs[1].held_back_by == "nas");
}

TEST_CASE("stragglers and degraded stores slow down whom they concern, as long as they last") {
  const std::string nodes =
      "[[cluster.nodes]]\ncount = 2\ngpus = 1\n[store.nas]\nbandwidth = '10 B/s'\n";
  const std::string jobs = "id,arrival,work,io\na,0,100,0\nb,0,100,4\n";
  const auto slow = answer_to(
      nodes + "[[cluster.failure]]\nat = '10 s'\nnode = 0\nrepair = '20 s'\nleft = '50 %'\n", jobs);
  CHECK(*slow.jobs[0].end_s == doctest::Approx(110));
  CHECK(*slow.jobs[1].end_s == doctest::Approx(100));
  const auto gone =
      answer_to(nodes + "[[cluster.failure]]\nat = '10 s'\nstore = 'nas'\nrepair = '20 s'\n", jobs);
  CHECK(*gone.jobs[0].end_s == doctest::Approx(100));
  CHECK(*gone.jobs[1].end_s == doctest::Approx(120));
  CHECK(gone.totals.lost_gpu_h == 0);
  // 10 s in which 2 of 4 B/s are left: 5 s later; of two at once, the worse counts
  const auto degraded = answer_to(
      nodes +
          "[[cluster.failure]]\nat = '10 s'\nstore = 'nas'\nrepair = '10 s'\nleft = '20 %'\n"
          "[[cluster.failure]]\nat = '10 s'\nstore = 'nas'\nrepair = '5 s'\nleft = '30 %'\n",
      jobs);
  CHECK(*degraded.jobs[1].end_s == doctest::Approx(105));
}

TEST_CASE("a store that fails at random keeps its readers as long as its repairs take") {
  const int jobs = draws(300);
  std::string rows = "arrival,work,io\n";
  for (int i = 0; i < jobs; ++i) rows += std::to_string(i) + ",100000,1\n";
  const auto answer =
      answer_to("[[cluster.nodes]]\ncount = " + std::to_string(jobs) +
                    "\ngpus = 1\n[store.nas]\nbandwidth = '1 GB/s'\nmtbf = '1000 s'\n"
                    "repair = '100 s'\n",
                rows);
  // one store: all jobs see the same hundred failures of 100 s
  CHECK(answer.totals.mean_turnaround_s == doctest::Approx(110000).epsilon(0.03));
}

TEST_CASE("what would help is what is short") {
  const auto gain = [](const std::vector<cluster::ClusterChange>& all, const std::string& words) {
    const auto found = std::ranges::find_if(
        all, [&](const auto& one) { return one.change.find(words) != std::string::npos; });
    REQUIRE(found != all.end());
    return found->gain;
  };
  const auto changes = [](const std::string& store, int nodes) {
    std::string rows = "arrival,gpus,work,io\n";
    for (int i = 0; i < 16; ++i) rows += "0,1,1000,1e9\n";
    return cluster::changes_of(parse_cluster(
        "[workload]\nkind = 'cluster'\n[[cluster.nodes]]\ncount = " + std::to_string(nodes) +
            "\ngpus = 4\n[store.nas]\nbandwidth = '" + store +
            "'\n[cluster]\nrepeats = 1\n[cluster.log]\nrows = '''\n" + rows + "'''\n",
        "a.toml", own_catalog()));
  };
  const auto narrow = changes("4 GB/s", 4);
  CHECK(gain(narrow, "store nas 10 %") == doctest::Approx(0.1).epsilon(0.02));
  CHECK(gain(narrow, "store nas twice") == doctest::Approx(1).epsilon(0.02));
  CHECK(gain(narrow, "one more node") == doctest::Approx(0).epsilon(0.01));
  const auto crowded = changes("100 GB/s", 2);
  CHECK(gain(crowded, "store nas twice") == doctest::Approx(0));
  CHECK(gain(crowded, "one more node") > 0.1);
}

TEST_CASE("what a failure or a part of a job may not say is refused") {
  const auto error = [](const std::string& more, const std::string& rows) -> std::string {
    try {
      answer_to("[[cluster.nodes]]\ngpus = 2\n" + more, rows);
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  };
  const std::string job = "arrival,work\n0,1\n";
  CHECK(error("[[cluster.failure]]\nat = '1 s'\n", job).find("needs one of node and store") !=
        std::string::npos);
  CHECK(error("[[cluster.failure]]\nat = '1 s'\nstore = 'x'\n", job)
            .find("there is no store \"x\"") != std::string::npos);
  CHECK(error("", "arrival,work,cold_work\n0,1,2\n").find("together longer than it") !=
        std::string::npos);
  CHECK(error("[store.a]\nbandwidth = '1 B/s'\n", "arrival,work,checkpoint_size\n0,1,2\n")
            .find("needs checkpoint_cost") != std::string::npos);
}
