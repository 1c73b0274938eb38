// SPDX-License-Identifier: Apache-2.0
// What is said of a job rests on what was known before it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calib/requests/classes.h"
#include "calib/requests/report.h"
#include "calib/requests/requests.h"
#include "tests/unit/calib/requests/made_log.h"

using namespace gpufeed;

namespace {

constexpr std::array kBoth{Clock::rows, Clock::submission};

/// Jobs of two commands, of uneven sizes and lengths; line `changed` uses ten times as much.
std::string drawn_log(std::size_t changed) {
  std::string out = "command,size,memory_asked_MiB,peak_rss_MiB,realtime_s,submitted_s\n";
  std::size_t state = 1;
  for (std::size_t i = 0; i < 60; ++i) {
    state = state * 1103515245 % 2147483648;
    const std::size_t size = 1 + state % 17;
    const std::size_t used = (i % 3 == 0 ? 400 : 100 + 20 * size) * (i == changed ? 10 : 1);
    out += fmt::format("{},{},8000,{},{},{}\n", i % 3 == 0 ? "sort" : "align", size, used,
                       5 + state % 40, 2 * i);
  }
  return out;
}

struct Said {
  std::vector<std::optional<Guess>> guesses;
  std::vector<JobRequests> requests;
};

Said said_by(const JobLog& log, Clock clock) {
  const auto events = events_of(log, clock);
  Said out{guesses_of(log, Need::memory, events), {}};
  out.requests = requests_of(log, Need::memory, RequestPolicy::few_too_small, events, out.guesses);
  return out;
}

std::string order_of(const std::vector<LogEvent>& events) {
  std::string out;
  for (const LogEvent& one : events) out += fmt::format("{}{} ", one.known ? "=" : "", one.job);
  return out;
}

}  // namespace

TEST_CASE("a later job changes nothing of what was said of earlier ones") {
  for (const Clock clock : kBoth) {
    const Said before = said_by(log_of(drawn_log(99)), clock);
    const Said after = said_by(log_of(drawn_log(40)), clock);
    bool differs = false;
    for (std::size_t j = 0; j < 60; ++j) {
      CAPTURE(j);
      REQUIRE(before.guesses[j].has_value() == after.guesses[j].has_value());
      const bool same = !before.guesses[j] || before.guesses[j]->logs == after.guesses[j]->logs;
      if (j <= 40) {
        CHECK(same);
        CHECK(before.requests[j].poll == after.requests[j].poll);
      }
      differs = differs || !same;
    }
    CHECK(differs);  // the jobs after it do see it
  }
}

TEST_CASE("by submission, a job is known from its end on") {
  const JobLog log = log_of(
      "command,peak_rss_B,realtime_s,submitted_s\n"
      "x,1,10,0\nx,2,3,1\nx,3,1,4\nx,4,1,10\nx,5,1,100\n");
  CHECK(order_of(events_of(log, Clock::rows)) == "0 =0 1 =1 2 =2 3 =3 4 =4 ");
  // 1 ends at 4, as 2 is submitted; 2 at 5, and 0 at 10, as 3 is
  CHECK(order_of(events_of(log, Clock::submission)) == "0 1 =1 2 =2 =0 3 =3 4 =4 ");
  const auto guesses = guesses_of(log, Need::memory, events_of(log, Clock::submission));
  CHECK_FALSE(guesses[0].has_value());
  CHECK_FALSE(guesses[1].has_value());
  CHECK(guesses[2]->jobs == 1);
  CHECK(guesses[3]->jobs == 3);
}

TEST_CASE("jobs of one clock say nothing of another's that stand below") {
  const JobLog log = log_of(
      "run,command,peak_rss_B,realtime_s,submitted_s\n"
      "a,x,1,500,0\na,x,2,3,1\nb,x,3,1,0\nb,x,4,1,9\na,x,5,1,100\n");
  CHECK(order_of(events_of(log, Clock::submission)) == "0 1 =1 4 =4 =0 2 =2 3 =3 ");
}

TEST_CASE("a new log whose times begin anew finds the old one's jobs ended") {
  const std::string text =
      "command,peak_rss_B,realtime_s,submitted_s\n"
      "x,1,10,0\nx,2,3,1\nx,3,1,4\nx,4,1,10\nx,5,1,100\n";
  const JobLog log = log_of(text, {text});
  const auto guesses = guesses_of(log, Need::memory, events_of(log, Clock::submission));
  CHECK(guesses[5]->jobs == 5);
}

TEST_CASE("a guess comes from the command, else the program, else all and the request") {
  const JobLog log = log_of(
      "command,memory_asked_B,peak_rss_B\n"
      "a:x,1000,100\na:x,1000,100\nb:x,1000,300\nc:y,4000,50\nc:y,4000,60\n");
  const auto guesses = guesses_of(log, Need::memory, events_of(log, Clock::rows));
  CHECK(guesses[1]->level == Level::command);
  CHECK(guesses[2]->level == Level::program);
  CHECK(std::exp(guesses[2]->logs[0]) == doctest::Approx(100));
  CHECK(guesses[3]->level == Level::all);
  CHECK(guesses[3]->jobs == 2);  // commands: each counts once
  CHECK(std::exp(guesses[3]->logs[0]) == doctest::Approx(0.3 * 4000));
}

