// SPDX-License-Identifier: Apache-2.0
// The published figures that example 01 tells about: Pure Storage, Keep Those GPUs Busy (2017).
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/evidence.h"

using namespace gpufeed;

namespace {

Result result_of(const std::string& scenario) {
  const std::string source = GPUFEED_SOURCE_DIR;
  return simulate(
      load_scenario(source + "/examples/01_local_or_shared/" + scenario, own_catalog()));
}

constexpr double kHour = 3600;
constexpr double kTwoPercent = 0.02;

}  // namespace

TEST_CASE("ten million images take 1.8 h from local drives and from the store") {
  const Result local = result_of("scenario.toml");
  const Result shared = result_of("scenario_shared.toml");
  CHECK(local.training_s / kHour == approx(1.8).epsilon(kTwoPercent));
  CHECK(shared.training_s / kHour == approx(1.8).epsilon(kTwoPercent));
  CHECK(local.staging_s / kHour == approx(0.9).epsilon(kTwoPercent));
  CHECK(local.time_to_result_s / kHour == approx(2.7).epsilon(kTwoPercent));
  CHECK(1 - shared.time_to_result_s / local.time_to_result_s == approx(0.33).epsilon(kTwoPercent));
  CHECK(local.time_to_first_result_s / kHour == approx(0.9).epsilon(kTwoPercent));
  CHECK(shared.time_to_first_result_s < 2);
}

TEST_CASE("each of the five networks trains at its published rate; only AlexNet nears the drives") {
  struct Published {
    std::string network;
    double images_per_s;
  };
  const Published published[] = {{"alexnet", 9968},
                                 {"vgg_16", 1093},
                                 {"inception_v3", 1052},
                                 {"resnet_50", 1542},
                                 {"resnet_152", 673}};
  for (const auto& row : published) {
    CAPTURE(row.network);
    const Result result = result_of("models/" + row.network + ".toml");
    CHECK(result.throughput_samples_per_s == approx(row.images_per_s).epsilon(kTwoPercent));
    const double load = result.throughput_samples_per_s / result.stages[0].capacity_samples_per_s;
    const Evidence* const close = shown(result, EvidenceCode::close_to_limit);
    const bool named = close && close->of == stage_of(result, LimiterCode::drives)->limit;
    if (row.network == "alexnet") {
      CHECK(load >= 0.85);
      CHECK(named);
    } else {
      CHECK(load < 0.2);
      CHECK_FALSE(named);
    }
  }
}
