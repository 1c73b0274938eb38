// SPDX-License-Identifier: Apache-2.0
// What a goal's answer says of its chances, against a model of its own: the slowest of a few
// stages by hand, draws of what is estimated of each, and of the error of such predictions.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "reports/study/recommend.h"
#include "sim/load/study/goal.h"
#include "sim/model/fields/discrepancy.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// A rate by hand, and the deviation of its logarithm by what it is made of.
struct Stage {
  double rate, deviation;
};

/// Draws of what would be measured of a job over what is predicted: its slowest stage, as far off
/// as what that is made of may be, and as predictions of this mechanism were; nothing by more than
/// a factor of five in eight of ten cases.
class StageModel {
 public:
  StageModel(std::vector<Stage> stages, Mechanism mechanism)
      : stages_(std::move(stages)), slowest_(std::ranges::min(stages_, {}, &Stage::rate)) {
    const Scenario any = parse_scenario(
        "title = 't'\nsystem = 'nvidia-dgx1-p100'\n[workload]\nmodel = 'alexnet'\ndataset = "
        "'imagenet-1k'\nprecision = 'fp32'\nbatch_per_gpu = 128\n",
        "any.toml", own_catalog());
    law_ = *any.discrepancies.at(mechanism);
  }

  double rate() const { return slowest_.rate; }

  /// Every second one is the mirror of the one before, which spares most of the draws' own noise.
  double draw() {
    constexpr double kTenth = 1.533;  // of Student's t with four degrees, from a table
    mirrored_ = !mirrored_;
    if (!mirrored_) {
      for (double& one : drawn_) one = normal_(random_);
      squares_ = 0;
      for (int i = 0; i < 4; ++i) squares_ += std::pow(normal_(random_), 2);
    }
    const double sign = mirrored_ ? -1 : 1;
    double slowest = INFINITY;
    for (std::size_t i = 0; i < stages_.size(); ++i)
      slowest = std::min(slowest,
                         std::log(stages_[i].rate) + stages_[i].deviation * sign * drawn_[i + 1]);
    const double off = law_.parameters * (slowest - std::log(slowest_.rate)) +
                       law_.deviation * sign * drawn_[0] / std::sqrt(squares_ / 4);
    const double scale = std::hypot(law_.parameters * slowest_.deviation, law_.deviation);
    const double end = (off < 0 ? law_.lower : law_.upper) * scale;
    return std::exp(off / scale * std::min(end, std::log(5)) / kTenth);
  }

 private:
  std::vector<Stage> stages_;
  Stage slowest_;
  Discrepancy law_;
  std::mt19937_64 random_{11};
  std::normal_distribution<double> normal_;
  std::array<double, 3> drawn_{};
  double squares_ = 0;
  bool mirrored_ = true;
};

const std::string kPhotographs =
    "system = 'nvidia-dgx1-p100'\n[loader]\nworkers_per_gpu = 4\n[workload]\nmodel = 'alexnet'\n"
    "batch_per_gpu = 64\nsamples = 1000000\n"
    "compute = [{ gpu = 'nvidia-p100-sxm2-16gb', precision = 'fp32', batch = 64, rate = '2000 /s', "
    "source = 's', basis = 'measured' }]\n"
    "[workload.dataset]\ntitle = 'mine'\nsamples = 1000000\nsource = 's'\nbasis = 'measured'\n"
    "sample_size = '20 kB'\n"
    "decode_time = { value = '10 ms', source = 'a guess', basis = 'estimate' }\n";

/// Language on a machine that decodes nothing.
std::string sentences(const std::string& basis) {
  return "system = 'nvidia-dgx-h100'\n[workload]\nmodel = 'bert-large'\ndataset = 'mlperf-bert'\n"
         "precision = 'fp16'\nbatch_per_gpu = 48\nsamples = 2000000\ncompute = [{ gpu = "
         "'nvidia-h100-sxm5-80gb', precision = 'fp16', batch = 48, rate = '400 /s', source = 's', "
         "basis = '" +
         basis + "' }]\n[loader]\ndecode = 'none'\n";
}

/// Volumes of a hundred megabytes on drives of 500 MB/s.
const std::string kVolumes =
    "[system]\nchassis = 'supermicro-as-2125hs-tnr'\ncpu = '2 x amd-epyc-9354'\nmemory = '384 GB'\n"
    "gpu = '2 x nvidia-a10'\ndrives = '4 x micron-5300-pro-3.84tb'\n"
    "[workload]\nmodel = 'unet3d'\nprecision = 'fp16'\nbatch_per_gpu = 4\nsamples = 40000\n"
    "compute = [{ gpu = 'nvidia-a10', precision = 'fp16', batch = 4, rate = '200 /s', source = "
    "'s', "
    "basis = 'measured' }]\n"
    "[workload.dataset]\ntitle = 'mine'\nsamples = 40000\nsource = 's'\nbasis = 'measured'\n"
    "sample_size = '100 MB'\n[loader]\ndecode = 'none'\n[data]\nmode = 'direct'\n";

