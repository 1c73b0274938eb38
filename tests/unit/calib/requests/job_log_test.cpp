// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/job_log.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/calib/requests/made_log.h"

using namespace gpufeed;

namespace {

std::string problems_of(const std::string& text, const std::string& fresh = "") {
  try {
    log_of(text, {}, fresh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

const std::string kGood =
    "workflow,command,cpus,memory_asked_B,peak_rss_B,read_B,realtime_ms,submitted_s\n"
    "a,align,2,4000,1000,7,2000,0\n"
    "a,align,4,4000,2000,7,1000,5\n"
    "a,sort,1,8000,500,7,1000,6\n"
    "b,align,2,4000,1000,7,1000,0\n"
    "b,sort,2,8000,600,7,1000,3\n";

}  // namespace

TEST_CASE("columns are known by their names, with their units") {
  const JobLog log = log_of(kGood);
  REQUIRE(log.jobs.size() == 5);
  CHECK(log.words == std::vector<std::string>{"workflow"});
  CHECK(log.numbers == std::vector<std::string>{"cpus"});
  CHECK(log.measured == std::vector<std::string>{"read_B"});
  const LoggedJob& job = log.jobs[1];
  CHECK(job.command == "align");
  CHECK(job.numbers == std::vector<double>{4});
  CHECK(job.used[0] == 2000);
  CHECK(job.asked[0] == 4000);
  CHECK(job.used[1] == 1);
  CHECK(job.submitted_s == 5);
  CHECK(job.ended_s == 6);
  CHECK(log.timed);
}

TEST_CASE("times that begin anew with each workflow are each workflow's own") {
  const JobLog log = log_of(kGood);
  CHECK(log.own_clocks == "workflow");
  CHECK(log.jobs[2].clock == log.jobs[0].clock);
  CHECK(log.jobs[3].clock != log.jobs[0].clock);
  CHECK(log.jobs[3].submitted_s == 0);  // and stay where they are
}

TEST_CASE("times of dates are everybody's: jobs are put in their order") {
  const JobLog log = log_of(
      "user,command,maxrss,elapsed,submit\n"
      "a,x,4G,00:01:30,2026-11-28T08:00:00\n"
      "a,x,5 GB,1-00:00:00,2026-11-28T09:00:00\n"
      "b,x,12K,90 s,2026-11-28T07:00:00\n"
      "b,x,1M,00:00:01,2026-11-28T07:30:00\n"
      "b,x,,00:00:02,2026-11-28T07:31:00\n");
  CHECK(log.own_clocks.empty());
  CHECK(log.jobs[0].used[0] == 12 * 1024.0);
  CHECK(log.jobs[3].used[0] == 4 * 1073741824.0);
  CHECK(log.jobs[3].used[1] == 90);
  CHECK(log.jobs[4].used[0] == 5e9);
  CHECK(log.jobs[4].used[1] == 86400);
  CHECK(*log.jobs[4].submitted_s - *log.jobs[3].submitted_s == 3600);
  CHECK_FALSE(log.jobs[2].used[0].has_value());
}

TEST_CASE("a command is learned from by its program, and the numbers among its arguments") {
  const ParsedCommand typed = parse_command("python3 -u /srv/a/train.py --lr 0.1 --batch=64 12");
  CHECK(typed.program == "train.py");
  CHECK(typed.command == "python3 -u /srv/a/train.py --lr # --batch # #");
  REQUIRE(typed.numbers.size() == 3);
  CHECK(typed.numbers[0] == std::pair<std::string, double>{"--lr", 0.1});
  CHECK(typed.numbers[1] == std::pair<std::string, double>{"--batch", 64});
  CHECK(typed.numbers[2] == std::pair<std::string, double>{"argument 1", 12});
  const ParsedCommand name = parse_command("NFCORE:RNASEQ:STAR");
  CHECK(name.program == "STAR");
  CHECK(name.command == "NFCORE:RNASEQ:STAR");
}

TEST_CASE("numbers among arguments become columns, empty for jobs before them") {
  const JobLog log = log_of(
      "command,peak_rss_MiB\nsort x,1\nfit --n 3,2\nfit --n 4,2\nfit --n 5,2\nfit --n 6,2\n");
  CHECK(log.numbers == std::vector<std::string>{"--n"});
  CHECK(std::isnan(log.jobs[0].numbers.at(0)));
  CHECK(log.jobs[4].numbers.at(0) == 6);
  CHECK(log.jobs[1].command == log.jobs[4].command);
}

TEST_CASE("new jobs have the log's columns, and used nothing") {
  const JobLog log = log_of(kGood, {kGood}, "command,cpus\nalign,8\n");
  CHECK(log.first == 5);
  CHECK(log.past_it == 10);
  REQUIRE(log.jobs.size() == 11);
  CHECK(log.jobs[10].numbers.at(0) == 8);
  CHECK_FALSE(log.jobs[10].used[0].has_value());
}

TEST_CASE("files that are no logs are refused") {
  CHECK(problems_of("") ==
        "log.csv: error: the file is empty; its first line must name the columns, such as "
        "command,memory_asked_B,peak_rss_B,realtime_ms,submitted_s\n");
  CHECK(problems_of("command,peak_rss_B\nx,1\n") ==
        "log.csv: error: the log has 1 job that says what it used; at least 5 are needed, one for "
        "each part of it that is reported\n");
  CHECK(problems_of("command,peak_rs_B,cpus\nx,1,2\n") ==
        "log.csv:1:1: error: no column says what jobs used; did you mean \"peak_rss_B\" by "
        "\"peak_rs_B\"? one of peak_rss_B, maxrss, memory_used_GB, realtime_ms, elapsed_s, "
        "gpus_used ... is needed; found \"command\", \"peak_rs_B\", \"cpus\"\n");
  CHECK(problems_of("command,command,peak_rss_B,maxrss\n") ==
        "log.csv:1:1: error: column \"command\" stands twice\n"
        "log.csv:1:1: error: columns \"peak_rss_B\" and \"maxrss\" say the same; leave one out\n");
}

TEST_CASE("values that are none are refused, all at once") {
  const std::string head = "command,cpus,peak_rss_B,elapsed,gpus_used\nx,1,1,1 s,1\nx,1,1,1 s,1\n";
  CHECK(problems_of(head + "x,2,nan,1 s,1\nx,two,-3,1 s,1\nx,1,1e30,90,1.5\nx,1\n") ==
        "log.csv:4:5: error: peak_rss_B must be a number, from 0 to 1e18; found \"nan\"\n"
        "log.csv:5:3: error: cpus is a number in most lines; found \"two\"\n"
        "log.csv:5:7: error: peak_rss_B must be a number, from 0 to 1e18; found \"-3\"\n"
        "log.csv:6:5: error: peak_rss_B must be a number, from 0 to 1e18; found \"1e30\"\n"
        "log.csv:6:10: error: elapsed must be a time such as 90 s, 01:30:00 or "
        "2026-11-28T08:00:00 (or name the column elapsed_s, _ms, _min or _h for plain numbers), "
        "from 0 to 1e18; found \"90\"\n"
        "log.csv:6:13: error: gpus_used must be a whole number, from 0 to 1e18; found \"1.5\"\n"
        "log.csv:7:1: error: the line has 2 fields, the first line 5\n");
}

TEST_CASE("a new job is refused that the log cannot speak of") {
  CHECK(problems_of(kGood, csv_of_job("comand=align,cpus=2")) ==
        "new.csv:1:1: error: column \"command\" is missing, as the log has it\n"
        "new.csv:1:1: error: the log has no column \"comand\"; did you mean \"command\"?\n");
  CHECK(problems_of(kGood, "command\n") == "new.csv: error: there is no job below the header\n");
  CHECK(csv_of_job("command=a,cpus=6") == "command,cpus\na,6\n");
}
