// SPDX-License-Identifier: Apache-2.0
// Figures and claims of the documents behind this project that no example's test holds; seeds.md
// lists them all.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

const std::string kSourceTree = GPUFEED_SOURCE_DIR;
constexpr double kPoint = 0.01;  ///< as seeds.md rounds

Result result_of(const std::string& file, const std::vector<std::string>& assignments = {}) {
  const Catalog catalog({kSourceTree + "/hw_catalog", kSourceTree + "/workloads"});
  std::vector<Override> overrides;
  for (const auto& assignment : assignments) overrides.push_back(parse_override(assignment));
  return simulate(load_scenario(kSourceTree + "/" + file, catalog, overrides));
}

double rate_of(const std::string& file, const std::vector<std::string>& assignments = {}) {
  const Result result = result_of(file, assignments);
  REQUIRE(result.steady_samples_per_s);
  return *result.steady_samples_per_s;
}

/// Throughput of 16 GPUs over that of one, which is the scenario's input.
double scaling(const std::string& scenario, const std::string& batch, double one_gpu,
               const std::string& algorithm) {
  return rate_of("tests/validation/" + scenario,
                 {"workload.batch_per_gpu=" + batch, "workload.compute[0].batch=" + batch,
                  "exchange.algorithm=" + algorithm}) /
         one_gpu;
}

double waits_for_gradients(const std::string& scenario, const std::string& model) {
  const Result result = result_of("tests/validation/" + scenario, {"workload.model=" + model});
  return result.gpus.at(0).share.exchange;
}

}  // namespace

TEST_CASE("Inspur: AlexNet on 16 GPUs is 14 times as fast as on one; a ring gives 13.5") {
  // Not stated: the batch (128 to 256 was usual), and how the cards hang together. Every GPU's
  // input comes over the same two uplinks as the ring, which costs 11 %.
  constexpr double kOne = 4675.8 / 14;
  const auto of = [&](const char* batch, const char* algorithm) {
    return scaling("seed2_alexnet.toml", batch, kOne, algorithm);
  };
  CHECK(of("256", "ring") == approx(13.5).epsilon(0.01));  // 4 % low
  CHECK(of("256", "ring") * kOne == approx(4675.8).epsilon(0.05));
  CHECK(of("128", "ring") == approx(12.9).epsilon(0.01));  // 8 % low
  // Through host memory its 244 MB would take far longer: another framework's choice loses.
  CHECK(of("256", "parameter-server") < 0.85 * 14);
}

TEST_CASE(
    "Inspur: GoogLeNet on 16 GPUs is 13 times as fast as on one; so it is through host memory") {
  constexpr double kOne = 2462.0 / 13;
  const auto of = [&](const char* batch, const char* algorithm) {
    return scaling("seed2_googlenet.toml", batch, kOne, algorithm);
  };
  CHECK(of("64", "parameter-server") == approx(13).epsilon(0.01));
  CHECK(of("64", "parameter-server") * kOne == approx(2462).epsilon(0.01));
  CHECK(of("32", "parameter-server") == approx(11.7).epsilon(0.01));  // 10 % low
  CHECK(of("64", "ring") > 1.1 * 13);
}

TEST_CASE("Inspur: Lustre over InfiniBand carries 20 times what HDFS does over 10 GbE") {
  const auto limit = [](const char* scenario) {
    return result_of(scenario).storage_limit_bytes_per_gpu_second * 8;
  };
  // Four cards of 12.5 GB/s against two ports of 1.25, at 92 %.
  CHECK(limit("tests/validation/seed2_lustre.toml") == approx(4 * 12.5e9 * 0.92));
  CHECK(limit("tests/validation/seed2_hdfs.toml") == approx(2 * 1.25e9 * 0.92));
}