/// Of the fastest of three choices. \param constraints  in TOML
Choice answer(const std::string& scenario, const std::string& axis,
              const std::vector<std::string>& constraints) {
  const TemporaryFolder folder;
  folder.write("a.toml", "title = 't'\n" + scenario);
  const auto goal = folder.write(
      "goal.toml", fmt::format("scenario = 'a.toml'\nmaximize = 'job_samples_per_s'\nconstraint = "
                               "[{}]\naxis = [{}]\n",
                               fmt::join(constraints, ", "), axis));
  const Recommendation found =
      recommend(choices_of(load_goal(goal, own_catalog()), own_catalog(), {}, "1"), {.jobs = 2});
  REQUIRE(found.chosen.size() == 1);
  return found.chosen.front();
}

constexpr int kDraws = 2000;

void check(double chance, int holding) {
  CHECK(std::abs(chance - static_cast<double>(holding) / kDraws) <= 0.03);
}

/// \param shares  of the predicted rate that constraints ask for; the second one by its time
void compare_with(StageModel model, const std::string& scenario, const std::string& axis,
                  const std::vector<double>& shares) {
  const Choice free = answer(scenario, axis, {});
  CHECK(free.job_samples_per_s == doctest::Approx(model.rate()).epsilon(0.11));
  std::vector<std::string> constraints{
      fmt::format("'job_samples_per_s >= {:.17g}'", shares[0] * free.job_samples_per_s)};
  if (shares.size() > 1)
    constraints.push_back(
        fmt::format("'time_to_result_s <= {:.17g}'", free.time_to_result_s / shares[1]));
  const Choice choice = answer(scenario, axis, constraints);
  std::vector<int> holding(shares.size(), 0);
  int all = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double rate = model.draw();
    for (std::size_t which = 0; which < shares.size(); ++which)
      holding[which] += rate >= shares[which] ? 1 : 0;
    all += rate >= std::ranges::max(shares) ? 1 : 0;
  }
  REQUIRE(choice.chance);
  check(*choice.chance, all);
  REQUIRE(choice.chances.size() == shares.size());
  for (std::size_t which = 0; which < shares.size(); ++which) {
    CAPTURE(choice.chances[which].constraint);
    check(choice.chances[which].chance, holding[which]);
  }
}

constexpr double kTime = 0.25, kRate = 0.20, kCompute = 0.16;  ///< of estimates
constexpr double kMeasured = 0.01;                             ///< of a measured training rate

}  // namespace

TEST_CASE("chances of a goal where loaders bind are those of draws of its stages") {
  // 32 workers of 8 ms each; eight GPUs would take 16,000.
  for (const double share : {0.6, 0.85, 0.97})
    compare_with(StageModel({{32 / 0.008, kTime}, {16000, kMeasured}}, Mechanism::cores_bind),
                 kPhotographs,
                 "{ name = 'decode', path = 'workload.dataset.decode_time', values = ['12 ms', '10 "
                 "ms', '8 ms'] }",
                 {share});
}

TEST_CASE("and so are they where GPUs are not much faster than loaders") {
  for (const double share : {0.6, 0.9})
    compare_with(StageModel({{32 / 0.0025, kTime}, {16000, kMeasured}}, Mechanism::cores_bind),
                 kPhotographs,
                 "{ name = 'decode', path = 'workload.dataset.decode_time', values = ['4 ms', '3 "
                 "ms', '2.5 ms'] }",
                 {share});
}

TEST_CASE("where drives bind, of a rate and a time together") {
  compare_with(StageModel({{4 * 5.4, kRate}, {400, kMeasured}}, Mechanism::storage_binds), kVolumes,
               "{ name = 'drives', path = 'system.drives', values = ['2 x micron-5300-pro-3.84tb', "
               "'3 x micron-5300-pro-3.84tb', '4 x micron-5300-pro-3.84tb'] }",
               {0.8, 0.5});
}

TEST_CASE("where GPUs compute all the time, at a rate that was measured or guessed") {
  for (const auto& [basis, deviation] : {std::pair{"measured", kMeasured}, {"estimate", kCompute}})
    for (const double share : {0.8, 0.95})
      compare_with(StageModel({{3200, deviation}}, Mechanism::rate_on_one_node), sentences(basis),
                   "{ name = 'workers', path = 'loader.workers_per_gpu', values = [2, 4, 8] }",
                   {share, 0.7});
}
