// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/gpu_fit.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "calib/fit/raw_fit.h"

using namespace gpufeed;
namespace fs = std::filesystem;

TEST_CASE("GPUs: a start and a rate are found in times of copies and of steps by batch") {
  std::vector<Timed> copies;  // made up: 8 us and 25 GB/s
  for (const double bytes : {4096.0, 32768.0, 262144.0, 2097152.0, 16777216.0})
    copies.push_back({bytes, {8e-6 + bytes / 25e9}});
  const LineFit copy = fit_line(copies, "made up");
  CHECK(copy.start.value == doctest::Approx(8e-6).epsilon(0.001));
  CHECK(copy.rate == doctest::Approx(25e9).epsilon(0.001));
  std::vector<Timed> steps;  // made up: t0 = 20 ms, t1 = 0.5 ms
  for (const double batch : {1.0, 4.0, 16.0, 64.0, 256.0})
    steps.push_back({batch, {20e-3 + batch * 0.5e-3}});
  const LineFit step = fit_line(steps, "made up");
  CHECK(step.start.value == doctest::Approx(20e-3).epsilon(0.001));
  CHECK(step.rate == doctest::Approx(2000).epsilon(0.001));
}

TEST_CASE("GPUs: raw measurements are told by way and memory, products by what they attain") {
  // Made up, not measured: copies to the GPU of 8 us and 25 GB/s, a product of 2 x 1024^3 in 10 us.
  std::string copies;
  for (const double bytes : {4096.0, 32768.0, 262144.0, 2097152.0})
    copies += fmt::format(
        "{}{{\"gpu\": 0, \"way\": \"to\", \"memory\": \"pinned\", \"bytes\": {}, \"s\": {}}}",
        copies.empty() ? "" : ",", bytes, 8e-6 + bytes / 25e9);
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "gpu": {"gpus": [{"gpu": 0, "name": "made up", "memory_B": 1e9}],
      "copies": [)" +
          copies +
          R"(], "peers": [], "launches": [{"gpu": 0, "s": 2.5e-6}], "products": [{"gpu": 0,
      "type": "bf16", "m": 1024, "n": 1024, "k": 1024, "s": 1e-5}]}})",
      "raw", "none");
  REQUIRE(found.told.size() == 4);
  CHECK(found.told[0] == "gpu 0 is made up");
  CHECK(found.told[1].starts_with("gpu 0: copies to it, pinned: 8 us and 25 GB/s, departing by "));
  CHECK(found.told[2] == "gpu 0: launching a kernel takes 2.5 us");
  CHECK(found.told[3] == "gpu 0: bf16 1024 x 1024 x 1024 attains 215 TFLOP/s");
}

TEST_CASE("GPUs: what all do at once, and collectives") {
  // Made up, not measured: two GPUs copy at 20 GB/s each and sum at 40 GB/s.
  const auto list = [](const std::string& head, double start, double rate) {
    std::string out;
    for (const double x : {1e6, 4e6, 16e6, 64e6, 256e6})
      out += fmt::format(R"({}{{{}, "bytes": {}, "s": {}}})", out.empty() ? "" : ",", head, x,
                         start + x / rate);
    return out;
  };
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "gpu": {"gpus": [], "launches": [], "products": [], "together": [)" +
          list(R"("gpus": 2, "way": "to")", 10e-6, 20e9) + R"(], "collectives": [)" +
          list(R"("gpus": 2, "what": "all-reduce")", 30e-6, 40e9) + "]}}",
      "raw", "none");
  REQUIRE(found.told.size() == 2);
  CHECK(found.told[0].starts_with("all 2 GPUs at once: copies to each, pinned: 10 us and 20 GB/s"));
  CHECK(found.told[1].starts_with("all-reduce of 2 GPUs: 30 us and 40 GB/s"));
}

TEST_CASE("GPUs: kernels by themselves tell whole steps, at batches between them as well") {
  // Made up, not measured: two kernels, one of them twice in a step, whose time grows by lines.
  const auto kernel = [](int layer, int times, int batch, double seconds) {
    return fmt::format(
        R"({{"gpu": 0, "network": "made up", "layer": {}, "call": "forward", "times": {}, "batch": {}, "s": {}, "host_s": 0.002}})",
        layer, times, batch, seconds);
  };
  const auto step = [](const char* launch, int batch, double seconds) {
    return fmt::format(
        R"({{"gpu": 0, "network": "made up", "launch": "{}", "batch": {}, "s": {}}})", launch,
        batch, seconds);
  };
  const Calibration found = fit_raw(
      fmt::format(
          R"({{"gpufeed_raw": 1, "gpu": {{"gpus": [], "launches": [], "products": [], "kernels": [{}, {}, {}, {}],
      "steps": [{}, {}, {}]}}}})",
          kernel(0, 1, 1, 0.001), kernel(1, 2, 1, 0.0005), kernel(0, 1, 4, 0.004),
          kernel(1, 2, 4, 0.002),
          // at 2: (1 + 2 x 0.5) + (8 - 2) / 3 = 4 ms; one by one the host's three calls take 6
          step("graph", 2, 0.004), step("graph", 4, 0.010), step("one by one", 2, 0.006)),
      "raw", "none");
  REQUIRE(found.told.size() == 1);
  CHECK(
      found.told[0] ==
      "gpu 0: made up, forward and backward in fp16: by its kernels 2 ms at batch 1 and 8 ms at "
      "4, launched by the host in 6 ms; whole steps, launched as a graph, depart by 10 %, at most "
      "20 %; whole steps, launched one by one, depart by 0 %, at most 0 %");
}

