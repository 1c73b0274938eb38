// SPDX-License-Identifier: Apache-2.0
// Programs read what is wrong by its code: the usual mistakes in each kind of file have one.
#include <doctest/doctest.h>

#include <functional>

#include "sim/import/dlio.h"
#include "sim/load/load.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/observed.h"
#include "sim/load/study/sweep.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "sim/model/study/goal.h"
#include "sim/model/study/observed.h"
#include "sim/model/study/sweep.h"
#include "sim/model/study/validation.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

using Code = ProblemCode;

/// The code of the first problem that `read` throws.
Code code_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    CAPTURE(error.what());
    REQUIRE(!error.problems().empty());
    for (const Problem& one : error.problems())
      CHECK_MESSAGE(one.code != Code::other, sentence(one));
    return error.problems().front().code;
  }
  FAIL("was accepted");
  return Code::other;
}

const std::string kScenario =
    "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\n"
    "dataset = \"imagenet-1k\"\n";

/// Of a scenario with these settings.
Code of(const std::vector<std::string>& settings) {
  return code_of([&] {
    std::vector<Override> overrides;
    for (const auto& one : settings) overrides.push_back(parse_override(one));
    parse_scenario(kScenario, "a.toml", own_catalog(), overrides);
  });
}

}  // namespace

TEST_CASE("mistakes in a scenario have the code of their class") {
  CHECK(of({"loader.workers=2"}) == Code::unknown_key);
  CHECK(of({"workload.model="}) == Code::missing_key);
  CHECK(of({"loader.workers_per_gpu=many"}) == Code::wrong_type);
  CHECK(of({"loader.workers_per_gpu=2000000"}) == Code::out_of_range);
  CHECK(of({"workload.model=resnet-5000"}) == Code::unknown_entry);
  CHECK(of({"data.at=nowhere"}) == Code::unknown_part);
  CHECK(of({"workload.gpus=9"}) == Code::too_large);
  CHECK(of({"workload.batch_per_gpu=1000000"}) == Code::too_large);
  CHECK(of({"workload.batch_per_gpu=8", "workload.global_batch=64"}) == Code::conflict);
  CHECK(of({"workload.samples=1000", "workload.epochs=2"}) == Code::conflict);
  CHECK(of({"data.path=gpudirect"}) == Code::conflict);
  CHECK(of({"workload.epochs=2", "exchange.first_bucket=1 MB"}) == Code::idle_key);
  CHECK(of({"loader.processes=2"}) == Code::idle_key);
  CHECK(of({"system.drive[ssd0].at=cpu7"}) == Code::unknown_part);
  CHECK(of({"system.gpu[gpu0].lanes=7"}) == Code::out_of_range);
  CHECK(of({"workload.global_batch=63"}) == Code::out_of_range);
  CHECK(of({"nodes"}) == Code::bad_path);
  CHECK(code_of([] { parse_scenario("system = ", "a.toml", own_catalog()); }) == Code::syntax);
  CHECK(code_of([] { load_scenario("/nowhere/a.toml", own_catalog()); }) == Code::unusable_file);
}

TEST_CASE("mistakes in files of studies have the code of their class") {
  const Catalog& catalog = own_catalog();
  const auto sweep = [&](const std::string& text) {
    return code_of([&] { parse_sweep("scenario = \"a.toml\"\n" + text, "s.toml", catalog); });
  };
  CHECK(sweep("") == Code::missing_key);
  CHECK(sweep("[[axis]]\npath = \"nodes\"\n") == Code::missing_key);
  CHECK(sweep("[[axis]]\npath = \"nodes\"\nvalues = [1]\n[[axis]]\npath = \"nodes\"\n"
              "values = [2]\n") == Code::conflict);
  CHECK(sweep("[[axis]]\npath = \"nodes\"\nvalue = 1\nvalues = [1]\n") == Code::unknown_key);
  CHECK(code_of([&] { parse_goal("scenario = \"a.toml\"\n", "g.toml", catalog); }) ==
        Code::missing_key);
  CHECK(code_of([&] { parse_observed("", "o.toml", catalog); }) == Code::missing_key);
  CHECK(code_of([&] {
          parse_observed("[gpu_utilization]\nvalue = \"120 %\"\n", "o.toml", catalog);
        }) == Code::out_of_range);
  CHECK(code_of([&] { parse_validation("", "v.toml", catalog); }) != Code::other);
  CHECK(code_of([] { parse_dlio("model: [", "d.yaml"); }) == Code::syntax);
}
