// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/observation.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>

#include "calib/probes/child.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Looks at two seconds' distance.
std::vector<Counters> moments_of(const std::vector<double>& read_B, double core_share) {
  std::vector<Counters> moments;
  for (std::size_t i = 0; i < read_B.size(); ++i) {
    const double time = 2 * static_cast<double>(i);
    moments.push_back({100 + time, core_share * time, read_B[i], read_B[i] / 65536, 0, {}});
  }
  return moments;
}

}  // namespace

TEST_CASE("observe: a rate is what was counted over the time; its spread that of a mean") {
  // 1, 2, 3 GB in two seconds each: 0.5, 1, 1.5 GB/s, whose deviation is 0.5
  const Observation seen = observation_of(moments_of({0, 1e9, 3e9, 6e9}, 1.5));
  CHECK(seen.read_Bps.value == doctest::Approx(1e9));
  CHECK(seen.read_Bps.spread == doctest::Approx(0.5e9 / std::sqrt(3.0)));
  CHECK(seen.reads_per_s.value == doctest::Approx(1e9 / 65536));
  CHECK(seen.cores.value == doctest::Approx(1.5));
  CHECK(seen.cores.spread == doctest::Approx(0.0075));  // steady: half a percent
  CHECK(seen.time_s == doctest::Approx(6));
  CHECK(!seen.gpu_use);
}

TEST_CASE("observe: what was seen is a file of simulate --observed; what was not is a comment") {
  CHECK(observed_toml(observation_of(moments_of({0, 1e9, 3e9, 6e9}, 1.5)), "a \"job\"") ==
        "title = \"a \\\"job\\\"\"\n"
        "read_bandwidth = { value = \"1 GB/s\", spread = \"290 MB/s\" }\n"
        "read_rate = { value = \"15.26 k/s\", spread = \"4.4 k/s\" }\n"
        "# network_bandwidth: next to nothing was seen\n"
        "cores_busy = { value = 1.5, spread = 0.0075 }\n");
}

TEST_CASE("observe: too short a look tells no spread") {
  CHECK(refusal_of([] {
          observation_of(moments_of({0, 1, 2}, 1));
        }) ==
        "observe: error: the job was watched for 2 parts of --every, where three at least are "
        "needed: "
        "watch for longer, or look more often\n");
}

TEST_CASE("observe: a process and what it started are counted; one that is gone is not there") {
  const Child parent([] {
    const Child busy([] {
      while (true) {
      }
      return 0;
    });
    while (true) pause();
    return 0;
  });
  const auto first = read_counters(parent.pid());
  REQUIRE(first);
  auto last = first;
  while (last && last->core_s == first->core_s) {  // its child computes, sooner or later
    usleep(1000);
    last = read_counters(parent.pid());
  }
  REQUIRE(last);
  CHECK(last->time_s > first->time_s);
  CHECK(last->read_B >= first->read_B);
  pid_t gone = 0;
  {
    const Child short_lived([] { return 0; });
    gone = short_lived.pid();
  }
  CHECK(!read_counters(gone));
  CHECK(command_of(gone).empty());
}

TEST_CASE("observe: other processes may end while they are read") {
  const Child coming_and_going([] {
    while (true) {
      if (const pid_t one = fork(); one == 0)
        _exit(0);
      else if (one > 0)
        waitpid(one, nullptr, 0);
    }
    return 0;
  });
  for (int i = 0; i < 200; ++i) CHECK(read_counters(coming_and_going.pid()));
}
