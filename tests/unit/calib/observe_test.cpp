// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/observation.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "calib/probes/child.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// Looks at two seconds' distance, of a job that alone has drives read.
std::vector<Counters> moments_of(const std::vector<double>& read_B, double core_share) {
  std::vector<Counters> moments;
  for (std::size_t i = 0; i < read_B.size(); ++i) {
    const double time = 2 * static_cast<double>(i);
    moments.push_back(
        {100 + time, core_share * time, read_B[i], read_B[i], read_B[i] / 65536, 0, {}});
  }
  return moments;
}

/// What is said of reads where the job's are `share` of what drives read; none: not known.
std::string reads_said(std::optional<double> share) {
  auto moments = moments_of({0, 2e9, 4e9, 6e9}, 0);
  for (auto& moment : moments)
    if (share)
      moment.own_B = *share * moment.read_B;
    else
      moment.own_B.reset();
  const auto toml = observed_toml(observation_of(moments), "job");
  const auto begin = toml.find('\n') + 1;
  return toml.substr(begin, toml.find("# network") - begin);
}

}  // namespace

TEST_CASE("observe: a rate is what was counted over the time; its spread that of a mean") {
  // 1, 2, 3 GB in two seconds each: 0.5, 1, 1.5 GB/s, whose deviation is 0.5
  const WatchedJob seen = observation_of(moments_of({0, 1e9, 3e9, 6e9}, 1.5));
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

TEST_CASE("observe: what drives read for other programs is not the job's") {
  const std::string alone =
      "read_bandwidth = { value = \"1 GB/s\", spread = \"5 MB/s\" }\n"
      "read_rate = { value = \"15.26 k/s\", spread = \"76 /s\" }\n";
  CHECK(reads_said(1) == alone);
  CHECK(
      reads_said(0.4) ==
      "read_bandwidth = { value = \"400 MB/s\", spread = \"2 MB/s\" }\n"
      "# read_rate: left out: drives count requests for everyone, and read 1 GB/s in all, 400 MB/s "
      "of it for the job\n");
  CHECK(
      reads_said(0) ==
      "# read_bandwidth: next to nothing was seen\n"
      "# read_rate: left out: drives count requests for everyone, and read 1 GB/s in all, 0 B/s of "
      "it for the job\n");
  CHECK(
      reads_said(3) ==
      "read_bandwidth = { value = \"3 GB/s\", spread = \"15 MB/s\" }\n"
      "# read_rate: left out: the job read 3 GB/s and all drives 1 GB/s: part of it probably came "
      "from a store\n");
  CHECK(reads_said({}) ==
        "# read: by all drives of the machine, for whomever: whose reads they are is not told\n" +
            alone);
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

TEST_CASE("observe: a process that has ended and is not waited for keeps what it took") {
  const Child parent([] {
    if (fork() == 0) {
      const clock_t begin = clock();
      while (clock() - begin < CLOCKS_PER_SEC / 10) {
      }
      _exit(0);
    }
    while (true) pause();
    return 0;
  });
  const auto took = [&] {
    const auto now = read_counters(parent.pid());
    REQUIRE(now);
    return now->core_s;
  };
  while (took() < 0.08) usleep(1000);
  usleep(200'000);  // it has ended
  CHECK(took() >= 0.08);
}

TEST_CASE("observe: drives read for a process what it reads past the page cache") {
  const TemporaryFolder folder;
  constexpr std::size_t kSize = 4 << 20;
  const std::string file = folder.write("data", std::string(kSize, 'x')).string();
  const int written = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  fsync(written);
  close(written);
  const int direct = open(file.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  struct stat status {};
  if (direct < 0 || fstat(direct, &status) != 0 || major(status.st_dev) == 0) {
    MESSAGE("skipped: this folder lies on no disk");
    return;
  }
  const Counters before = *read_counters(getpid());
  auto* const buffer = static_cast<char*>(std::aligned_alloc(4096, kSize));
  CHECK(read(direct, buffer, kSize) == static_cast<ssize_t>(kSize));
  std::free(buffer);
  close(direct);
  const Counters after = *read_counters(getpid());
  REQUIRE(before.own_B);
  REQUIRE(after.own_B);
  CHECK(*after.own_B - *before.own_B >= static_cast<double>(kSize));
  CHECK(*after.own_B - *before.own_B < 2 * static_cast<double>(kSize));
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
