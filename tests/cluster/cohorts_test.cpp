// SPDX-License-Identifier: Apache-2.0
// Users of a cohort lend each other what of their quotas they do not use, and take it back.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/numbers/random.h"
#include "sim/cluster/answer.h"
#include "sim/cluster/outcome.h"
#include "sim/load/cluster/document.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"

using namespace gpufeed;
using namespace gpufeed::cluster;

namespace {

cluster::Document document(const std::string& scheduler, const std::string& x,
                           const std::string& rows) {
  return parse_cluster(
      "[workload]\nkind = 'cluster'\n[[cluster.nodes]]\ngpus = 8\n[cluster]\nrepeats = 0\n"
      "[cluster.scheduler]\nbackfill = 'skip'\n" +
          scheduler + "[cluster.user.x]\nquota = 4\n" + x +
          "[cluster.user.y]\nquota = 4\ncohort = 'c'\n[cluster.log]\nrows = '''\n"
          "id,arrival,gpus,work,user,priority\n" +
          rows + "'''\n",
      "a.toml", own_catalog());
}

cluster::Answer answer_to(const std::string& scheduler, const std::string& x,
                          const std::string& rows) {
  return cluster::answer_of(document(scheduler, x, rows));
}

std::string error_of(const std::string& scheduler, const std::string& x) {
  try {
    document(scheduler, x, "a,0,1,1,x,0\n");
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "";
}

const std::string kIn = "cohort = 'c'\n";
const std::string kRows = "a,0,4,100,x,1\nb,0,4,100,x,1\nc,10,4,30,y,1\n";

}  // namespace

TEST_CASE("without a cohort quotas hold, in one what others leave is borrowed") {
  CHECK(*answer_to("", "", kRows).jobs[1].start_s == 100);
  CHECK(*answer_to("", kIn, kRows).jobs[1].start_s == 0);
  CHECK(*answer_to("", kIn + "borrow = 3\n", kRows).jobs[1].start_s == 100);
  CHECK(*answer_to("", kIn + "borrow = 4\n", kRows).jobs[1].start_s == 0);
  // more than the cohort has is refused, and so is more than may be borrowed
  CHECK(answer_to("", kIn + "borrow = 3\n", "a,0,8,100,x,1\n").jobs[0].refused);
  CHECK_FALSE(answer_to("", kIn, "a,0,8,100,x,1\n").jobs[0].refused);
}

TEST_CASE("what was borrowed is taken back from any, from lower priority, or never") {
  CHECK(*answer_to("", kIn, kRows).jobs[2].start_s == 100);
  const auto any = answer_to("reclaim = 'any'\n", kIn, kRows);
  CHECK(*any.jobs[2].start_s == 10);
  CHECK(*any.jobs[0].end_s == 100);  // the later of the two, by its number, is stopped
  CHECK(any.jobs[1].attempts == 2);
  CHECK(*any.jobs[1].end_s == 140);
  CHECK(any.jobs[1].lost_gpu_h == doctest::Approx(40.0 / 3600));
  CHECK(*answer_to("reclaim = 'lower'\n", kIn, kRows).jobs[2].start_s == 100);
  CHECK(*answer_to("reclaim = 'lower'\n", kIn, "a,0,4,100,x,1\nb,0,4,100,x,1\nc,10,4,30,y,2\n")
             .jobs[2]
             .start_s == 10);
  // nobody takes back what is beyond the own quota
  CHECK(*answer_to("reclaim = 'any'\n", kIn, "a,0,4,100,x,1\nb,0,4,100,x,1\nc,10,5,30,y,1\n")
             .jobs[2]
             .start_s == 100);
}

TEST_CASE("no more is stopped than is needed") {
  // 1 + 4 GPUs are borrowed; the one comes first, but the four are needed and suffice
  const auto answer = answer_to("reclaim = 'any'\n", kIn,
                                "a,0,3,100,x,1\nb,0,4,100,x,1\nc,1,1,100,x,1\nd,10,4,30,y,1\n");
  CHECK(*answer.jobs[3].start_s == 10);
  CHECK(answer.jobs[0].attempts == 1);
  CHECK(answer.jobs[1].attempts == 2);
  CHECK(answer.jobs[2].attempts == 1);
}

TEST_CASE("who is within their quota never waits where all may be taken back") {
  constexpr std::int64_t kQuota = 4;
  int stopped = 0;
  for (int seed = 1; seed <= draws(100); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    Case of;
    Node node;
    node.gpus = 12;
    of.nodes = {node};
    of.policy.backfill = Backfill::skip;
    of.policy.reclaim = Reclaim::any;
    of.users.assign(3, User{1, kQuota * kMilli, 0, kPlenty});
    of.users[2].borrow_milli = std::int64_t{2} * kMilli;
    of.cohorts_milli = {3 * kQuota * kMilli};
    double date = 0;
    for (int i = 0; i < 150; ++i) {
      Job job;
      job.arrival = date += static_cast<double>(random.integer(1, 20));
      job.work = job.estimate = static_cast<double>(random.integer(1, 200));
      job.user = static_cast<int>(random.integer(0, 2));
      of.jobs.push_back(job);
    }
    const Outcome outcome = run(of);
    const auto held = [&](double now, int user) {
      std::int64_t sum = 0;
      for (const Attempt& one : outcome.attempts)
        if (one.start <= now && now < one.end && (user < 0 || of.jobs[at(one.job)].user == user))
          sum += of.jobs[at(one.job)].gpus;
      return sum;
    };
    for (std::size_t i = 0; i < of.jobs.size(); ++i) {
      const Job& job = of.jobs[i];
      CHECK(held(*outcome.jobs[i].start, -1) <= 3 * kQuota);
      CHECK(held(*outcome.jobs[i].start, 2) <= kQuota + 2);
      if (*outcome.jobs[i].start > job.arrival) CHECK(held(job.arrival, job.user) >= kQuota);
      stopped += outcome.jobs[i].attempts > 1 ? 1 : 0;
    }
  }
  CHECK(stopped > draws(100));
}

TEST_CASE("what a cohort needs is said") {
  CHECK(error_of("", "borrow = 2\n").find("nobody lends without a cohort") != std::string::npos);
  CHECK(error_of("", kIn + "borrow = -1\n").find("borrow") != std::string::npos);
  CHECK(error_of("reclaim = 'al'\n", kIn).find("\"any\"") != std::string::npos);
  CHECK_THROWS_WITH_AS(
      parse_cluster(
          "[workload]\nkind = 'cluster'\n[[cluster.nodes]]\ngpus = 8\n"
          "[cluster.scheduler]\nbackfill = 'conservative'\nreclaim = 'any'\n"
          "[cluster.user.x]\ncohort = 'c'\n[[cluster.job]]\narrival = '0 s'\nwork = '1 s'\n",
          "a.toml", own_catalog()),
      doctest::Contains("stops nobody under conservative backfill"), InputError);
  CHECK_THROWS_WITH_AS(
      parse_cluster("[workload]\nkind = 'cluster'\n[[cluster.nodes]]\ngpus = 8\n"
                    "[cluster.scheduler]\nreclaim = 'any'\n[[cluster.job]]\narrival = '0 s'\n"
                    "work = '1 s'\n",
                    "a.toml", own_catalog()),
      doctest::Contains("reclaim needs users of a cohort"), InputError);
}
