// SPDX-License-Identifier: Apache-2.0
// Keys without effect on a kind of workload are refused there.
#include <doctest/doctest.h>

#include "sim/load/idle_keys.h"
#include "sim/model/taken.h"
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;

namespace {

const std::string kEmulated =
    "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"emulated\"\n"
    "job = \"mlperf-resnet50-h100\"\n";

}  // namespace

TEST_CASE("sections and keys without effect on a kind are refused, with the kinds that take them") {
  check_refused({
      {"a section", kEmulated + "[exchange]\nmode = \"asynchronous\"\n",
       "bad.toml:5:1: error: exchange: no effect on a workload of kind \"emulated\", only on kind "
       "\"training\", \"collective\"; leave it out\n"},
      {"a key of a section", kEmulated + "[loader]\npinned_memory = false\nworkers_per_gpu = 2\n",
       "bad.toml:6:17: error: loader.pinned_memory: no effect on a workload of kind \"emulated\", "
       "only on kind \"training\", \"inference\"; leave it out\n"},
      {"a split of nothing", kEmulated + "[parallel]\ntensor = 2\n",
       "bad.toml:5:1: error: parallel: no effect on a workload of kind \"emulated\", only on kind "
       "\"training\"; leave it out\n"},
  });
  CHECK(error_of("system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"transfers\"\n"
                 "tests = [\"host_to_device\"]\n",
                 {"run.precision=1 %"}) ==
        "--set run.precision=1 %: error: run.precision: no effect on a workload of kind "
        "\"transfers\", only on kind \"training\", \"emulated\", \"loader\"; leave it out\n");
  // A key that no kind has is unknown, and nothing else.
  CHECK(error_of(kEmulated + "[loader]\npined_memory = false\n").find("no effect") ==
        std::string::npos);
}

TEST_CASE("what kinds take") {
  CHECK(kinds_that_take("checkpoint") == Names{"training"});
  CHECK(kinds_that_take("run", "seed").size() == std::variant_size_v<WorkloadKinds>);
  CHECK(kinds_that_take("loader", "cache") == Names{"training", "emulated", "loader", "io"});
  CHECK(kinds_that_take("loader", "style") == Names{"training", "emulated", "loader"});
  CHECK(is_section("loader"));
  CHECK_FALSE(is_section("title"));
  CHECK_FALSE(is_section("workload"));
}