TEST_CASE("classes are powers of two from 128 MiB, and a vote that is even goes to the larger") {
  constexpr double kMiB = 1024.0 * 1024;
  CHECK(class_of(Need::memory, 1) == 0);
  CHECK(class_of(Need::memory, 128 * kMiB) == 0);
  CHECK(class_of(Need::memory, 129 * kMiB) == 1);
  CHECK(class_of(Need::memory, 1024 * kMiB) == 3);
  CHECK(class_of(Need::time, 61) == 1);
  CHECK(class_of(Need::gpus, 8) == 3);
}

TEST_CASE("of ten jobs alike each but the first is of the class that all say") {
  std::string text = "command,peak_rss_MiB\n";
  for (int i = 0; i < 10; ++i) text += "x,300\n";
  const JobLog log = log_of(text);
  const auto events = events_of(log, Clock::rows);
  const ClassScores scores =
      class_scores(log, Need::memory, events, guesses_of(log, Need::memory, events));
  CHECK(scores.jobs == 9);
  REQUIRE(scores.rows.size() == kLearners + 4);
  for (const ClassAccuracy& one : scores.rows) {
    CAPTURE(one.name);
    CHECK(one.right[0] == 0.5);
    CHECK(one.right[1] == 1);
    CHECK(one.right[4] == 1);
  }
}

TEST_CASE("what is too small is run again with the user's request, and twice as much at least") {
  CHECK(allocated(100, 90, 500) == 100);
  CHECK(allocated(100, 110, 500) == 600);
  CHECK(allocated(100, 110, 150) == 300);
  CHECK(allocated(100, 110, {}) == 300);
  CHECK(allocated(100, 700, {}) == 100 + 200 + 400 + 800);
  CHECK(allocated(100, 700, 500) == 100 + 500 + 1000);
}

TEST_CASE("the first job gets what its user asks for; margins shrink where a command is even") {
  std::string text = "command,memory_asked_MiB,peak_rss_MiB\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("x,8000,{}\n", 1000 + i % 2);
  const JobLog log = log_of(text);
  const Said said = said_by(log, Clock::rows);
  constexpr double kMiB = 1024.0 * 1024;
  CHECK(*said.requests[0].poll == 8000 * kMiB);
  CHECK(*said.requests[1].largest == 1100 * kMiB);
  CHECK(*said.requests[1].poll < 1200 * kMiB);
  CHECK(*said.requests[59].poll < 1050 * kMiB);
  CHECK(*said.requests[59].poll >= 1001 * kMiB);
  CHECK(said.requests[59].low < 1000 * kMiB);
  CHECK(said.requests[59].high > 1001 * kMiB);
}

TEST_CASE("where a command is uneven its margin grows, and the user's request is the most") {
  std::string text = "command,memory_asked_MiB,peak_rss_MiB\n";
  std::size_t state = 7;
  for (int i = 0; i < 80; ++i) {
    state = state * 1103515245 % 2147483648;
    text += fmt::format("x,3000,{}\n", 200 + state % 2000);
  }
  const JobLog log = log_of(text);
  const Said said = said_by(log, Clock::rows);
  constexpr double kMiB = 1024.0 * 1024;
  constexpr auto kLast = static_cast<std::size_t>(Learner::last);
  for (std::size_t j = 40; j < 80; ++j) {
    CHECK(*said.requests[j].learners[kLast] > 1.3 * std::exp(said.guesses[j]->logs[kLast]));
    CHECK(*said.requests[j].poll <= 3000 * kMiB);
  }
}

TEST_CASE("the report says both clocks, the same each time, and what new jobs need") {
  const JobLog log = log_of(drawn_log(99), {}, "command,size\nalign,5\nnever,5\n");
  const RequestReport one = report_requests(log, RequestPolicy::few_too_small, "log.csv");
  const RequestReport again = report_requests(log, RequestPolicy::few_too_small, "log.csv");
  REQUIRE(one.needs.size() == 2);
  REQUIRE(one.needs[0].clocks.size() == 2);
  const auto& requests = one.needs[0].clocks[1].requests;
  REQUIRE(requests.size() == 3 + kLearners);
  for (std::size_t r = 0; r < requests.size(); ++r) {
    CHECK(requests[r].jobs == 60);
    CHECK(requests[r].waste == again.needs[0].clocks[1].requests[r].waste);
  }
  REQUIRE(one.new_jobs.size() == 4);
  const NewJobNeed& known = one.new_jobs[0];
  CHECK(known.level == Level::command);
  CHECK(known.learned_from == 40);
  constexpr double kMiB = 1024.0 * 1024;
  CHECK(known.low <= 200 * kMiB);  // 100 + 20 x 5
  CHECK(known.high >= 200 * kMiB);
  CHECK(*known.request >= 200 * kMiB);
  CHECK(one.new_jobs[1].level == Level::all);
}
