// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "sim/model/result/result.h"

/// A machine whose drives hold two of its eight GPUs back, copied in first; every field is filled.
inline gpufeed::Result sample_result() {
  gpufeed::Result r;
  r.title = "DGX-1, copied to four local SSDs, ResNet-50";
  r.engine = "simgrid";
  r.seed = 7;
  r.version = "0.1.0";
  r.scenario = "title = \"\xC3\xA4\"\n";
  r.system = "NVIDIA DGX-1 with eight Tesla P100: 8 GPUs, 40 cores, 4 drives";
  r.workload = "resnet-50 in fp32 on 10,000,000 samples of imagenet-200kb-10m, 64 per GPU and step";
  r.storage = "scratch: 4 x sata-ssd-1.92tb, copied in from nas (netapp-aff-a800)";
  r.job_samples_per_s = 958.2;
  r.job_gpu_utilization = 0.6213;
  r.job_samples = 10'000'000;
  r.first_epoch_samples_per_s = 1389.6;
  r.throughput_samples_per_s = 1389.6;
  r.accelerator_utilization = 0.901;
  r.step_s = 0.36845;
  r.epoch_s = 7196.3;
  r.first_epoch_s = 7196.7;
  r.staging_s = 3240;
  r.training_s = 7196.7;
  r.time_to_first_result_s = 3240.9;
  r.time_to_result_s = 10436.7;
  r.bytes_per_gpu_second = 38.55e6;
  r.storage_limit_bytes_per_gpu_second = 34.74e6;
  r.storage_limit_first_epoch_bytes_per_gpu_second = 34.74e6;
  r.storage_demand = gpufeed::StorageDemand{308.4e6, {}, 542.4e6, {}};
  r.gpus = {{"gpu0-gpu5", 6, {0.935, 0, 0.05, 0, 0.005, 0.0097, 0.0003}},
            {"gpu6, gpu7", 2, {0.8, 0, 0.15, 0.02, 0.01, 0.01, 0.01}}};
  using gpufeed::fact;
  using enum gpufeed::LimiterCode;
  const auto ssds = fact<parts>(std::vector<std::string>{"ssd0", "ssd1", "ssd2", "ssd3"});
  r.stages = {
      {fact<drives>(), 1390, ssds},
      {fact<network>(), std::numeric_limits<double>::infinity(), {}},
      {fact<cpu_decode>(), 10000, fact<cores>(40.0)},
      {fact<loader_workers>(), 2712, fact<workers_of_gpu>(8)},
      {fact<host_to_device_copy>(), 58000, fact<parts>(std::vector<std::string>{"plx0 -> gpu0"})},
      {fact<gpu_compute>(), 1542.3, fact<gpu_compute>()},
      {fact<gradient_exchange>(), std::numeric_limits<double>::infinity(),
       fact<in_compute_rate>()}};
  r.resources = {{"ssd0", "drive", 0.5e9, "B/s", 0.999, "its datasheet", "datasheet"}};
  using enum gpufeed::EvidenceCode;
  r.bottleneck = {fact<drives>(),
                  {gpufeed::evidence_of<delivers>(ssds, 1390.0, 0.999),
                   gpufeed::evidence<wait_for_data>(0.095)},
                  fact<gpu_compute>(),
                  1.11,
                  {}};
  const auto part = [](const char* id) { return fact<parts>(std::vector<std::string>{id}); };
  r.bound = {1390, {part("ssd0"), part("ssd1"), part("ssd2"), part("ssd3")}};
  r.topology = {{{"cpu0", "socket"}, {"gpu0", "gpu"}}, {{"cpu0", "gpu0", "cpu0 -> gpu0"}}};
  r.timeline = {{"the first steps",
                 0,
                 1,
                 0,
                 0.7320000000000001,
                 {{"gpu0", 8, {{0, "storage", 0, 0.4}, {0, "compute", 0.4, 0.7320000000000001}}}}}};
  r.simulated = {.steps = 96, .extrapolated_steps = 19435, .step_rate_uncertainty = 0.0004};
  r.defaults = {{"run.seed", "1"}, {"loader.workers_per_gpu", "8"}};
  r.estimates = {"read_latency of sata-ssd-1.92tb", "decode_time of imagenet-200kb-10m"};
  r.warnings = {fact<gpufeed::WarningCode::no_checkpoint>(50)};
  return r;
}