TEST_CASE("HPE's table of models: parameters, size and multiply-adds") {
  struct Row {
    const char* name;
    double parameters, size_MiB, giga_multiply_adds;
  };
  const Row rows[] = {
      {"alexnet", 60'965'224, 233, 0.7},     {"googlenet", 6'998'552, 27, 1.6},
      {"vgg-16", 138'357'544, 528, 15.5},    {"vgg-19", 143'667'240, 548, 19.6},
      {"resnet-50", 25'610'269, 98, 3.9},    {"resnet-101", 44'654'608, 170, 7.6},
      {"resnet-152", 60'344'387, 230, 11.3}, {"eng-acoustic", 34'678'784, 132, 0.035},
      {"textcnn", 151'690, 0.6, 0.009}};
  const Catalog catalog({kSourceTree + "/hw_catalog", kSourceTree + "/workloads"});
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const Scenario scenario =
        load_scenario(kSourceTree + "/tests/validation/seed3_pcie.toml", catalog,
                      {parse_override("workload.model=" + std::string(row.name))});
    const Model& model = *scenario.workload.model();
    CHECK(static_cast<double>(model.parameters) == row.parameters);
    CHECK(row.parameters * 4 / 1048576 == approx(row.size_MiB).epsilon(0.04));
    REQUIRE(model.multiply_adds.has_value());
    CHECK(static_cast<double>(*model.multiply_adds) / 1e9 ==
          approx(row.giga_multiply_adds).epsilon(0.01));
  }
}

TEST_CASE("HPE: the more a network computes for each parameter, the more easily it scales") {
  // By multiply-adds for each parameter: 1, 11, 112, 187, 229. TextCNN, with 59, stands apart: its
  // 0.6 MB of gradients hide behind what any step costs before it computes.
  struct Row {
    const char* model;
    double waits;
  };
  const Row rows[] = {{"eng-acoustic", 0.76},
                      {"alexnet", 0.65},
                      {"vgg-16", 0.20},
                      {"resnet-152", 0.07},
                      {"googlenet", 0.04}};
  double before = 1;
  for (const auto& row : rows) {
    CAPTURE(row.model);
    const double waits = waits_for_gradients("seed3_infiniband.toml", row.model);
    CHECK(std::abs(waits - row.waits) < kPoint);
    CHECK(waits < before);
    before = waits;
  }
  CHECK(waits_for_gradients("seed3_infiniband.toml", "textcnn") < 0.06);
}

TEST_CASE("HPE: PCIe instead of InfiniBand helps most where there is little to compute") {
  const auto gain = [](const char* model) {
    const std::string choice = std::string("workload.model=") + model;
    return rate_of("tests/validation/seed3_pcie.toml", {choice}) /
           rate_of("tests/validation/seed3_infiniband.toml", {choice});
  };
  struct Row {
    const char* model;
    double gain;
  };
  const Row rows[] = {{"eng-acoustic", 1.40},
                      {"alexnet", 1.28},
                      {"textcnn", 1.02},
                      {"vgg-16", 1.08},
                      {"resnet-152", 1.02}};
  for (const auto& row : rows) {
    CAPTURE(row.model);
    CHECK(std::abs(gain(row.model) - row.gain) < kPoint);
  }
}

TEST_CASE("HPE: one core feeds a GPU on ResNet-50; AlexNet, with less to compute, takes five") {
  const auto rate = [](const std::string& scenario) {
    return rate_of("examples/06_how_many_cores/" + scenario);
  };
  const double resnet = rate("scenario_resnet_40.toml");
  CHECK(rate("scenario_resnet_08.toml") == approx(resnet).epsilon(0.001));
  CHECK(rate("scenario_resnet_04.toml") < 0.9 * resnet);
  CHECK(rate("scenario.toml") > 1.1 * rate("scenario_alexnet_32.toml"));
}

TEST_CASE("HPE: one GPU holds only small batches of large models") {
  const auto fits = [](const char* model, const char* batch) {
    try {
      result_of("tests/validation/seed3_pcie.toml",
                {std::string("workload.model=") + model,
                 std::string("workload.batch_per_gpu=") + batch, "run.max_steps=1"});
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  CHECK(fits("resnet-152", "55"));
  CHECK_FALSE(fits("resnet-152", "56"));
  CHECK(fits("alexnet", "4051"));
  CHECK_FALSE(fits("alexnet", "4052"));
}

TEST_CASE("BOXX: scaling is near linear until storage is too slow, then GPUs add nothing") {
  const auto video = [](const std::string& scenario, const std::string& gpus) {
    return rate_of("examples/03_data_density/" + scenario, {"workload.gpus=" + gpus});
  };
  CHECK(video("scenario_video_nvme.toml", "8") > 0.95 * 8 * video("scenario_video_nvme.toml", "1"));
  CHECK(video("scenario_video.toml", "4") > 0.95 * 4 * video("scenario_video.toml", "1"));
  CHECK(video("scenario_video.toml", "8") < 1.15 * video("scenario_video.toml", "4"));
  const auto images = [](const std::string& gpus) {
    return rate_of("examples/03_data_density/scenario_images.toml", {"workload.gpus=" + gpus});
  };
  CHECK(images("8") / images("1") / 8 == approx(0.99).epsilon(0.005));
  CHECK(video("scenario_video.toml", "4") / video("scenario_video.toml", "1") / 4 ==
        approx(0.998).epsilon(0.002));
  CHECK(video("scenario_video.toml", "8") == approx(37.3).epsilon(0.005));
  CHECK(video("scenario_video_nvme.toml", "8") == approx(68.7).epsilon(0.005));
}

TEST_CASE("BOXX: the latency of PCIe is fixed, and is most of a small network's exchange") {
  // Two networks in one ring: time = latency + size / rate, so both follow from the two times.
  const auto exchange = [](const char* model) {
    return *result_of("tests/validation/seed3_pcie.toml", {std::string("workload.model=") + model})
                .exchange;
  };
  const ExchangeUse small = exchange("textcnn"), large = exchange("eng-acoustic");
  const double rate = (large.sent_B - small.sent_B) / (large.alone_s - small.alone_s);
  const double latency = small.alone_s - small.sent_B / rate;
  CHECK(std::abs(latency / small.alone_s - 0.72) < kPoint);
  CHECK(latency < 0.015 * large.alone_s);
  CHECK(std::abs(waits_for_gradients("seed3_pcie.toml", "textcnn") - 0.03) < kPoint);
}

TEST_CASE("BOXX: a link between sockets limits a loader on the wrong side, one root or not") {
  const auto frames = [](const std::string& scenario) {
    return rate_of(
        "examples/02_one_root_or_two/" + scenario,
        {"system.socket_link[0].count=1", "system.drive[*].model.file_efficiency=100 %"});
  };
  CHECK(frames("scenario_frames_single.toml") == approx(1335).epsilon(0.005));
  CHECK(frames("scenario_frames_remote.toml") == approx(1178).epsilon(0.005));
}

TEST_CASE("BOXX: data density: board games 0.7, images 27, video 507 MB per GPU-second") {
  const auto density = [](const std::string& scenario) {
    return result_of("examples/03_data_density/" + scenario).bytes_per_gpu_second;
  };
  CHECK(density("scenario.toml") == approx(0.7e6).epsilon(0.01));
  CHECK(density("scenario_images.toml") == approx(27e6).epsilon(0.01));
  CHECK(density("scenario_video.toml") == approx(507e6).epsilon(0.01));
}

TEST_CASE("BOXX: bandwidth does little for a loader that waits for latency; workers do") {
  const auto rate = [](const std::string& scenario) {
    return rate_of("examples/08_latency_bound/" + scenario);
  };
  const double two = rate("scenario.toml"), faster = rate("scenario_nvme.toml");
  CHECK(faster / two == approx(1.26).epsilon(0.01));
  CHECK(rate("scenario_more_drives.toml") == approx(faster).epsilon(0.001));
  CHECK(result_of("examples/08_latency_bound/scenario_more_workers.toml").accelerator_utilization >
        0.97);
}

TEST_CASE("BOXX: a mixed-use drive, built for more writes, trains no faster") {
  const auto rate = [](const std::string& drive) {
    return rate_of("examples/03_data_density/scenario_video_nvme.toml",
                   {"replace[0].with=" + drive});
  };
  CHECK(rate("solidigm-d7-ps1030-6.4tb") ==
        approx(rate("solidigm-d7-ps1010-7.68tb")).epsilon(0.001));
}

TEST_CASE("Pure Storage: bandwidth grows with the blades") {
  const auto limit = [](const std::string& blades) {
    return result_of("examples/01_local_or_shared/scenario_shared.toml",
                     {"store.flashblade.protocol=none", "store.flashblade.blades=" + blades})
        .storage_limit_bytes_per_gpu_second;
  };
  // Opening a file reads some bytes besides its data.
  CHECK(limit("15") == approx(16e9 / 8).epsilon(1e-4));
  CHECK(limit("30") == approx(32e9 / 8).epsilon(1e-4));
}

TEST_CASE("IBM: weak scaling passes more samples, strong scaling is first at the target") {
  const auto run = [](const std::string& scenario, const std::string& gpus) {
    return result_of("examples/12_small_data/" + scenario, {"workload.gpus=" + gpus});
  };
  for (const std::string gpus : {"4", "8"}) {
    CAPTURE(gpus);
    const Result strong = run("scenario.toml", gpus), weak = run("scenario_weak.toml", gpus);
    CHECK(weak.time_to_result_s < strong.time_to_result_s);
    CHECK(weak.time_to_target_s.value() > strong.time_to_target_s.value());
  }
  const Result strong = run("scenario_large_strong.toml", "8");
  const Result weak = run("scenario_large_weak.toml", "8");
  CHECK(weak.time_to_target_s.value() < strong.time_to_target_s.value());
}

TEST_CASE("IBM: a torus's second dimension moves what the first leaves, on a slower network") {
  // 2 (N-1)/N of 553 MB over four cards in a ring; in a torus only 2 (n-1)/n. Each of a ring's
  // channels has a network card of its own in every node.
  const auto bytes = [](double ranks) { return 2 * (ranks - 1) / ranks * 138'357'544 * 4; };
  const double card = 2 * 3.125e9 * 0.92;
  const Result ring = result_of("examples/10_cluster_scaling/scenario_ring_25g.toml");
  const Result torus = result_of("examples/10_cluster_scaling/scenario_torus_25g.toml");
  const double rows = bytes(8) / (4 * 17.3e9);
  const double roce = 2 * 15 * 10e-6;  // the cards', whose steps are longer than InfiniBand's
  CHECK(ring.exchange->alone_s == approx(bytes(16) / 4 / card + roce).epsilon(0.02));
  CHECK(torus.exchange->alone_s == approx(rows + bytes(2) / 4 / card).epsilon(0.02));
}
