// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/sweeper.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "ui/model/build/words.h"
#include "ui/model/decide/chart.h"
#include "ui/model/work/session.h"

namespace gpufeed::ui {
namespace {

const std::string kSweepExample = GPUFEED_SOURCE_DIR "/examples/13_sweep_on_slurm/scenario.toml";

/// The example, open and answered.
struct Opened {
  Session session{own_catalog()};
  std::vector<Parameter> parameters;

  Opened() {
    session.open(kSweepExample);
    session.finish();
    parameters = parameters_of(*session.scenario(), *session.result());
  }
  const Parameter& parameter(const std::string& path) const {
    const auto found = std::ranges::find(parameters, path, &Parameter::path);
    REQUIRE(found != parameters.end());
    return *found;
  }
  SweepAxis axis(const std::string& path, const std::string& list) const {
    AxisForm form;
    form.parameter = parameter(path);
    form.list = list;
    return axis_of(form, own_catalog());
  }
  SweepJob job(std::vector<SweepAxis> axes) const {
    return {session.text(), session.file().string(), std::move(axes)};
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("parameters are the keys that have an effect, and the parts' products and numbers") {
  const Opened opened;
  CHECK(opened.parameter("loader.workers_per_gpu").now == "8");
  CHECK(opened.parameter("workload.batch_per_gpu").now == "64");
  CHECK(opened.parameter("number of ssd0-ssd3").now == "4");
  CHECK(opened.parameter("product of gpu0-gpu7").parts.kind == "gpu");
  const auto has = [&](const std::string& path) {
    return std::ranges::count(opened.parameters, path, &Parameter::path) > 0;
  };
  CHECK(has("nodes"));
  CHECK(has("run.seed"));
  CHECK(!has("title"));
  CHECK(!has("workload"));
  CHECK(!has("workload.io.block_size"));  // of another kind of work
  CHECK(found_in(opened.parameters, "WORKERS gpu").front()->path == "loader.workers_per_gpu");
}

TEST_CASE("values are a list without quotes or a range; what is wrong is said") {
  const Opened opened;
  CHECK(opened.axis("loader.workers_per_gpu", " 1,2 ,4").values == Texts{"1", "2", "4"});
  CHECK(opened.axis("loader.style", "pytorch, tensorflow").values ==
        Texts{"\"pytorch\"", "\"tensorflow\""});
  CHECK(opened.axis("loader.jitter", "5 %, \"10 %\"").values == Texts{"\"5 %\"", "\"10 %\""});
  CHECK(opened.axis("loader.drop_last", "true, false").values == Texts{"true", "false"});
  AxisForm form;
  form.parameter = opened.parameter("workload.batch_per_gpu");
  form.range = true;
  form.from = "16";
  form.to = "256";
  form.geometric = true;
  CHECK(axis_of(form, own_catalog()).values == Texts{"16", "32", "64", "128", "256"});
  form.to = "256 kB";
  CHECK(refusal_of([&] { axis_of(form, own_catalog()); }) ==
        "the sweep: error: the range of workload.batch_per_gpu: from and to must be two "
        "whole numbers, or two numbers with the same unit\n");
  form.count = "many";
  CHECK(refusal_of([&] { axis_of(form, own_catalog()); }) ==
        "the sweep: error: how many values: \"many\" is no whole number from 2 to 1000\n");
  form.range = false;
  CHECK(refusal_of([&] { axis_of(form, own_catalog()); }) ==
        "the sweep: error: workload.batch_per_gpu: give at least one value\n");
}

TEST_CASE("a form suggests values around the present one, and all where there are few") {
  const Opened opened;
  const auto list = [&](const char* path) { return suggested_form(opened.parameter(path)).list; };
  CHECK(list("loader.workers_per_gpu") == "2, 4, 8, 16, 32");
  CHECK(list("loader.jitter") == "1.25 %, 2.5 %, 5 %, 10 %, 20 %");
  CHECK(list("loader.style") == "pytorch, tensorflow");
  CHECK(list("loader.drop_last") == "false, true");
  CHECK(list("number of ssd0-ssd3") == "1, 2, 4, 8, 16");
}

TEST_CASE("a point of a sweep is what the session answers once it is loaded; undo leads back") {
  Opened opened;
  Sweeper sweeper(own_catalog());
  sweeper.start(opened.job({opened.axis("loader.workers_per_gpu", "1, 2"),
                            opened.axis("number of ssd0-ssd3", "3, 4, 100000")}));
  CHECK(sweeper.running());
  sweeper.finish();
  CHECK(!sweeper.running());
  CHECK(!sweeper.canceled());
  REQUIRE(sweeper.points().size() == 6);
  CHECK(sweeper.finished() == 6);
  CHECK(sweeper.job().at(4) == std::vector<std::size_t>{1, 1});
  for (const std::size_t wrong : {2U, 5U}) {
    CHECK(sweeper.points()[wrong].state == SweptPoint::State::failed);
    CHECK(!sweeper.points()[wrong].problems.empty());
  }
  const std::string before = opened.session.text();
  opened.session.change_to(sweeper.job().text_at(3));
  opened.session.finish();
  REQUIRE(opened.session.standing() == Standing::current);
  CHECK(opened.session.answered()->loader.workers_per_gpu == 2);
  CHECK(opened.session.result()->throughput_samples_per_s ==
        sweeper.points()[3].result->throughput_samples_per_s);
  CHECK_FALSE(sweeper.is_old(opened.session.text()));  // one of its points
  CHECK_FALSE(sweeper.is_old(before));
  CHECK(sweeper.is_old(before + "\n[[own]]\nproduct = \"nvidia-l40s\"\nkey = \"price\"\n"
                                "value = \"6900 USD\"\n"));
  opened.session.undo();
  CHECK(opened.session.text() == before);
}

TEST_CASE("a sweep is canceled, keeps what is finished, and begins again") {
  Opened opened;
  Sweeper sweeper(own_catalog());
  const auto job = opened.job({opened.axis("run.seed", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10")});
  sweeper.start(job);
  sweeper.cancel();
  CHECK(!sweeper.running());
  CHECK(sweeper.canceled());
  CHECK(sweeper.finished() < 10);
  const auto good = [&] {
    return static_cast<std::size_t>(
        std::ranges::count(sweeper.points(), SweptPoint::State::good, &SweptPoint::state));
  };
  CHECK(good() == sweeper.finished());
  sweeper.start(job);
  sweeper.finish();
  CHECK(!sweeper.canceled());
  CHECK(good() == 10);
  sweeper.cancel();  // nothing runs
  CHECK(!sweeper.canceled());
}

TEST_CASE("a value that the text cannot take is refused before anything runs") {
  Opened opened;
  Sweeper sweeper(own_catalog());
  SweepAxis axis = opened.axis("loader.workers_per_gpu", "1");
  axis.parameter.path = "system.drive";
  CHECK_THROWS_AS(sweeper.start(opened.job({axis})), InputError);
  CHECK(!sweeper.running());
  CHECK(sweeper.points().empty());
}

TEST_CASE("a chart has a line for each value of the second axis, and gaps where points failed") {
  const Opened opened;
  const SweepJob job = opened.job({opened.axis("loader.workers_per_gpu", "1, 2, 8"),
                                   opened.axis("loader.style", "pytorch, tensorflow")});
  std::vector<SweptPoint> points(6);
  for (std::size_t i = 0; i < 6; ++i) {
    Result result;
    result.job_samples_per_s = 100 * static_cast<double>(i + 1);
    if (i != 3) points[i] = {SweptPoint::State::good, std::make_shared<const Result>(result), {}};
  }
  const Chart chart = chart_of(job, points, figures().front());
  CHECK(chart.x == std::vector<double>{1, 2, 8});
  REQUIRE(chart.lines.size() == 2);
  CHECK(chart.lines[1].name == "tensorflow");
  CHECK(chart.lines[1].points[0].y == 200);
  CHECK(!chart.lines[1].points[1].y);
  CHECK(chart.lines[0].points[2].point == 4);
  CHECK(chart.low == 100);
  CHECK(chart.high == 600);
  const SweepJob wide = opened.job({opened.axis("loader.workers_per_gpu", "1, 2, 64")});
  CHECK(chart_of(wide, {}, figures().front()).x == std::vector<double>{0, 1, 2});
}

TEST_CASE("a line of a chart says when every one of its points failed") {
  const Opened opened;
  const SweepJob job = opened.job({opened.axis("loader.workers_per_gpu", "1, 2"),
                                   opened.axis("loader.style", "pytorch, tensorflow")});
  const SweptPoint failed{SweptPoint::State::failed, nullptr, {}};
  const SweptPoint good{SweptPoint::State::good, std::make_shared<const Result>(), {}};
  std::vector<SweptPoint> points{good, failed, failed, failed};
  Chart chart = chart_of(job, points, figures().front());
  CHECK(!chart.lines[0].failed);
  CHECK(chart.lines[1].failed);
  points[1] = {};  // it waits
  chart = chart_of(job, points, figures().front());
  CHECK(!chart.lines[1].failed);
}

TEST_CASE("ticks are round and reach the highest value") {
  CHECK(ticks_to(19930, 4) == std::vector<double>{0, 5000, 10000, 15000, 20000});
  CHECK(ticks_to(1, 5) == std::vector<double>{0, 0.2, 0.4, 3 * 0.2, 0.8, 1});
  CHECK(ticks_to(0, 4) == std::vector<double>{0, 1});
}

}  // namespace gpufeed::ui
