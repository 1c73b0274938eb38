// SPDX-License-Identifier: Apache-2.0
// A scheduler that is asked in lines: first come, first served gives that scheduler's answer.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/base/numbers/random.h"
#include "sim/cluster/foreign.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/totals.h"
#include "tests/support/draws.h"

using namespace gpufeed;
using namespace gpufeed::cluster;

namespace {

/// As foreign_fifo.py does it, of jobs that all fit one node.
class Fifo {
 public:
  std::string operator()(const std::string& line, bool asks) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] == "arrive") {
      waiting_.push_back(event["job"]);
      gpus_[event["job"]] = event["gpus"];
    }
    CHECK(asks == (event["event"] == "schedule"));
    if (!asks) return "";
    double free = event["free_gpus"];
    std::vector<int> start;
    while (!waiting_.empty() && gpus_[waiting_.front()] <= free) {
      free -= gpus_[waiting_.front()];
      start.push_back(waiting_.front());
      waiting_.pop_front();
    }
    return fmt::format("{{\"start\": [{}]}}", fmt::join(start, ", "));
  }

 private:
  std::deque<int> waiting_;
  std::map<int, double> gpus_;
};

Case one_node(std::uint64_t seed) {
  Random random(seed);
  Case of;
  Node node;
  node.gpus = 8;
  of.nodes = {node};
  of.policy.backfill = Backfill::none;
  double date = 0;
  for (int i = 0; i < 60; ++i) {
    Job job;
    job.arrival = date += random.uniform(0, 60);
    job.gpus = static_cast<int>(random.integer(1, 8));
    job.work = job.estimate = random.uniform(1, 200);
    of.jobs.push_back(job);
  }
  return of;
}

std::string error_of(const std::string& answer) {
  const Case of = one_node(1);
  try {
    run(of, foreign_scheduler(
                of, [&](const std::string&, bool asks) { return asks ? answer : std::string(); }));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("another's first come, first served is ours") {
  for (int seed = 1; seed <= draws(50); ++seed) {
    CAPTURE(seed);
    const Case of = one_node(static_cast<std::uint64_t>(seed));
    const Outcome own = run(of);
    const Outcome foreign = run(of, foreign_scheduler(of, Fifo()));
    for (std::size_t i = 0; i < of.jobs.size(); ++i) {
      CHECK(own.jobs[i].start == foreign.jobs[i].start);
      CHECK(own.jobs[i].end == foreign.jobs[i].end);
    }
  }
}

TEST_CASE("a scheduler that answers nonsense is told so") {
  CHECK(error_of("yes").find("must answer by a line such as {\"start\":[4,5]}; it said: yes") !=
        std::string::npos);
  CHECK(error_of("{\"start\":[0,]}").find("must answer") != std::string::npos);
  CHECK(error_of("{\"start\":[7]}").find("starts job 7, which does not wait") != std::string::npos);
  CHECK(error_of("{\"start\":[0,0]}").find("starts job 0, which does not wait") !=
        std::string::npos);
}
