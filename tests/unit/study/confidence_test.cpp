// SPDX-License-Identifier: Apache-2.0
// How sure recommendations and points of sweeps are, and what is surer.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/study/recommend.h"
#include "reports/study/sweep_plan.h"
#include "reports/writers/recommendation_text.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

const char* const kScenario =
    "title = \"t\"\nsystem = { chassis = \"supermicro-as-2125hs-tnr\", cpu = \"2 x "
    "amd-epyc-9124\", memory = \"384 GB\", gpu = \"2 x nvidia-a10\", drives = \"2 x "
    "micron-5300-pro-3.84tb\" }\n[workload]\nmodel = \"unet3d\"\ndataset = "
    "\"mlperf-unet3d\"\ndataset_samples = 6000\nprecision = \"fp16\"\nbatch_per_gpu = 4\n";
const char* const kAxes =
    "axis = [{ name = \"drives\", path = \"system.drives\", values = [\"1 x "
    "micron-5300-pro-3.84tb\", \"4 x micron-5300-pro-3.84tb\", \"12 x "
    "micron-5300-pro-3.84tb\"] }]\n";

struct Study {
  TemporaryFolder folder;

  Study() { folder.write("scenario.toml", kScenario); }

  Recommendation answer(const std::string& more, double least) const {
    const auto file = folder.write(
        "goal.toml", fmt::format("scenario = \"scenario.toml\"\nminimize = \"price_USD\"\n{}"
                                 "constraint = [\"throughput_samples_per_s >= {:.17g}\"]\n{}",
                                 more, least, kAxes));
    return recommend(choices_of(load_goal(file, own_catalog()), own_catalog(), {}, "1"), {});
  }
  /// What the cheapest choice is predicted to give.
  double predicted() const { return answer("", 1e-3).chosen.at(0).throughput_samples_per_s; }

  SweepRow first_point(double least, const std::string& run = "") const {
    folder.write("base.toml", kScenario + run);
    const auto file = folder.write(
        "sweep.toml",
        fmt::format("scenario = \"base.toml\"\nconstraint = [\"throughput_samples_per_s >= "
                    "{:.17g}\"]\n{}",
                    least, kAxes));
    return evaluate(plan_sweep(file, own_catalog(), {}, "1"), 0);
  }
};

}  // namespace

TEST_CASE("an answer says its chance, and a goal with a confidence asks for one") {
  const Study study;
  const Choice fewest = study.answer("", 1e-3).chosen.at(0);
  REQUIRE(fewest.chance);
  CHECK(*fewest.chance > 0.9);
  // a bound just below what is predicted is met as often as not
  const double near_it = study.predicted() * 0.9999;
  const Recommendation near = study.answer("", near_it);
  REQUIRE(near.chosen.size() == 1);
  REQUIRE(near.chosen[0].chance);
  CHECK(*near.chosen[0].chance == doctest::Approx(0.5).epsilon(0.01));
  REQUIRE(near.chosen[0].chances.size() == 1);
  CHECK(to_text(near).find("that what would be measured meets all constraints") !=
        std::string::npos);
  // with a confidence it takes more drives, which are more likely to do
  const Recommendation sure = study.answer("confidence = \"80 %\"\n", near_it);
  REQUIRE(sure.chosen.size() == 1);
  CHECK(*sure.chosen[0].chance >= 0.8);
  CHECK(*sure.chosen[0].price_USD > *near.chosen[0].price_USD);
  CHECK(study.answer("confidence = \"80 %\"\n", 1e9).chosen.empty());
}

TEST_CASE("beside an answer stand those that a goal with more confidence has") {
  const Study study;
  for (const double share : {0.9999, 0.8, 3.0}) {
    CAPTURE(share);
    const double least = study.predicted() * share;
    const Recommendation answer = study.answer("", least);
    REQUIRE(answer.chosen.size() == 1);
    std::size_t shown = 0;
    for (const double confidence : {0.8, 0.95}) {
      if (*answer.chosen[0].chance >= confidence) continue;
      CAPTURE(confidence);
      REQUIRE(answer.surer.size() > shown);
      const SurerChoice& surer = answer.surer[shown++];
      const Recommendation asked =
          study.answer(fmt::format("confidence = \"{} %\"\n", 100 * confidence), least);
      CHECK(surer.confidence == approx(confidence));
      CHECK(surer.all_seen);
      REQUIRE(surer.choice.size() == asked.chosen.size());
      if (!asked.chosen.empty()) CHECK(surer.choice[0].number == asked.chosen[0].number);
    }
    CHECK(answer.surer.size() == shown);
  }
}

