// SPDX-License-Identifier: Apache-2.0
// What sharing parameters and computing activations again cost.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/evidence.h"

using namespace gpufeed;

namespace {

/// GPT-2 on eight A100, and what a test adds.
Scenario job(const std::string& workload, const std::string& tables) {
  return parse_scenario(
      "title = \"t\"\nsystem = \"aws-p4de.24xlarge\"\nrun = { max_steps = 60 }\n[workload]\n"
      "model = \"gpt-2-medium\"\nprecision = \"bf16\"\noptimizer = \"adam\"\nbatch_per_gpu = 4\n"
      "dataset = { title = \"d\", samples = 1000000, sample_size = \"4 kB\" }\n" +
          workload + "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n" + tables,
      "test.toml", own_catalog());
}

Bytes sent(const std::string& tables) { return Bytes{simulate(job("", tables)).exchange->sent_B}; }

}  // namespace

TEST_CASE("shared parameters pass the ring three times, whatever less is shared twice") {
  const double whole = sent("[exchange]\nalgorithm = \"ring\"\n").value;
  const auto sharded = [](const std::string& what) {
    return sent("[exchange]\nalgorithm = \"ring\"\n[parallel]\nshard = \"" + what + "\"\n").value;
  };
  CHECK(sharded("optimizer") == approx(whole));
  CHECK(sharded("gradients") == approx(whole));
  CHECK(sharded("parameters") == approx(1.5 * whole));
}

TEST_CASE("a step that computes its activations again takes a third longer") {
  const auto step = [](const std::string& workload) {
    return make_plan(job(workload, "")).gpus.front().compute;
  };
  CHECK(step("recompute = true\n").value == approx(step("").value * 4 / 3));
}

TEST_CASE("tokens a second are those of every sample") {
  const Result result = simulate(job("", ""));
  REQUIRE(result.tokens_per_s.has_value());
  CHECK(*result.tokens_per_s == approx(1024 * result.throughput_samples_per_s));
}

TEST_CASE("waiting for other stages of a pipeline is told apart from waiting for slower GPUs") {
  const auto split = [](const std::string& workload) {
    return simulate(job(workload, "[parallel]\npipeline = 2\nmicro_batches = 4\n"));
  };
  // Of two stages each waits for one of five parts of a batch.
  CHECK(shown(split("gpus = 2\n"), EvidenceCode::wait_for_stages));
  const Result uneven = split("step_jitter = \"10 %\"\n");
  const Evidence* const stages = shown(uneven, EvidenceCode::wait_for_stages);
  REQUIRE(stages);
  CHECK(std::get<double>(stages->shows.arguments.at(0)) > 0.1);
  CHECK(shown(uneven, EvidenceCode::wait_for_stragglers));
}
