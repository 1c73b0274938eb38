// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>

#include "reports/writers/json.h"
#include "reports/writers/text.h"
#include "sim/model/workload.h"

using namespace gpufeed;

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

Result pipeline() {
  Result r;
  r.title = "Two stages";
  r.kind = kind_of<kind::Pipeline>;
  r.system = "A box";
  r.workload = "clean, train; 2 TB";
  r.storage = "nas: A store, reached over nic0";
  r.time_to_first_result_s = 5400;
  r.time_to_result_s = 9000;
  r.pipeline.emplace();
  r.pipeline->steps = {
      {"clean with a very long name", false, "nas", 2e12, 1e12, 3600,
       fact<LimiterCode::servers>(4)},
      {"copy to train", true, "nas -> scratch", 1e12, 1e12, 1800,
       fact<LimiterCode::parts>(std::vector<std::string>{"ssd0", "ssd1", "ssd2", "ssd3"})},
      {"train", false, "scratch", 1e12, 0, 3600, fact<LimiterCode::given_rate>()}};
  r.pipeline->first_result = "train";
  r.pipeline->copied_B = 1e12;
  r.pipeline->copy_s = 1800;
  r.pipeline->copy_share = 0.2;
  r.resources = {{"ssd0", "drive", 550e6, "B/s", 0.5, "its datasheet", "datasheet"}};
  const auto step = fact<LimiterCode::step_by_servers>("clean", 4);
  r.bottleneck = {step, {evidence_of<EvidenceCode::step_takes>(step, 0.4)}, {}, 0, {}};
  return r;
}

Result service() {
  Result r;
  r.title = "A service";
  r.kind = kind_of<kind::Inference>;
  r.system = "A box";
  r.workload = "serving a model";
  r.storage = "ssd0: 1 x SSD (ssd0)";
  r.throughput_samples_per_s = 500;
  r.accelerator_utilization = 0.4;
  r.serving.emplace();
  ServingSummary& s = *r.serving;
  s.model_B = 4e9;
  s.cold_start_s = 2;
  s.cold_start_limit = fact<LimiterCode::parts>(std::vector<std::string>{"ssd0"});
  s.offered_requests_per_s = 500;
  s.capacity_requests_per_s = 1250;
  s.requests = 45000;
  s.mean_batch = 1.5;
  s.cores_busy = 0.25;
  s.latency_mean_s = 0.012;
  s.latency_p50_s = 0.011;
  s.latency_p90_s = 0.015;
  s.latency_p99_s = 0.02;
  s.latency_uncertainty = 0.004;
  s.times = {0.001, 0.003, 0, 0.002, 0.006};
  r.resources = {{"ssd0", "drive", 550e6, "B/s", 0.5, "its datasheet", "datasheet"}};
  r.bottleneck = {fact<LimiterCode::gpu_compute>(),
                  {evidence<EvidenceCode::answers_share>(0.4, 250.0)},
                  {},
                  0,
                  {}};
  return r;
}

Result overloaded() {
  Result r = service();
  ServingSummary& s = *r.serving;
  s.overloaded = true;
  s.offered_requests_per_s = 750;
  s.capacity_requests_per_s = 500;
  for (double* value : {&s.latency_mean_s, &s.latency_p50_s, &s.latency_p90_s, &s.latency_p99_s,
                        &s.latency_uncertainty, &s.times.read_s})
    *value = kNone;
  return r;
}

}  // namespace

TEST_CASE("the screen of a pipeline is a line for each step") {
  CHECK(to_text(pipeline()) == R"(Two stages

System                A box
Workload              clean, train; 2 TB
Storage               nas: A store, reached over nic0

Step                  at                           reads    writes      time  limited by
  clean with a ver... nas                           2 TB      1 TB    1.00 h  its 4 servers
  copy to train       nas -> scratch                1 TB      1 TB    0.50 h  ssd0-ssd3
  train               scratch                       1 TB   nothing    1.00 h  its own rate

Time to first result  1.50 h: then train begins
Time to result        2.50 h
Copies                1 TB between places, 0.50 h: 20.0 % of the time

What it takes                                              load  of at most  known by
  ssd0                          [##########..........]   50.0 %    550 MB/s  datasheet

Bottleneck            clean: its 4 servers takes 40 % of the time
)");
  Result at_once = pipeline();
  at_once.pipeline->copy_s = 0;
  at_once.time_to_first_result_s = 0;
  const std::string text = to_text(at_once);
  CHECK(text.find("Time to first result  at once: then train begins\n") != std::string::npos);
  CHECK(text.find("Copies                none: every stage finds its data where they lie\n") !=
        std::string::npos);
}

TEST_CASE("the screen of a service says what a request waits for") {
  CHECK(to_text(service()) == R"(A service

System                A box
Workload              serving a model
Storage               ssd0: 1 x SSD (ssd0)

Cold start            2 s for 4 GB into every GPU; limited by ssd0; not counted: starting the
                      process and its GPU libraries
Throughput            500 requests/s (40.0 % of at most 1,250)
Latency               mean 12 ms; half within 11 ms, 90 % within 15 ms, 99 % within 20 ms
  of which            reading 1 ms, decoding 3 ms, waiting for batch and GPU 2 ms, forward pass 6 ms
GPU utilization       40.0 %, with 1.5 requests in a batch
Cores busy            25.0 %
Simulated             45,000 requests; mean latency known to 0.4 %

What it takes                                              load  of at most  known by
  ssd0                          [##########..........]   50.0 %    550 MB/s  datasheet

Bottleneck            40 % of what the machine can answer: 250 requests/s at most
)");
}

TEST_CASE("an overload says so instead of a latency") {
  const std::string text = to_text(overloaded());
  CHECK(
      text.find("Throughput            500 requests/s; OVERLOAD: 750 arrive, 1.5 times what can be "
                "answered\n"
                "Latency               grows without end: the queue of unanswered requests does\n"
                "GPU utilization") != std::string::npos);
  CHECK(text.find("Simulated             45,000 requests\n") != std::string::npos);
}

TEST_CASE("pipelines and services have tables of their own") {
  CHECK(to_table({pipeline(), service(), overloaded()}) ==
        R"(                            of the  first result   time to
    Scenario     copying      time         after    result  bottleneck
 1  Two stages    0.50 h    20.0 %        1.50 h    2.50 h  clean: its 4 servers

                              GPU       cold      mean      99 %
    Scenario  requests/s    util.      start   latency    within  bottleneck
 2  A service        500   40.0 %        2 s     12 ms     20 ms  GPU compute
 3  A service        500   40.0 %        2 s   endless   endless  GPU compute
)");
  CHECK(to_reasons({pipeline()}) == " 1  clean: its 4 servers takes 40 % of the time\n");
}

TEST_CASE("the JSON of pipelines and services reads back exactly") {
  for (const Result& result : {pipeline(), service(), overloaded()}) {
    const std::string json = to_json(result);
    CHECK(to_json(result_from_json(json)) == json);
  }
  CHECK(to_json(overloaded()).find("\"latency_p99_s\": null") != std::string::npos);
}
