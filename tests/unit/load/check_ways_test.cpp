// SPDX-License-Identifier: Apache-2.0
// `gpufeed check` refuses what `simulate` would, in the same words.
#include <fmt/format.h>

#include <filesystem>

#include "sim/check_ways.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/examples.h"
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;

namespace {

/// A box of three sockets in a row, which no network joins to others.
const std::string kRow =
    "[system]\ntitle = \"a box\"\n"
    "[[system.socket]]\nid = \"cpu0\"\nmodel = \"intel-xeon-e5-2698v4\"\nmemory = \"64 GiB\"\n"
    "[[system.socket]]\nid = \"cpu1\"\nmodel = \"intel-xeon-e5-2698v4\"\nmemory = \"64 GiB\"\n"
    "[[system.socket]]\nid = \"cpu2\"\nmodel = \"intel-xeon-e5-2698v4\"\nmemory = \"64 GiB\"\n"
    "[[system.socket_link]]\nbetween = [\"cpu0\", \"cpu1\"]\nlink = \"qpi-9.6\"\n"
    "[[system.socket_link]]\nbetween = [\"cpu1\", \"cpu2\"]\nlink = \"qpi-9.6\"\n"
    "[[system.gpu]]\nid = \"gpu0\"\nmodel = \"nvidia-p100-sxm2-16gb\"\nat = \"cpu0\"\n"
    "[[system.gpu]]\nid = \"gpu1\"\nmodel = \"nvidia-p100-sxm2-16gb\"\nat = \"cpu2\"\n"
    "[[system.drive]]\nid = \"ssd0\"\nmodel = \"samsung-pm893-3.84tb\"\nat = \"cpu2\"\n"
    "[[system.volume]]\nid = \"scratch\"\ndrives = [\"ssd0\"]\n";
const std::string kCard =
    "[[system.nic]]\nid = \"eth0\"\nmodel = \"mellanox-connectx-6-hdr-200g\"\nat = \"cpu1\"\n";
const std::string kDirect = "[data]\npath = \"gpudirect\"\n[loader]\ndecode = \"none\"\n";

/// The end of what is said of both; where it cannot even be loaded, that is an error of this test.
std::string said_by_both(const std::string& text) {
  Scenario scenario;
  REQUIRE(refusal_of([&] { scenario = parse_scenario(text, "job.toml", own_catalog()); }) ==
          "accepted");
  std::string said = refusal_of([&] { check_ways(scenario); });
  CHECK(refusal_of([&] { simulate(scenario); }) == said);
  return said;
}

}  // namespace

TEST_CASE("what is said of a job by the check, a simulation says") {
  const std::string short_run = "[run]\nmax_steps = 5\n";
  const std::string jobs[] = {
      kWorkload + short_run,
      kWorkload + kDirect + short_run,
      "[workload]\nkind = \"collective\"\nto = \"1 MB\"\n",
      "[workload]\nkind = \"transfers\"\ntests = [\"device_to_device\"]\n",
      "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n" + short_run,
      "[workload]\nkind = \"io\"\n[workload.io]\nblock_size = \"4 kB\"\n"};
  for (const std::string& job : jobs) {
    CAPTURE(job);
    said_by_both(fmt::format("title = \"t\"\n{}{}", job, kRow));
    said_by_both(fmt::format("title = \"t\"\n{}{}{}", job, kRow, kCard));
    if (job.find("\"transfers\"") != std::string::npos) continue;
    if (job.find("\"io\"") != std::string::npos) continue;
    said_by_both(fmt::format("title = \"t\"\nnodes = 2\n{}{}{}", job, kRow, kCard));
  }
}

TEST_CASE("nodes that no network joins are refused by both") {
  const std::string said =
      said_by_both("title = \"t\"\nnodes = 2\n[workload]\nkind = \"collective\"\n" + kRow);
  CHECK(said.find("there is no way from ") != std::string::npos);
}

TEST_CASE("a length that nobody can simulate step by step is refused by both") {
  const std::string said =
      said_by_both(kSystem + kWorkload + "epochs = 100000\n[run]\nextrapolate = false\n");
  CHECK(said.find("job.toml:6:1: error: run.extrapolate = false asks for ") == 0);
}

TEST_CASE("what a matrix product lacks is told when it is loaded") {
  const std::string job = "system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n";
  CHECK(error_of(job + "product = []\n") ==
        "bad.toml:2:1: error: workload.product is missing; name a shape: [[workload.product]] with "
        "m, n, k\n");
}

TEST_CASE("the examples have all their ways") {
  namespace fs = std::filesystem;
  std::size_t seen = 0;
  for (const auto& file : fs::recursive_directory_iterator(GPUFEED_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".toml" || example_file(file.path()) != ExampleFile::scenario)
      continue;
    CAPTURE(file.path().string());
    Scenario scenario;
    if (refusal_of([&] { scenario = load_scenario(file.path(), own_catalog()); }) != "accepted")
      continue;  // a part of one, or of a catalog
    ++seen;
    CHECK(refusal_of([&] { check_ways(scenario); }) == "accepted");
  }
  CHECK(seen > 20);
}
