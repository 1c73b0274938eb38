// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "reports/writers/decision_text.h"
#include "reports/writers/job_text.h"
#include "reports/writers/layout.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

namespace {

/// The sample without the copy-in, and held back by its GPUs.
Result shared_result() {
  Result r = sample_result();
  r.title = "DGX-1 and FlashBlade";
  r.job_samples_per_s = r.first_epoch_samples_per_s = r.throughput_samples_per_s = 1541.9;
  r.job_gpu_utilization = r.accelerator_utilization = 0.9997;
  r.staging_s = 0;
  r.time_to_first_result_s = 0.41;
  r.training_s = r.time_to_result_s = 6485.5;
  using enum EvidenceCode;
  r.bottleneck = {fact<LimiterCode::gpu_compute>(),
                  {evidence<gpus_compute>(1.0), evidence<wait_hardly_for_data>()},
                  {},
                  0,
                  {}};
  return r;
}

}  // namespace

TEST_CASE("the screen of a scenario whose drives are too slow") {
  CHECK(to_text(sample_result()) ==
        R"(DGX-1, copied to four local SSDs, ResNet-50

System                NVIDIA DGX-1 with eight Tesla P100: 8 GPUs, 40 cores, 4 drives
Workload              resnet-50 in fp32 on 10,000,000 samples of imagenet-200kb-10m, 64 per GPU and
                      step
Storage               scratch: 4 x sata-ssd-1.92tb, copied in from nas (netapp-aff-a800)

Job rate              958.2 samples/s over the whole job (119.8 per GPU)
Training              1,390 samples/s once the data are copied in (one step takes 368 ms)
GPU utilization       62.1 % of the whole job (as if 3 of 8 GPUs stood still); 90.1 % in training
Time to first step    0.90 h, after the copy-in
Time to result        2.90 h (copy-in 0.90 h + training 2.00 h)
Data density          storage demand 38.6 MB per GPU-second; storage-bound above 34.7 MB (0.9 x)
Storage must give     reads of 308 MB/s (the only epoch), 542 MB/s at the peak

Where each GPU's time goes
  gpu0-gpu5 (6)       [###################s] computing 93.5 %; waiting for storage 5.0 %, copies
                      0.5 %, gradients 1.0 %, stragglers <0.1 %
  gpu6, gpu7 (2)      [################sssc] computing 80.0 %; waiting for storage 15.0 %, decoding
                      2.0 %, copies 1.0 %, gradients 1.0 %, stragglers 1.0 %

What each stage could deliver                    load  samples/s  limited by
  drives              [####################]  >99.9 %      1,390  ssd0-ssd3 <--
  network             not used
  CPU decode          [###.................]   13.9 %     10,000  40 cores
  loader workers      [##########..........]   51.2 %      2,712  8 loader workers per GPU
  host-to-device copy [....................]    2.4 %     58,000  plx0 -> gpu0
  GPU compute         [##################..]   90.1 %      1,542  GPU compute
  gradient exchange   included in the compute rate

Bottleneck            ssd0-ssd3 can deliver 1,390 samples/s, at 99.9 % load; GPUs wait for data
                      9.5 % of the time
Next limit            GPU compute, at 1.11 times the present rate
Bound                 at most 1,390 samples/s in the long run with these values: set by ssd0, ssd1,
                      ssd2, ssd3

Simulated             96 steps, 19,435 extrapolated; throughput known to 0.04 %
Rests on estimates    read_latency of sata-ssd-1.92tb; decode_time of imagenet-200kb-10m
Defaults in use       those of all keys not given (gpufeed check --defaults FILE lists them)
Warning               training ends after 50 steps, before the first checkpoint
)");
}

TEST_CASE("a screen says where nothing is copied in, and leaves out what is not there") {
  Result result = shared_result();
  result.gpus.clear();
  result.stages.clear();
  result.warnings.clear();
  result.estimates.clear();
  result.simulated = {.steps = 5, .step_rate_uncertainty = 0.02};
  result.defaults = {{"run.seed", "1"}};
  CHECK(to_text(result) ==
        R"(DGX-1 and FlashBlade

System                NVIDIA DGX-1 with eight Tesla P100: 8 GPUs, 40 cores, 4 drives
Workload              resnet-50 in fp32 on 10,000,000 samples of imagenet-200kb-10m, 64 per GPU and
                      step
Storage               scratch: 4 x sata-ssd-1.92tb, copied in from nas (netapp-aff-a800)

Job rate              1,542 samples/s
GPU utilization       >99.9 %
Time to first step    0.4 s, nothing is copied in first
Time to result        1.80 h
Data density          storage demand 38.6 MB per GPU-second; storage-bound above 34.7 MB (0.9 x)
Storage must give     reads of 308 MB/s (the only epoch), 542 MB/s at the peak

Bottleneck            GPUs compute 100 % of the time; GPUs hardly wait for data
Bound                 at most 1,390 samples/s in the long run with these values: set by ssd0, ssd1,
                      ssd2, ssd3

Simulated             all 5 steps; throughput known to 2 %
Defaults in use       those of all keys not given (gpufeed check --defaults FILE lists them)
)");
}

TEST_CASE("no line of a screen is wider than 100 columns or ends in a space") {
  Result result = sample_result();
  const std::string longest(150, 'x');
  result.title = result.system = result.gpus[0].group = longest;
  const auto part = fact<LimiterCode::parts>(std::vector{longest});
  result.stages[0] = {part, 1390, part};
  result.bottleneck.resource = part;
  std::istringstream lines(to_text(result) + to_table({result, result}) + to_reasons({result}));
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 100);
    CHECK_MESSAGE(!line.ends_with(' '), line);
  }
}

TEST_CASE("long names of groups of GPUs stand in full, that of all is left out") {
  Result result = shared_result();
  const std::string long_name = "gpu0-gpu7 of node0-node3, gpu1 of node4";
  result.gpus = {{long_name, 33, {1.0}}};
  CHECK(to_text(result).find("\n  all (33)            [####") != std::string::npos);
  result.gpus.push_back({"gpu0 of node5", 1, {1.0}});
  const std::string both = to_text(result);
  CHECK(both.find("\n  " + long_name + "\n    (33)              [####") != std::string::npos);
  CHECK(both.find("\n  gpu0 of node5 (1)   [####") != std::string::npos);
}

TEST_CASE("the table of several scenarios") {
  const std::vector<Result> results{sample_result(), shared_result()};
  CHECK(to_table(results) ==
        R"(                                                  GPU              first step   time to
    Scenario                       samples/s    util.   copy-in         after    result  bottleneck
 1  DGX-1, copied to four local        958.2   62.1 %    0.90 h        0.90 h    2.90 h  drives
    SSDs, ResNet-50
 2  DGX-1 and FlashBlade               1,542  >99.9 %      none       at once    1.80 h  GPU compute
)");
  CHECK(
      to_reasons(results) ==
      R"( 1  ssd0-ssd3 can deliver 1,390 samples/s, at 99.9 % load; GPUs wait for data 9.5 % of the time.
    Data density: storage demand 38.6 MB per GPU-second; storage-bound above 34.7 MB
 2  GPUs compute 100 % of the time; GPUs hardly wait for data. Data density: storage demand 38.6 MB
    per GPU-second; storage-bound above 34.7 MB
)");
}

TEST_CASE("a screen says what checkpoints take, and that the first epoch copies the data in") {
  Result result = shared_result();
  result.staging = "first-epoch";
  result.first_epoch_s = 3000;
  result.epoch_s = 1743;
  result.first_epoch_samples_per_s = 600;
  result.later_epochs_samples_per_s = 1033;
  result.checkpoint = CheckpointUse{20, 4e9, 2.5, 2, 3, 0.25, 6};
  const std::string screen = to_text(result);
  CHECK(screen.find("Epochs                the first 50.0 min, which copies the data in, at 600 "
                    "samples/s,") != std::string::npos);
  CHECK(screen.find("29.1 min each at 1,033 samples/s") != std::string::npos);
  const auto begin = screen.find("Checkpoints");
  CHECK(screen.substr(begin, screen.find("Data density") - begin) ==
        "Checkpoints           20 of 4 GB; each stops the GPUs for 2.5 s and, as writes hold back "
        "reads,\n"
        "                      lengthens training by 3 s, 25.0 % of the time in all; going back to "
        "one takes\n"
        "                      6 s\n");
  CHECK(to_table({result}).find(" epoch 1 ") != std::string::npos);
}

TEST_CASE("a checkpoint's stop is told beside what training loses by it, be that less or nothing") {
  Result result;
  const auto said = [&](double pause_s, double cost_s) {
    result.checkpoint = CheckpointUse{20, 4e9, pause_s, 2, cost_s, 0.05, 6};
    const auto rows = training_rows(result);
    return std::ranges::find(rows, "Checkpoints", &TextRow::first)->second;
  };
  CHECK(said(3.47, 3.47) ==
        "20 of 4 GB; each stops the GPUs for 3.47 s, 5.0 % of the time in all; going back to one "
        "takes 6 s");
  CHECK(said(0.194, 0.02) ==
        "20 of 4 GB; each stops the GPUs for 194 ms, in which loaders catch up: training takes "
        "20 ms longer, 5.0 % of the time in all; going back to one takes 6 s");
  for (const double nothing : {0.0, -0.001})
    CHECK(said(0.194, nothing) ==
          "20 of 4 GB; each stops the GPUs for 194 ms, in which loaders catch up: training takes "
          "no longer; going back to one takes 6 s");
}

TEST_CASE("nodes that stand for others are told in the line of what was simulated") {
  Result result = shared_result();
  result.nodes = 64;
  result.simulated = {.steps = 89,
                      .extrapolated_steps = 10,
                      .step_rate_uncertainty = 0.01,
                      .folded = {8, "nodes are alike"}};
  CHECK(to_text(result).find(
            "\nSimulated             89 steps of 8 nodes, which stand for all 64, 10 extrapolated; "
            "throughput known\n                      to 1 %\n") != std::string::npos);
  result.simulated.folded = {64, "run.fold is false"};
  CHECK(to_text(result).find("\nSimulated             89 steps, 10 extrapolated; ") !=
        std::string::npos);
}

TEST_CASE(
    "a mean of several runs is told as one, and how far a run lies off it where that is more") {
  Result result = shared_result();
  result.simulated = {
      .steps = 60, .runs = 8, .step_rate_uncertainty = 0.006, .run_uncertainty = 0.017};
  CHECK(to_text(result).find(
            "\nSimulated             all 60 steps, mean of 8 runs; throughput known to 0.6 %; one "
            "run may differ by\n                      1.7 %\n") != std::string::npos);
  result.simulated.store_shares = true;
  CHECK(to_text(result).find("1.7 %: readers' shares of the store\n") != std::string::npos);
  result.simulated.run_uncertainty = 0.005;
  CHECK(to_text(result).find("may differ") == std::string::npos);
}

TEST_CASE("where later epochs find more and more in the page cache, first and last are told") {
  Result result = sample_result();
  result.cache = {1e12, 4, 0.47, 250e9, 132e9, 0.016, 0.75};
  const std::string text = to_text(result);
  CHECK(text.find(
            "\nPage cache            1 TB for 250 GB of data; epochs after the first find 47.0 % "
            "there in the mean\n                      (1.6 % in the second, 75.0 % in the last) "
            "and read 132 GB\n") != std::string::npos);
  CHECK(text.find(" in the mean\n") != std::string::npos);
  result.cache.hit_rate_second_epoch = result.cache.hit_rate_last_epoch = 0.47;
  CHECK(to_text(result).find("in the mean") == std::string::npos);
}

TEST_CASE("what a GPU decodes itself stands beside what it computes") {
  Result result = sample_result();
  result.gpus = {{"gpu0", 1, {0.6, 0.3, 0.05, 0.05}}};
  CHECK(to_text(result).find("  gpu0 (1)            [############======sd] computing 60.0 %, "
                             "decoding on the GPU 30.0 %; waiting\n"
                             "                      for storage 5.0 %, decoding 5.0 %\n") !=
        std::string::npos);
}

TEST_CASE("a gain says its sign, and nothing below a thousandth of a percent") {
  CHECK(signed_percent(0.089) == "+8.9 %");
  CHECK(signed_percent(-0.0042) == "-0.42 %");
  CHECK(signed_percent(-2e-5) == "-0.002 %");
  for (const double nothing : {0.0, 1.66e-8, -1.66e-8, -6e-6})
    CHECK(signed_percent(nothing) == "+0 %");
}
