// SPDX-License-Identifier: Apache-2.0
// Jobs that are drawn, or run a scenario; failures at random; repeats; logs with mistakes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/cluster/answer.h"
#include "sim/load/cluster/document.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

constexpr const char* kExample =
    GPUFEED_SOURCE_DIR "/examples/01_local_or_shared/scenario_shared.toml";

cluster::Document document(const std::string& cluster, const std::string& store = "100 GB/s") {
  return parse_cluster(fmt::format("[workload]\nkind = 'cluster'\n[store.flashblade]\n"
                                   "bandwidth = '{}'\n{}",
                                   store, cluster),
                       "a.toml", own_catalog());
}

std::string error_of(const std::string& cluster) {
  try {
    document(cluster);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const cluster::RepeatedValue& repeated(const cluster::Answer& answer, const std::string& name) {
  return *std::ranges::find(answer.repeated, name, &cluster::RepeatedValue::name);
}

}  // namespace

TEST_CASE("one job of a scenario takes what simulate says, to the last digit") {
  const std::string text = fmt::format(
      "[[cluster.nodes]]\nsystem = 'nvidia-dgx1-p100'\n[cluster.stream.a]\nscenario = '{}'\n"
      "at = ['0 s']\n[cluster]\nrepeats = 0\n",
      kExample);
  const Result alone = simulate(load_scenario(kExample, own_catalog()));
  const cluster::Answer answer = cluster::answer_of(document(text));
  REQUIRE(answer.jobs.size() == 1);
  CHECK(*answer.jobs[0].end_s == alone.time_to_result_s);
  CHECK(answer.jobs[0].gpus[0].size() == 8);
  CHECK(answer.totals.busy_gpu_h / answer.totals.allocated_gpu_h ==
        doctest::Approx(alone.job_gpu_utilization));
  CHECK(answer.totals.bytes ==
        doctest::Approx(static_cast<double>(alone.job_samples) * 200e3).epsilon(0.001));
}

TEST_CASE("jobs of a scenario share a store that is too narrow for them together") {
  const std::string text = fmt::format(
      "[[cluster.nodes]]\ncount = 4\nsystem = 'nvidia-dgx1-p100'\n[cluster.stream.a]\n"
      "scenario = '{}'\nat = ['0 s', '0 s', '0 s', '0 s']\n[cluster]\nrepeats = 0\n",
      kExample);
  const cluster::Answer wide = cluster::answer_of(document(text));
  const double need = wide.totals.bytes / wide.totals.makespan_s;
  const cluster::Answer narrow =
      cluster::answer_of(document(text, fmt::format("{} B/s", need / 2)));
  CHECK(wide.totals.mean_interference == 1);
  CHECK(narrow.totals.makespan_s == doctest::Approx(2 * wide.totals.makespan_s));
  CHECK(narrow.totals.mean_interference == doctest::Approx(2));
  CHECK(narrow.stores[0].jobs_slowed == 4);
  CHECK(narrow.stores[0].full_s == doctest::Approx(narrow.totals.makespan_s));
}

TEST_CASE("streams draw sizes, lengths and arrivals as they say") {
  const int jobs = draws(40000);
  const cluster::Answer answer = cluster::answer_of(document(fmt::format(
      "[[cluster.nodes]]\ncount = 1000\ngpus = 8\n[cluster]\nrepeats = 0\n[cluster.stream.a]\n"
      "gpus = [1, 4]\nweights = [3, 1]\nlength = '2 h'\nspread = 1\nevery = '1 min'\ncount = {}\n",
      jobs)));
  const double accuracy = 0.03 * std::sqrt(40000.0 / jobs);
  CHECK(answer.totals.jobs_done == jobs);
  CHECK(static_cast<double>(answer.sizes[1].jobs) / jobs ==
        doctest::Approx(0.25).epsilon(accuracy));
  CHECK(answer.totals.mean_turnaround_s == doctest::Approx(7200).epsilon(accuracy));
  CHECK(answer.jobs.back().arrival_s / jobs == doctest::Approx(60).epsilon(accuracy));
}

TEST_CASE("failures at random cost what the formula of Young and Daly says") {
  // 19 pieces with a checkpoint behind and one without: M e^(R/M) (e^((t+d)/M) - 1) each
  const auto piece = [](double length) {
    return 3600 * std::exp(120 / 3600.0) * (std::exp(length / 3600) - 1);
  };
  const cluster::Answer answer = cluster::answer_of(document(fmt::format(
      "[[cluster.nodes]]\ncount = {0}\ngpus = 1\nmtbf = '1 h'\n[cluster]\nrepeats = 0\n"
      "[cluster.stream.a]\nlength = '200 min'\nevery = '1 us'\nrandom = false\ncount = {0}\n"
      "checkpoint_every = '10 min'\ncheckpoint_cost = '1 min'\nrestart_cost = '2 min'\n",
      draws(2000))));
  CHECK(answer.totals.mean_turnaround_s == doctest::Approx(19 * piece(660) + piece(600))
                                               .epsilon(0.01 * std::sqrt(2000.0 / draws(2000))));
}

TEST_CASE("where jobs end together, repeats contain each other's mean") {
  std::string text =
      "[[cluster.nodes]]\ngpus = 8\n[cluster.scheduler]\norder = 'fifo'\n[cluster]\nrepeats = 8\n"
      "[cluster.log]\nrows = '''\nid,arrival,gpus,work,estimate\n";
  for (int i = 0; i < 120; ++i)
    text += fmt::format("{},{},{},600,{}\n", i, 10 * i, 1 + i * 7 % 8, 600 + i % 3 * 300);
  cluster::Document one = document(text + "'''\n");
  cluster::Document two = one;
  two.cluster.seed = 100;
  const cluster::Answer first = cluster::answer_of(one);
  const cluster::Answer second = cluster::answer_of(two);
  const auto& a = repeated(first, "mean_wait_s");
  const auto& b = repeated(second, "mean_wait_s");
  CHECK(a.told == b.told);
  CHECK(a.least < a.most);
  CHECK((b.mean >= a.least && b.mean <= a.most));
  CHECK((a.mean >= b.least && a.mean <= b.most));
}

TEST_CASE("fair share serves who had least, and quotas keep nobody else waiting") {
  const std::string jobs =
      "[cluster.log]\nrows = '''\nid,arrival,gpus,work,user\na,0,4,100,x\nb,0,4,100,x\n"
      "c,1,4,100,x\nd,2,4,100,y\n'''\n";
  const cluster::Answer fair = cluster::answer_of(
      document("[[cluster.nodes]]\ngpus = 8\n[cluster.scheduler]\norder = 'fair'\n" + jobs));
  CHECK(*fair.jobs[2].start_s == 100);
  CHECK(*fair.jobs[3].start_s == 100);
  const cluster::Answer quota = cluster::answer_of(document(
      "[[cluster.nodes]]\ngpus = 8\n[cluster.scheduler]\nbackfill = 'none'\n[cluster.user.x]\n"
      "quota = 4\n" +
      jobs));
  CHECK(*quota.jobs[1].start_s == 100);
  CHECK(*quota.jobs[3].start_s == 2);
}

TEST_CASE("a stream's lengths and dates below zero are refused, both at once") {
  const std::string wrong = error_of(
      "[[cluster.nodes]]\ngpus = 8\n[cluster.stream.a]\nlength = '-1 h'\nat = ['1 h', '-1 s']\n");
  CHECK(wrong.find("stream a has a length that is not above 0 s") != std::string::npos);
  CHECK(wrong.find("stream a has a date in at that is before 0 s") != std::string::npos);
}

TEST_CASE("lines of a log with mistakes are named by number, all at once") {
  CHECK(error_of(
            "[[cluster.nodes]]\ngpus = 8\n[cluster.log]\nrows = '''\narrival,gpus,wrok\n'''\n") ==
        "a.toml:9:14: error: unknown column \"wrok\"; did you mean \"work\"?\n");
  CHECK(error_of("[[cluster.nodes]]\ngpus = 8\n[cluster.log]\nrows = '''\narrival,gpus,work\n"
                 "0,1,10\n-5,1,10\n0,1.5,10\n0,1\n'''\n") ==
        "a.toml:11:1: error: arrival must be text with a unit from \"0 s\" to \"277777777.778 h\"; "
        "found \"-5\"\n"
        "a.toml:12:3: error: gpus must be a whole number from 0 to 1000000; found \"1.5\"\n"
        "a.toml:13:1: error: the line has 2 fields, the first line 3\n");
  CHECK(error_of("[[cluster.nodes]]\ngpus = 8\n[cluster.log]\nrows = '''\narrival,work,store,io\n"
                 "0,10,nas,1e9\n'''\n") ==
        "a.toml:10:1: error: there is no store \"nas\"; known: flashblade\n");
}
