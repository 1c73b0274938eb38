// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/decoder_now.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "calib/probes/decode_probe.h"
#include "calib/replay/as_replayed.h"
#include "calib/replay/replay_plan.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

Scenario decoding(Basis basis) {
  Scenario scenario = parse_scenario(
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
      "\"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[workload]\nkind = \"emulated\"\njob = "
      "\"mlperf-resnet50-h100\"\n[data]\nat = \"ssd0\"\n",
      "one.toml", own_catalog());
  DecodeCost cost;
  cost.per_sample = {2e-3};
  cost.basis = basis;
  auto decoder = std::make_shared<Decoder>();
  decoder->cost = {cost};
  Dataset dataset = *scenario.workload.dataset();
  dataset.decoder = Ref<Decoder>{};
  dataset.decoder->entry = std::move(decoder);
  dataset.decode_time.reset();
  scenario.workload.dataset().entry = std::make_shared<Dataset>(std::move(dataset));
  return scenario;
}

ReplayPlan of_pictures(const std::filesystem::path& folder) {
  ReplayPlan plan;
  plan.folder = folder;
  plan.codec = ProbedCodec::png;
  plan.file_size = {1000};
  plan.width = 20;
  plan.height = 15;
  return plan;
}

}  // namespace

TEST_CASE("a calibrated decoder is measured again, and predicted with") {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary / "set";
  std::filesystem::create_directory(folder);
  const ReplayPlan plan = of_pictures(folder);
  const Scenario scenario = decoding(Basis::calibrated);
  CHECK(written_to_decode(scenario, plan).value == 4000);
  const auto found = decoder_now(scenario, plan);
  REQUIRE(found);
  CHECK(found->of_sample.value > 1e-7);
  CHECK(found->of_sample.value < 1e-2);
  CHECK(std::filesystem::is_empty(folder));
  const Scenario then = with_decoder(scenario, *found);
  CHECK(then.workload.dataset()->decode_time->value == found->of_sample.value);
  CHECK(then.workload.dataset()->provenance_of("decode_time").basis == Basis::calibrated);
  CHECK_FALSE(scenario.workload.dataset()->decode_time);
}

TEST_CASE("a decoder of a data sheet stays, and so do stated times, bytes, and cores that share") {
  const TemporaryFolder folder;
  ReplayPlan plan = of_pictures(folder / "set");
  const auto left_alone = [&](const Scenario& scenario) {
    return written_to_decode(scenario, plan).value == 0 && !decoder_now(scenario, plan);
  };
  CHECK(left_alone(decoding(Basis::estimate)));
  CHECK(left_alone(with_decoder(decoding(Basis::calibrated), {{1e-3}})));
  plan.workers = 17;  // of 16 cores
  CHECK(left_alone(decoding(Basis::calibrated)));
  plan.workers = 1;
  plan.codec.reset();
  CHECK(left_alone(decoding(Basis::calibrated)));
}

TEST_CASE("the slowest worker takes as long as all do in the mean, or longer") {
  const TemporaryFolder folder;
  DecodeTest test;
  test.codec = ProbedCodec::png;
  test.width = 40;
  test.height = 30;
  test.workers = 3;
  test.batch = 4;
  test.each = {0.05};
  std::filesystem::create_directory(folder / "samples");
  const DecodePoint point = measure_decoding(test, folder / "samples");
  CHECK(point.samples % 12 == 0);  // as many batches of each worker
  CHECK(point.of_sample_slowest >= (point.of_sample - point.of_sample_read) * 0.999999);
  test.workers = 1;
  const DecodePoint alone = measure_decoding(test, folder / "samples");
  CHECK(alone.of_sample_slowest.value ==
        doctest::Approx((alone.of_sample - alone.of_sample_read).value));
}
