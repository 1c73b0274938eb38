// SPDX-License-Identifier: Apache-2.0
// Changes that what-if proposes: how sure each is, and that the GPUs' memory holds them.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "reports/study/compare_scenarios.h"
#include "reports/writers/decision_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/what_if.h"

using namespace gpufeed;

namespace {

/// Llama 3 70B on 32 H200, of whose parameters each GPU holds a part.
const std::string kSharded =
    "nodes = 4\nsystem = { chassis = 'nvidia-dgx-h200' }\n[workload]\nmodel = 'llama-3-70b'\n"
    "framework = 'pytorch'\ndataset = 'llama-3-corpus'\ndataset_samples = 1_000_000\nprecision = "
    "'bf16'\nbatch_per_gpu = 4\n"
    "optimizer = 'adam'\nrecompute = true\nsamples = 20_000\n[loader]\ndecode = "
    "'none'\n[parallel]\n"
    "shard = 'parameters'\n";

/// On the machines of a cloud, over TCP.
const std::string kOverTcp =
    "nodes = 2\nsystem = { chassis = 'supermicro-as-4125gs-tnrt', cpu = '2 x amd-epyc-9354', "
    "memory "
    "= '384 GB', gpu = '4 x nvidia-l40s', drives = '2 x kioxia-cm6-r-3.84tb', nics = '1 x "
    "nvidia-connectx-7-100g' }\nfabric = { transport = 'tcp' }\n[workload]\nmodel = 'vgg-16'\n"
    "framework = 'pytorch'\ndataset = 'imagenet-1k'\nprecision = 'fp16'\nbatch_per_gpu = 32\n"
    "samples = 200_000\n";

std::set<std::vector<std::string>> sets_of(const WhatIf& report) {
  std::set<std::vector<std::string>> all;
  for (const auto* rows : {&report.fitting, &report.rows, &report.altering, &report.savings})
    for (const WhatIfRow& row : *rows) all.insert(row.sets);
  for (const RejectedChange& one : report.rejected) all.insert(one.sets);
  return all;
}

}  // namespace

TEST_CASE(
    "no change is proposed that the GPUs' memory does not hold, and what makes a job fit is") {
  const WhatIf report = tried(Written(kSharded).with(), true);
  CHECK_FALSE(report.does_not_fit.empty());
  const RejectedChange* kept = rejected_with(report, "workload.recompute=false");
  REQUIRE(kept);
  CHECK(kept->verdict == Rejected::does_not_fit);
  CHECK(kept->cause.find("of a GPU's memory") != std::string::npos);
  CHECK(*kept->gain > 0.1);
  REQUIRE(with_set(report.fitting, "parallel.micro_batch=1"));
  const std::string text = to_text(report, {});
  CHECK(text.find("Does not fit") < text.find("With which it fits"));
  CHECK(text.find("With which it fits") < text.find("Faster, if it fitted"));

  const WhatIf fits = tried(Written(kSharded).with({"parallel.micro_batch=1"}), true);
  CHECK(fits.does_not_fit.empty());
  CHECK(fits.fitting.empty());
  for (const auto* rows : {&fits.rows, &fits.altering})
    for (const WhatIfRow& row : *rows) {
      CAPTURE(row.change);
      CHECK(row.why.find("of a GPU's memory, which has") == std::string::npos);
    }
}

TEST_CASE("kernels and overlaps of a split model that its software may have are proposed") {
  const WhatIf report =
      tried(Written(kSharded).with({"parallel.shard=optimizer", "parallel.tensor=8",
                                    "parallel.micro_batch=1", "workload.recompute=full"}),
            true);
  for (const char* set : {"parallel.sequence=true", "parallel.tensor_overlap=true",
                          "parallel.gradient_overlap=true", "workload.compile=true"}) {
    CAPTURE(set);
    CHECK((with_set(report, set) || with_set(report.fitting, set) || rejected_with(report, set)));
  }
  // Hooks are those of models that each GPU has whole.
  CHECK(sets_of(report).count({"exchange.hook=fp16_compress_hook"}) == 0);
  CHECK(sets_of(report).count({"exchange.dtype=bf16"}) == 1);
}

TEST_CASE("over TCP more sockets of a channel are proposed, and the smallest number that does") {
  const WhatIf report = tried(Written(kOverTcp).with(), true);
  CHECK((with_set(report, "exchange.sockets=4") || with_set(report, "exchange.sockets=16")));
  const WhatIf many = tried(Written(kOverTcp).with({"exchange.sockets=16"}), true);
  CHECK_FALSE(has_subject(many, "sockets"));
  CHECK(sets_of(report).count({"exchange.hook=fp16_compress_hook"}) == 1);
}

TEST_CASE("what helps says how sure that is, as a comparison of the two does") {
  const Written scenario(kOverTcp);
  const WhatIf report = tried(scenario.with(), true);
  std::size_t told = 0;
  for (const auto* rows : {&report.rows, &report.altering})
    for (const WhatIfRow& row : *rows) {
      CAPTURE(row.change);
      REQUIRE(row.chance);
      CHECK(*row.chance > 0.5);
      CHECK(*row.chance < 1);
      std::vector<Scenario> pair{scenario.with().load(), scenario.with(row.sets).load()};
      std::vector<Result> results;
      for (Scenario& one : pair) {
        one.run.once();
        results.push_back(simulate(one));
      }
      const SideBySide both = compared_scenarios({"now", "changed"}, {&pair[0], &pair[1]}, results);
      REQUIRE(both.duels.size() == 1);
      CHECK(both.duels[0].faster == 1);
      CHECK(*row.chance == approx(*both.duels[0].probability_uncertain).epsilon(1e-9));
      ++told;
    }
  CHECK(told > 2);
  CHECK(to_text(report, {}).find("that a change is indeed faster") != std::string::npos);
}

TEST_CASE("no change is tried twice, be it bought for its speed or for its price") {
  const Written scenario(
      "system = { chassis = 'nvidia-dgx-h200' }\n[workload]\nmodel = 'resnet-50'\ndataset = "
      "'imagenet-200kb-10m'\nprecision = 'bf16'\nbatch_per_gpu = 256\nsamples = "
      "100_000\n[data]\nat "
      "= 'pfs'\n[store.pfs]\nmodel = 'vast-ebox-11-nodes'\nprotocol = 'nfs-rdma'\nvia = ['nic8', "
      "'nic9']\n");
  const WhatIf report = tried(scenario.with());
  CHECK(std::ssize(sets_of(report)) ==
        std::ssize(report.fitting) + std::ssize(report.rows) + std::ssize(report.altering) +
            std::ssize(report.savings) + std::ssize(report.rejected));
}