TEST_CASE("GPUs: what a link attains goes over what PCIe tells of it") {
  // Made up, not measured: 50 of 63 GB/s to the GPU, 48 from it, 45 each at once; 5 us.
  std::string copies;
  for (const auto& [way, rate] : {std::pair{"to", 50e9}, {"from", 48e9}, {"both", 45e9}})
    for (const double bytes : {4096.0, 262144.0, 16777216.0, 134217728.0})
      copies +=
          fmt::format(R"({}{{"gpu": 0, "way": "{}", "memory": "pinned", "bytes": {}, "s": {}}})",
                      copies.empty() ? "" : ",", way, bytes, 5e-6 + bytes / rate);
  const auto fit = [&](const std::string& link) {
    return fit_raw(
        fmt::format(
            R"({{"gpufeed_raw": 1, "gpu": {{"gpus": [{{"gpu": 0, "name": "made up", "memory_B": 1e9{}}}],
      "copies": [{}], "launches": [], "products": []}}}})",
            link, copies),
        "raw", "none");
  };
  const std::string told = fit(R"(, "pcie_Bps": 63e9)").parameters;
  const auto has = [&](const std::string& key, const std::string& value) {
    return told.find(fmt::format("path = \"system.gpu[gpu0].model.link.{}\"\nvalue = \"{}\"", key,
                                 value)) != std::string::npos;
  };
  CHECK(has("efficiency", "79.37 %"));              // 50 / 63
  CHECK(has("efficiency_from_device", "76.19 %"));  // 48 / 63
  CHECK(has("latency", "5 us"));
  CHECK(has("duplex", "180 %"));  // 2 x 45 / 50
  CHECK(fit("").refused ==
        std::vector<std::string>{
            "system.gpu[gpu0].model.link.efficiency: PCIe does not tell how fast the link is"});
  CHECK(fit(R"(, "pcie_Bps": 31.5e9)").refused ==
        std::vector<std::string>{"system.gpu[gpu0].model.link.efficiency: copies are faster than "
                                 "the link that PCIe tells of"});
}

TEST_CASE("GPUs: training rates are told as a scenario takes them") {
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "training": {"steps": [
      {"network": "resnet-50", "precision": "fp16", "batch": 2, "s": 0.01},
      {"network": "resnet-50", "precision": "fp16", "batch": 32, "s": 0.0128},
      {"network": "resnet-50", "precision": "fp16", "batch": 256, "s": 0.05}],
      "left_out": [{"network": "bert-large", "precision": "bf16", "batch": 8, "why": "no module"}]}})",
      "raw", "none");
  CHECK(
      found.told ==
      std::vector<std::string>{
          "resnet-50 in fp16: batch = 2, rate = \"200 samples/s\"; the host's rate, not the GPU's",
          "resnet-50 in fp16: batch = 32, rate = \"2500 samples/s\"; the host's rate, not the "
          "GPU's",
          "resnet-50 in fp16: batch = 256, rate = \"5120 samples/s\""});
  CHECK(found.refused == std::vector<std::string>{"bert-large in bf16 at batch 8: no module"});
}

TEST_CASE("a measured H200: its kernels tell whole steps, and a line all copies") {
  std::ifstream in(fs::path(GPUFEED_SOURCE_DIR) / "calib/params/h200_16_cores/here.raw.json");
  const auto gpu = nlohmann::ordered_json::parse(in).at("gpu");
  // Sums over kernels at the batches that were timed, and lines between them, counted here anew.
  std::map<std::pair<std::string, int>, double> sums;
  for (const auto& one : gpu.at("kernels"))
    sums[{one.at("network"), one.at("batch")}] +=
        one.at("times").get<double>() * one.at("s").get<double>();
  std::size_t steps = 0;
  for (const auto& step : gpu.at("steps")) {
    if (step.at("launch") != "graph") continue;
    const std::string network = step.at("network");
    const int batch = step.at("batch");
    int low = 1;
    while (low * 4 <= batch) low *= 4;
    const double at_low = sums.at({network, low});
    const double predicted = low == batch ? at_low
                                          : at_low + (sums.at({network, 4 * low}) - at_low) *
                                                         (batch - low) / (3.0 * low);
    CAPTURE(network);
    CAPTURE(batch);
    CHECK(std::abs(predicted / step.at("s").get<double>() - 1) < 0.1);
    ++steps;
  }
  CHECK(steps == 18);  // two networks at batches from 1 to 256
  for (const std::string way : {"to", "from"}) {
    std::vector<Timed> copies;
    for (const auto& one : gpu.at("copies"))
      if (one.at("way") == way && one.at("memory") == "pinned")
        copies.push_back({one.at("bytes"), {one.at("s")}});
    REQUIRE(copies.size() == 6);
    const LineFit line = fit_line(copies, way);
    for (const Timed& one : copies)
      CHECK(std::abs((line.start.value + one.amount / line.rate) / one.time.value - 1) < 0.03);
  }
}
