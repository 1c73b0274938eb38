// SPDX-License-Identifier: Apache-2.0
// Logs of other schedulers.
#include <doctest/doctest.h>

#include <string>

#include "sim/import/job_logs.h"

using namespace gpufeed;

namespace {

std::string first_of(const Diagnostics& out) {
  return out.empty() ? "" : line_of(out.problems().front());
}

}  // namespace

TEST_CASE("what sacct prints becomes jobs: resources, limits, steps, and rows left out by reason") {
  Diagnostics out;
  const LoggedJobs made = parse_sacct(
      "JobID|User|State|Submit|Start|End|Timelimit|NNodes|NCPUS|ReqMem|AllocTRES\n"
      "12|ann|COMPLETED|2024-05-01T12:00:10|2024-05-01T12:05:00|2024-05-01T14:05:00|1-02:00:00|1|"
      "16|"
      "64G|billing=16,cpu=16,gres/gpu=4,gres/gpu:a100=4,mem=64G,node=1\n"
      "12.batch||COMPLETED|2024-05-01T12:05:00|2024-05-01T12:05:00|2024-05-01T14:05:00||1|16||cpu="
      "16\n"
      "7|bob|FAILED|2024-04-30T23:59:10|2024-05-01T00:00:00|2024-05-01T00:01:00|UNLIMITED|2|8|2Gc|"
      "\n"
      "13|ann|PENDING|2024-05-01T12:00:10|Unknown|Unknown|01:00:00|1|1|4Gn|\n"
      "14_3|bob|TIMEOUT|2024-05-01T13:00:00|2024-05-01T13:00:00|2024-05-01T13:30:00|30:00|2|8|4Gn|"
      "cpu=8,gres/gpu:v100=2,node=2\n",
      "log", out);
  CHECK(first_of(out) == "");
  REQUIRE(made.jobs.size() == 3);
  CHECK(made.left_out.at("never started") == 1);
  const auto& bob = made.jobs[0];
  CHECK(bob.id == "7");
  CHECK(bob.arrival.value == 0);
  CHECK(bob.work.value == 60);
  CHECK_FALSE(bob.estimate);
  CHECK(bob.gpus == 0);
  CHECK(bob.cpu_milli == 8000);
  CHECK(bob.memory.value == 16.0 * 1073741824);
  const auto& ann = made.jobs[1];
  CHECK(ann.arrival.value == 12 * 3600 + 60);
  CHECK(ann.work.value == 7200);
  CHECK(ann.estimate->value == 26 * 3600);
  CHECK(ann.gpus == 4);
  CHECK(ann.cpu_milli == 16000);
  CHECK(ann.memory.value == 64.0 * 1073741824);
  CHECK(made.jobs[2].gpus == 2);
  CHECK(made.jobs[2].memory.value == 8.0 * 1073741824);
  CHECK(made.jobs[2].estimate->value == 1800);
}

TEST_CASE("bad lines of sacct are named by number") {
  Diagnostics out;
  parse_sacct("JobID|Submit|Start|End\n1|today|2024-05-01T12:00:00|2024-05-01T13:00:00\n2|x\n",
              "log", out);
  CHECK(out.count() == 2);
  CHECK(first_of(out) ==
        "log:2:1: error: Submit must be a date such as 2024-05-01T12:00:00; found \"today\"");
  Diagnostics missing;
  parse_sacct("JobID|Submit|End\n", "log", missing);
  CHECK(missing.count() == 1);
}

TEST_CASE("the Standard Workload Format becomes jobs") {
  Diagnostics out;
  const std::string text =
      "; Version: 2.2\n"
      "1 100 5 600 4 -1 1024 4 900 -1 1 3 1 -1 1 -1 -1 -1\n"
      "2 160 5 -1 4 -1 -1 4 900 -1 0 3 1 -1 1 -1 -1 -1\n"
      "3 220 0 30 -1 -1 -1 2 -1 -1 1 4 1 -1 1 -1 -1 -1\n";
  const LoggedJobs made = parse_swf(text, "log", false, out);
  CHECK(first_of(out) == "");
  REQUIRE(made.jobs.size() == 2);
  CHECK(made.left_out.at("no run time") == 1);
  CHECK(made.jobs[0].arrival.value == 0);
  CHECK(made.jobs[0].gpus == 4);
  CHECK(made.jobs[0].estimate->value == 900);
  CHECK(made.jobs[0].memory.value == 4.0 * 1024 * 1024);
  CHECK(made.jobs[0].user == "3");
  CHECK(made.jobs[1].arrival.value == 120);
  CHECK(made.jobs[1].gpus == 2);
  CHECK(parse_swf(text, "log", true, out).jobs[0].cpu_milli == 4000);
  Diagnostics bad;
  parse_swf("1 2 x\n", "log", false, bad);
  CHECK(first_of(bad) == "log:1:1: error: a line must be 18 numbers; this one has 3 fields");
}
