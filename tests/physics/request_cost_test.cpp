// SPDX-License-Identifier: Apache-2.0
// Requests cost cores: what one job reaches by its engine, whatever the drives could give.
#include "sim/kinds/io/request_cost.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Sixteen Optane P5800X on two sockets of Ice Lake, as SPDK's developers measured them.
std::string sixteen_drives(const std::string& io) {
  std::string text =
      "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"datasheet\"\n";
  for (const int socket : {0, 1})
    text += fmt::format(
        "[[system.socket]]\nid = \"cpu{}\"\nmodel = \"intel-xeon-platinum-8380\"\nmemory = \"512 "
        "GiB\"\n",
        socket);
  text +=
      "[[system.socket_link]]\nbetween = [\"cpu0\", \"cpu1\"]\nlink = \"upi-11.2\"\ncount = 3\n";
  for (int drive = 0; drive < 16; ++drive)
    text += fmt::format(
        "[[system.drive]]\nid = \"ssd{}\"\nmodel = \"intel-optane-p5800x-800gb\"\nat = \"cpu{}\"\n",
        drive, drive / 8);
  return text +
         "[[system.volume]]\nid = \"all\"\ndrives = [\"ssd*\"]\nlayout = \"files\"\n[workload]\n"
         "kind = \"io\"\n[workload.io]\n" +
         io + "[data]\nat = \"all\"\n";
}

Result result_of(const char* engine, const char* block, int jobs, int depth) {
  return simulate(parse_scenario(
      sixteen_drives(fmt::format("engine = \"{}\"\nblock_size = \"{}\"\njobs = {}\nqueue_depth = "
                                 "{}\n",
                                 engine, block, jobs, depth)),
      "t.toml", own_catalog()));
}

double iops(const char* engine, const char* block, int jobs, int depth) {
  return result_of(engine, block, jobs, depth).io.at(0).iops;
}

}  // namespace

TEST_CASE("a guest that waits for each request halts, one with many under way does not") {
  CHECK(request_cost(IoEngine::psync, {0}, true).time.value == approx(21e-6));
  CHECK(request_cost(IoEngine::psync, {0}).time.value == approx(3e-6));
  for (const IoEngine engine : {IoEngine::libaio, IoEngine::io_uring})
    CHECK(request_cost(engine, {4096}, true).time == request_cost(engine, {4096}).time);
  const double alone = request_cost(IoEngine::libaio, {0}).time.value;
  CHECK(request_cost(IoEngine::libaio, {0}, false, 4).time.value == approx(alone * (0.68 + 0.08)));
  CHECK(request_cost(IoEngine::io_uring, {0}, false, 64).time.value ==
        approx(request_cost(IoEngine::io_uring, {0}).time.value * (0.8 + 0.2 / 64)));
  const auto psync = [](const std::string& drive) {
    const std::string text =
        "title = \"t\"\n[system]\ntitle = \"s\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
        "\"amd-epyc-7742\"\nmemory = \"16 GiB\"\n[[system.drive]]\nid = \"d\"\nat = \"cpu0\"\n"
        "model = \"" +
        drive +
        "\"\n[workload]\nkind = \"io\"\n[workload.io]\nengine = \"psync\"\n"
        "queue_depth = 1\nblock_size = \"4 KiB\"\n[data]\nat = \"d\"\n";
    const Result result = simulate(parse_scenario(text, "t.toml", own_catalog()));
    for (const auto& resource : result.resources)
      if (std::string_view(resource.id) == "submitting cores") return resource.capacity;
    return 0.0;
  };
  CHECK(psync("aws-ebs-gp2-1tb") == doctest::Approx(4096 / 21.16e-6).epsilon(0.01));
  CHECK(psync("samsung-980-pro-2tb") == doctest::Approx(4096 / 3.16e-6).epsilon(0.01));
}

TEST_CASE("SPDK reaches on a core what was measured, until the drives bind") {
  CHECK(iops("spdk", "4 KiB", 1, 2048) == doctest::Approx(12.62e6).epsilon(0.02));
  CHECK(iops("spdk", "4 KiB", 2, 2048) > 1.6 * iops("spdk", "4 KiB", 1, 2048));
  CHECK(iops("spdk", "4 KiB", 2, 2048) <= 24e6);
  CHECK(iops("spdk", "512 B", 1, 2048) == doctest::Approx(13.85e6).epsilon(0.02));
  CHECK(iops("spdk", "512 B", 8, 2048) == doctest::Approx(80e6).epsilon(0.06));
}

TEST_CASE("one job by the kernel reaches one request per time of its engine and pages") {
  constexpr double kPage = 42e-6 / 256;
  for (const auto& one : {std::pair("libaio", 6.9e-6), std::pair("io_uring", 5.8e-6)})
    for (const int jobs : {1, 4}) {
      const char* const engine = one.first;
      const double own = one.second;
      CAPTURE(engine);
      CHECK(iops(engine, "4 KiB", jobs, 1024) ==
            doctest::Approx(jobs / (own + kPage)).epsilon(0.01));
      CHECK(iops(engine, "64 KiB", jobs, 1024) ==
            doctest::Approx(jobs / (own + 16 * kPage)).epsilon(0.01));
    }
  CHECK(iops("io_uring-polled", "4 KiB", 1, 2048) == doctest::Approx(10e6).epsilon(0.01));
}

TEST_CASE("where cores bind, they are named") {
  const Result result = result_of("libaio", "4 KiB", 1, 1024);
  CHECK(result.bottleneck.resource ==
        Limiter(fact<LimiterCode::parts>(std::vector{Label("submitting cores")})));
  CHECK(result.workload.find("--ioengine=libaio") != std::string::npos);
}

TEST_CASE("psync waits for each request: several under way are refused") {
  CHECK(refusal_of([] {
          result_of("psync", "4 KiB", 1, 8);
        }).find("workload.io.queue_depth is 8, but with psync a job waits") != std::string::npos);
  CHECK(iops("psync", "4 KiB", 16, 1) > 0);
}

TEST_CASE("a batch is of requests under way, and handed over by a call") {
  const auto refused = [](const std::string& keys, const char* why) {
    CAPTURE(keys);
    const std::string text = refusal_of(
        [&] { simulate(parse_scenario(sixteen_drives(keys), "t.toml", own_catalog())); });
    CAPTURE(text);
    CHECK(text.find(why) != std::string::npos);
  };
  refused("queue_depth = 8\nbatch = 9\n",
          "batch is 9, more than the requests under way, workload.io.queue_depth = 8");
  refused("engine = \"psync\"\nbatch = 2\n", "has no effect but with libaio and io_uring");
  refused("engine = \"spdk\"\nqueue_depth = 8\nbatch = 2\n",
          "has no effect but with libaio and io_uring");
  refused("queue_depth = 8\nbatch = 2\ndirect = false\n", "has no effect through the page cache");
}