TEST_CASE("where choices meet all as predicted, chance alone is in the way") {
  const Study study;
  const Recommendation most = study.answer("", 1e-3);
  REQUIRE(most.chosen.size() == 1);
  // just below what twelve drives give: met by them alone, as often as not
  double best = 0;
  for (double least = study.predicted(); !study.answer("", least).chosen.empty(); least *= 1.02)
    best = least;
  const Recommendation never = study.answer("confidence = \"99 %\"\n", best);
  CHECK(never.chosen.empty());
  REQUIRE(never.obstacles.size() == 1);
  CHECK(never.obstacles[0].constraint == "confidence = 99 %");
  CHECK(*never.obstacles[0].closest < 0.99);
  const std::string text = to_text(never);
  CHECK(text.find("choices meet all constraints as predicted, none with that") !=
        std::string::npos);
  CHECK(text.find("no choice meets it") == std::string::npos);
  // where nothing meets them, no chance is in the way
  for (const Obstacle& one : study.answer("confidence = \"99 %\"\n", 1e9).obstacles)
    CHECK(one.key != "chance");
}

TEST_CASE("a point of a sweep says how likely it meets the constraints") {
  const Study study;
  const double predicted = study.predicted();
  const SweepRow near = study.first_point(predicted * 0.9999);
  REQUIRE(near.chance);
  CHECK(near.meets);
  CHECK(*near.chance == doctest::Approx(0.5).epsilon(0.02));
  const SweepRow above = study.first_point(predicted * 1.01);
  CHECK_FALSE(above.meets);
  CHECK(*above.chance > 0.2);
  CHECK(*above.chance < *near.chance);
  CHECK_FALSE(study.first_point(predicted, "[run]\nrange_samples = 0\n").chance);
}

TEST_CASE("an answer says where what it gives lies, and how it is unlike what was measured") {
  const Study study;
  const Choice known = study.answer("", 1e-3).chosen.at(0);
  REQUIRE(known.prediction_intervals.size() == 2);
  const PredictionInterval& rate = known.prediction_intervals[0];
  CHECK(rate.of == "job_samples_per_s");
  CHECK(rate.p50 == approx(known.job_samples_per_s));
  const std::string text = to_text(study.answer("", 1e-3));
  CHECK(text.find("P10 to P90 (80 %)     ") != std::string::npos);
  CHECK(text.find("Extrapolation") == std::string::npos);
  // Whose rate is known at another batch alone.
  const Study other;
  other.folder.write(
      "scenario.toml",
      std::string(kScenario) +
          "compute = [{ gpu = \"nvidia-a10\", precision = \"fp16\", batch = 64, rate "
          "= \"30 /s\", source = \"s\", basis = \"measured\" }]\n");
  const Recommendation guess = other.answer("", 1e-3);
  REQUIRE(guess.chosen.size() == 1);
  REQUIRE(guess.chosen[0].extrapolations.size() == 1);
  CHECK(guess.chosen[0].extrapolations[0].find("at batch 4") != std::string::npos);
  CHECK(to_text(guess).find("Extrapolation         no rate of nvidia-a10") != std::string::npos);
}

TEST_CASE("of a front each says how sure it is faster than the one before it") {
  const Study study;
  const auto file = study.folder.write(
      "front.toml", std::string("scenario = \"scenario.toml\"\nfront = [\"price_USD\", "
                                "\"job_samples_per_s\"]\n") +
                        kAxes);
  const Recommendation front =
      recommend(choices_of(load_goal(file, own_catalog()), own_catalog(), {}, "1"), {});
  REQUIRE(front.chosen.size() > 1);
  CHECK_FALSE(front.chosen[0].chance_over_last);
  for (std::size_t i = 1; i < front.chosen.size(); ++i) {
    REQUIRE(front.chosen[i].chance_over_last);
    CHECK(*front.chosen[i].chance_over_last > 0.5);
    CHECK(*front.chosen[i].chance_over_last < 1);
  }
  CHECK(to_text(front).find("faster: how likely") != std::string::npos);
}
