// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "reports/writers/key_words.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "ui/model/decide/best_three.h"
#include "ui/model/decide/cost_curve.h"
#include "ui/model/decide/tick_form.h"
#include "ui/model/show/cards.h"
#include "ui/model/show/data_way.h"
#include "ui/model/show/gpu_places.h"
#include "ui/model/show/job_rows.h"
#include "ui/model/show/largest_loss.h"

namespace gpufeed::ui {
namespace {

Scenario example(const std::string& file) {
  return load_scenario(GPUFEED_SOURCE_DIR "/examples/" + file, own_catalog());
}

SweptPoint swept(double price, double busy, const char* without = "") {
  auto result = std::make_shared<Result>();
  result->price_USD = price;
  result->job_gpu_utilization = busy;
  result->without_price = without;
  SweptPoint point;
  point.state = SweptPoint::State::good;
  point.result = std::move(result);
  return point;
}

const Figure& busy() { return figures()[2]; }

}  // namespace

TEST_CASE("the front over dollars is what no cheaper point reaches; lacking prices are left out") {
  const CostCurve curve =
      cost_curve({swept(300, 0.9), swept(100, 0.5), swept(200, 0.4), swept(100, 0.3),
                  swept(250, 0.9), swept(50, 1, "a GPU"), SweptPoint{}},
                 busy());
  REQUIRE(std::string(busy().name) == "GPU utilization");
  CHECK(curve.without_price == 1);
  std::vector<std::size_t> front;
  for (const CostPoint& point : curve.points)
    if (point.on_front) front.push_back(point.point);
  CHECK(front == std::vector<std::size_t>{1, 4});
  std::vector<CostPoint> times{{100, 5, 0}, {200, 3, 1}, {300, 4, 2}};
  find_front(times, Better::low);
  CHECK(times[1].on_front);
  CHECK(!times[2].on_front);
}

TEST_CASE("samples pass the stations of the way at the job's rate, and each says its copies") {
  const Scenario scenario = example("01_local_or_shared/scenario.toml");
  const Result result = simulate(scenario);
  const auto way = data_way(result, scenario);
  REQUIRE(way.size() > 4);
  CHECK(way.front().rate_Bps ==
        doctest::Approx(result.throughput_samples_per_s *
                        scenario.workload.dataset()->sample_size.value *
                        (1 - (result.later_epochs_samples_per_s ? result.cache.hit_rate : 0))));
  CHECK(std::ranges::count_if(way, [](const WayStation& one) { return one.holds; }) == 1);
  for (const WayStation& one : way) CHECK(one.load <= 1.001);
  CHECK(copies_in_words(scenario).find("2 times") != std::string::npos);  // cache, decoded
  const Scenario direct = example("05_gpudirect_or_bounce/scenario_gpudirect.toml");
  CHECK(copies_in_words(direct).find("copies nothing") != std::string::npos);
  CHECK(data_way(simulate(example("11_pipeline_copies/scenario.toml")),
                 example("11_pipeline_copies/scenario.toml"))
            .empty());
}

TEST_CASE("a model's parts lie on neighbors: tensor first, then replicas, then stages") {
  const Scenario scenario = example("20_finetune_7b/scenario.toml");
  const GpuPlaces places = gpu_places(simulate(scenario), scenario);
  REQUIRE(places.gpus.size() == 16);
  CHECK(places.tensor == 2);
  CHECK(places.replicas == 8);
  CHECK(places.gpus[0].tensor == 0);
  CHECK(places.gpus[1].tensor == 1);
  CHECK(places.gpus[2].replica == 1);
  CHECK(places.gpus[8].node == 1);
  REQUIRE(places.groups.size() == 2);
  CHECK(places.groups[0] == "2 GPUs share every matrix (tensor), within a machine");
  CHECK(places.groups[1] ==
        "8 replicas, each with samples of its own (data), over several machines");
  CHECK(gpu_places(Result(), scenario).gpus.empty());
}

TEST_CASE("GPUs that wait for the data to be copied in lose that time, and the card says so") {
  const Result result = simulate(example("01_local_or_shared/scenario.toml"));
  REQUIRE(result.staging_s > 0);
  const Loss most = largest_loss(result);
  CHECK(most.words == "copying the data in before");
  CHECK(most.share == result.staging_s / result.time_to_result_s);
}

TEST_CASE("the time to the first step is a time, as the command line tells it") {
  const auto rows = job_rows(simulate(example("20_finetune_7b/scenario.toml")));
  const auto first = std::ranges::find(rows, "Time to first step", &JobRow::label);
  REQUIRE(first != rows.end());
  CHECK(first->words == "1.0 s");
}

TEST_CASE("keys and conditions have words; what is no key stays") {
  const auto words = [](std::string_view key) { return key_in_words(key); };
  CHECK(words("loader.workers_per_gpu") == "workers per GPU");
  CHECK(key_as_title("system.cpu") == "Processors");
  CHECK(words("checkpoint.interval_steps") == "checkpoint: interval steps");
  CHECK(words("store.flash.model") == "store flash: model");
  CHECK(words("number of ssd0-ssd3") == "number of ssd0-ssd3");
  CHECK(words("serving.tier[0].at") == "tier 1: at");
  CHECK(words("serving.replicas") == "replicas");
  CHECK(words("system.drive[ssd0].model") == "drive ssd0: model");
  CHECK(words("own[1].price") == "own number 2: price");
  CHECK(words("replace[0].with") == "part 1: with");
  CHECK(words("AMD EPYC 9.5") == "AMD EPYC 9.5");
  CHECK(words("epoch_s") == "epoch");
  CHECK(words("job_tokens_per_s") == "tokens/s");
  CHECK(figure_in_words("mean_turnaround_s", &units_of<Seconds>()) == "mean turnaround");
  CHECK(figure_in_words("jobs_per_s", nullptr) == "jobs per s");
  CHECK(value_in_words("parallel", "{ tensor = 4, shard = \"optimizer\" }") ==
        "GPUs that share a matrix 4, sharding optimizer");
  CHECK(value_in_words("system.gpu", "\"2 x nvidia-l4\"") == "2 x nvidia-l4");
  CHECK(products_by_title("2 x nvidia-l4", {{"nvidia-l4", "NVIDIA L4"}}) == "2 x NVIDIA L4");
  CHECK(condition_in_words("job_gpu_utilization >= 90 %") == "GPU utilization ≥ 90 %");
  CHECK(condition_in_words("price_USD <= 60000") == "Price ≤ 60,000 USD");
  CHECK(condition_in_words("power_W <= 10000") == "Power ≤ 10 kW");
  CHECK(condition_in_words("time_to_result_s <= 7200") == "Time to result ≤ 2.00 h");
  CHECK(condition_in_words("job_samples_per_s >= 12000") == "Samples/s ≥ 12,000");
  CHECK(condition_in_words("ttft_s.p95 <= 0.8") == "Time to first token: 95 % ≤ 800 ms");
  CHECK(condition_in_words("running_cost.per_hour_USD <= 1200") ==
        "Running cost: per hour ≤ 1,200 USD");
  // Energy goes with the time, but is none.
  CHECK(condition_in_words("running_cost.energy_per_epoch_kWh <= 7200") ==
        "Running cost: energy per epoch kWh ≤ 7200");
  CHECK(setting_in_words("system.gpu", "\"2 x nvidia-l4\"") == "GPUs 2 x nvidia-l4");
}

TEST_CASE("what may vary is listed once, a store by its name") {
  const std::string file = GPUFEED_SOURCE_DIR "/examples/01_local_or_shared/scenario.toml";
  const Scenario scenario = load_scenario(file, own_catalog());
  Result result = simulate(scenario);
  result.scenario = to_toml(scenario);
  std::set<std::string> paths, titles;
  for (const TickGroup& group : tick_groups(choosable({}, scenario, result))) {
    CHECK_MESSAGE(paths.insert(group.parameter.path).second, group.parameter.path);
    titles.insert(group.title);
  }
  CHECK(titles.contains("Store flashblade"));
}

TEST_CASE("what may vary is ticked; products that the machine cannot take are not offered") {
  const std::string file = GPUFEED_SOURCE_DIR "/examples/21_cheapest_machine/scenario.toml";
  const Scenario scenario = load_scenario(file, own_catalog());
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto requested = requested_machine_of(text, own_catalog());
  Result result = simulate(scenario);
  result.scenario = to_toml(scenario);
  auto groups = tick_groups(choosable(requested, scenario, result));
  REQUIRE(groups.size() > 8);
  CHECK(groups.front().title == "Chassis");
  CHECK(combinations(groups) == 1);
  CHECK(ticked_axes(groups).empty());
  const auto at = [&](const std::string& path) -> TickGroup& {
    const auto found = std::ranges::find(
        groups, path, [](const TickGroup& group) { return group.parameter.path; });
    REQUIRE(found != groups.end());
    return *found;
  };
  TickGroup& gpus = at("system.gpu");
  fill_with_products(gpus, text, file, choices_of(own_catalog(), "gpu"), own_catalog());
  CHECK(gpus.values.front().value == "nvidia-a10");
  REQUIRE(gpus.values.size() > 2);
  for (const Tick& gpu : gpus.values)
    CHECK_MESSAGE(gpu.value.find("sxm") == std::string::npos, gpu.value);  // no board for modules
  gpus.values[1].on = true;
  add_tick(at("loader.workers_per_gpu").values, "12", "12");
  for (Tick& memory : at("system.memory").values) memory.on = true;
  CHECK(at("system.memory").values.front().value == "192 GB");
  CHECK(combinations(groups) == 16);
  const auto axes = ticked_axes(groups);
  REQUIRE(axes.size() == 3);
  CHECK(axes.front().list == "2 x nvidia-a10, 2 x " + gpus.values[1].value);
  auto again = tick_groups(choosable(requested, scenario, result));
  keep_ticks(groups, again);
  CHECK(combinations(again) == 16);
}

TEST_CASE("three choices at most are the best, each once") {
  const auto choice = [](std::int64_t number, double price, double rate) {
    gpufeed::Choice one;
    one.number = number;
    one.price_USD = price;
    one.job_samples_per_s = rate;
    return one;
  };
  Recommendation answer, front;
  CHECK(best_three(answer, Aim::cheapest, front).empty());
  answer.chosen = {choice(3, 100, 10)};
  answer.surer = {{0.95, {choice(7, 150, 11)}, true}};
  front.chosen = {choice(3, 100, 10), choice(7, 150, 11), choice(8, 200, 15), choice(9, 300, 16)};
  const auto cheapest = best_three(answer, Aim::cheapest, front);
  REQUIRE(cheapest.size() == 3);
  CHECK(cheapest[1].heading == "Surer: 95.0 % and more");
  CHECK(cheapest[2].choice.number == 8);
  const auto of_front = best_three(front, Aim::front, {});
  REQUIRE(of_front.size() == 2);
  CHECK(of_front[1].heading == "The fastest");
}

}  // namespace gpufeed::ui
