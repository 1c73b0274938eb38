// SPDX-License-Identifier: Apache-2.0
#include "sim/model/step_estimate.h"

#include <doctest/doctest.h>

#include "sim/model/gpu_memory.h"
#include "tests/support/approx.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

Gpu gpu(std::string name, FlopRate peak, Bandwidth memory) {
  auto gpu = named<Gpu>(std::move(name));
  gpu.peak_fp32 = peak;
  gpu.memory_bandwidth = memory;
  return gpu;
}

Model model(std::string name, std::int64_t multiply_adds, Bytes activations) {
  auto model = named<Model>(std::move(name));
  model.parameters = 1'000'000;
  model.multiply_adds = multiply_adds;
  model.activation_size = activations;
  return model;
}

ComputeRow row(const Gpu& gpu, std::int64_t batch, double step_s) {
  ComputeRow row;
  row.gpu = ref(gpu);
  row.batch = batch;
  row.rate = {static_cast<double>(batch) / step_s};
  row.basis = Basis::measured;
  return row;
}

}  // namespace

TEST_CASE("a training step costs three forward passes of two FLOP for each multiply-add") {
  CHECK(*training_flop(model("m", 1'000'000'000, 1_MB)) == 6e9);
}

TEST_CASE("one epoch of ResNet-152 over 14 M images an hour takes 140 T multiply-adds a second") {
  // HPE Deep Learning Cookbook, which counts one multiply-add as one operation, and rounds up.
  const auto resnet_152 = model("resnet-152", 11'300'000'000, {});
  const double multiply_adds = *training_flop(resnet_152) / 2 * 14e6 / 3600;
  CHECK(multiply_adds == approx(140e12).epsilon(0.06));
  // A GPU, or as many as one likes, of twice as many FLOP/s takes an hour.
  const auto time = roof_time(resnet_152, gpu("g", {2 * 140e12}, 1000_TBps), "fp32");
  CHECK(14e6 * time->value == approx(3600).epsilon(0.06));
}

TEST_CASE("the roof is computing and moving activations, one after the other") {
  const auto m = model("m", 1'000'000'000, 100_MB);
  // Written and read once forward, twice as often backward: 6 x 100 MB.
  CHECK(roof_time(m, gpu("computes", 1_TFLOPps, 900_GBps), "fp32")->value ==
        approx(6e9 / 1e12 + 6e8 / 9e11));
  CHECK(roof_time(m, gpu("moves", 10_TFLOPps, 100_GBps), "fp32")->value ==
        approx(6e9 / 1e13 + 6e8 / 1e11));
  auto half = gpu("half", 10_TFLOPps, 100_GBps);
  half.peak_fp16 = 100_TFLOPps;
  CHECK(roof_time(m, half, "fp16")->value == approx(6e9 / 1e14 + 3e8 / 1e11));
  CHECK(roof_time(m, half, "mixed")->value == approx(6e9 / 1e14 + 3e8 / 1e11));
  CHECK_FALSE(roof_time(m, half, "bf16"));
  CHECK_FALSE(roof_time(m, half, "fp23"));
}

TEST_CASE("convolutions of single channels run on general cores, in whatever format") {
  auto m = model("m", 1'000'000'000, 0_B);
  m.depthwise_multiply_adds = 200'000'000;
  auto g = gpu("g", 10_TFLOPps, 1_TBps);
  g.peak_fp16 = 100_TFLOPps;
  const double apart = 6 * 0.2e9 / (0.07 * 10e12);
  CHECK(roof_time(m, g, "fp32")->value == approx(6 * 0.8e9 / 10e12 + apart));
  CHECK(roof_time(m, g, "fp16")->value == approx(6 * 0.8e9 / 100e12 + apart));
  g.depthwise_share = Ratio{0.14};
  CHECK(roof_time(m, g, "fp16")->value == approx(6 * 0.8e9 / 100e12 + apart / 2));
  g.peak_fp32.reset();
  CHECK(roof_time(m, g, "fp16")->value == approx(6e9 / 100e12));
}

TEST_CASE("dense networks teach depthwise ones that say how much of them is so") {
  auto asked = model("asked", 1'000'000'000, 1_MB);
  auto dense = asked;
  asked.network_class = NetworkClass::depthwise;
  dense.network_class = NetworkClass::bottleneck;
  const auto g = gpu("g", 10_TFLOPps, 1_TBps);
  const auto known = row(g, 100, 0.12);
  CHECK(estimate_step(asked, ref(g), "fp32", {}, {{&dense, &known}}, {})->beyond ==
        std::vector{Beyond::class_unmeasured});
  asked.depthwise_multiply_adds = 100'000'000;
  const auto line = estimate_step(asked, ref(g), "fp32", {}, {{&dense, &known}}, {});
  CHECK(line->beyond.empty());
  CHECK(line->per_sample.value == approx(0.12 / 100 / roof_time(dense, *ref(g), "fp32")->value *
                                         roof_time(asked, *ref(g), "fp32")->value));
  CHECK(
      line->source.starts_with("6 GFLOP a sample at 10 TFLOP/s, 0.6 of them of single channels "
                               "at 7 % of 10 TFLOP/s and 6 MB at 1 TB/s"));
  auto silent = asked;
  silent.depthwise_multiply_adds.reset();
  CHECK(estimate_step(silent, ref(g), "fp32", {}, {{&asked, &known}}, {})->beyond ==
        std::vector{Beyond::depthwise_unknown});
}

TEST_CASE("what is attained elsewhere is the median, and t0 scales with the speed") {
  const auto m = model("m", 1'000'000'000, {});
  const auto fast = gpu("fast", 10_TFLOPps, 1_TBps);  // roof 0.6 ms a sample
  const auto slow = gpu("slow", 2_TFLOPps, 1_TBps);   // 3 ms
  // step = 0.01 s + b x 1 ms on one, as 10 samples take: 60 % of its peak. On the other, 50 %.
  const auto low = row(fast, 20, 0.03);
  const auto high = row(fast, 90, 0.1);
  const auto single = row(slow, 50, 60 * 0.006);
  const std::vector<MeasuredRate> rates{{&m, &low}, {&m, &high}, {&m, &single}};
  CHECK(start_in_samples(rates) == approx(10));
  const auto line = estimate_step(m, ref(gpu("new", 4_TFLOPps, 1_TBps)), "fp32", rates, {}, 9_ms);
  REQUIRE(line);
  CHECK(line->per_sample.value == approx(6e9 / 4e12 / 0.6));
  CHECK(line->start.value == approx(10 * line->per_sample.value));
  CHECK(line->source ==
        "6 GFLOP a sample at 4 TFLOP/s and 0 B at 1 TB/s, of which it attains 60 %: the median of "
        "3 measured rates (50 to 60 %) of m on fast, slow");
}

TEST_CASE("other models teach how much is attained after the framework's t0") {
  const auto known = model("known", 1'000'000'000, {});
  const auto asked = model("asked", 500'000'000, {});
  const auto g = gpu("g", 10_TFLOPps, 1_TBps);
  const auto low = row(g, 10, 0.02);
  const auto high = row(g, 50, 0.06);
  const auto line =
      estimate_step(asked, ref(g), "fp32", {}, {{&known, &low}, {&known, &high}}, 12_ms);
  REQUIRE(line);
  // 0.6 ms x 10 of the 10 ms that half of the step leaves, and 0.6 ms x 50 of 48 ms.
  CHECK(line->per_sample.value == approx(3e9 / 1e13 / ((0.6 + 0.625) / 2)));
  CHECK(line->start.value == 0.012);
}

TEST_CASE("networks of its class teach a model, each as much as the other") {
  const auto of_class = [](const char* name, std::int64_t products, NetworkClass its) {
    auto one = model(name, products, 0_B);
    one.network_class = its;
    return one;
  };
  const auto asked = of_class("asked", 1'000'000'000, NetworkClass::attention);
  const auto often = of_class("often", 1'000'000'000, NetworkClass::attention);
  const auto once = of_class("once", 1'000'000'000, NetworkClass::attention);
  const auto other = of_class("other", 1'000'000'000, NetworkClass::recurrent);
  const auto g = gpu("g", 10_TFLOPps, 1_TBps);  // 0.6 ms a sample
  const auto slow = row(g, 100, 0.24);          // 25 %
  const auto quick = row(g, 100, 0.12);         // 50 %
  const auto slowest = row(g, 100, 0.6);        // 10 %
  const std::vector<MeasuredRate> others{
      {&often, &slow}, {&often, &slow}, {&often, &slow}, {&once, &quick}, {&other, &slowest}};
  const auto line = estimate_step(asked, ref(g), "fp32", {}, others, {});
  REQUIRE(line);
  CHECK(line->per_sample.value == approx(6e9 / 1e13 / 0.375));
  CHECK(line->beyond.empty());
  const auto alone = of_class("alone", 1'000'000'000, NetworkClass::volumes);
  CHECK(estimate_step(alone, ref(g), "fp32", {}, others, {})->beyond ==
        std::vector{Beyond::class_unmeasured});
  CHECK(estimate_step(model("none", 1, 0_B), ref(g), "fp32", {}, others, {})->beyond ==
        std::vector{Beyond::class_unknown});
}

TEST_CASE("layers tell the class of a network") {
  auto net = model("m", 1, 0_B);
  CHECK_FALSE(class_of(net));
  const auto conv = [](std::int64_t inputs, std::int64_t outputs, std::int64_t kernel) {
    Layer layer;
    layer.inputs = inputs;
    layer.outputs = outputs;
    layer.kernel = kernel;
    layer.width = 10;
    return layer;
  };
  net.layers = {conv(64, 64, 1), conv(64, 64, 3)};  // 1 to 9
  CHECK(class_of(net) == NetworkClass::convolution);
  net.layers.push_back(conv(256, 64, 1));  // 5 to 9
  CHECK(class_of(net) == NetworkClass::bottleneck);
  net.layers.front().depth = 10;
  CHECK(class_of(net) == NetworkClass::volumes);
  net.layers.push_back(conv(64, 64, 3));
  net.layers.back().groups = 64;
  CHECK(class_of(net) == NetworkClass::depthwise);
  net.layers.emplace_back().kind = LayerKind::attention;
  CHECK(class_of(net) == NetworkClass::attention);
  net.network_class = NetworkClass::detection;
  CHECK(class_of(net) == NetworkClass::detection);
}

TEST_CASE("a GPU that attains less with other models is expected to do so with this one") {
  const auto m = model("m", 1'000'000'000, {});
  const auto other = model("other", 2'000'000'000, {});
  const auto known = gpu("known", 10_TFLOPps, 1_TBps);
  const auto asked = gpu("asked", 2_TFLOPps, 1_TBps);
  const auto own = row(known, 20, 0.03);         // 0.6 ms x 20: 40 %
  const auto there = row(known, 10, 0.02);       // 1.2 ms x 10: 60 %
  const auto here = row(asked, 10, 0.12);        // 6 ms x 10: 50 %
  const auto elsewhere = row(asked, 99, 0.999);  // no such batch on the other GPU
  const auto line = estimate_step(m, ref(asked), "fp32", {{&m, &own}},
                                  {{&other, &there}, {&other, &here}, {&other, &elsewhere}}, {});
  REQUIRE(line);
  CHECK(line->per_sample.value == approx(6e9 / 2e12 / (0.4 * 50 / 60)));
  CHECK(
      line->source.ends_with("33 %: one measured rate of m on known, corrected by how other "
                             "models fare on asked"));
}

TEST_CASE("one known batch leads to others as the step grows on other GPUs") {
  const auto m = model("m", 1'000'000'000, {});
  const auto fast = gpu("fast", 10_TFLOPps, 1_TBps);
  const auto low = row(fast, 20, 0.03);
  const auto high = row(fast, 90, 0.1);
  const auto single = row(gpu("slow", 2_TFLOPps, 1_TBps), 50, 0.6);
  const auto line = line_through(single, {{&m, &low}, {&m, &high}, {&m, &single}}, 9_ms);
  REQUIRE(line);
  CHECK((line->start + line->per_sample * 50).value == approx(0.6));
  CHECK((line->start + line->per_sample * 110).value == approx(0.6 * 120 / 60));
  CHECK_FALSE(line_through(single, {{&m, &single}}, {}));
}

TEST_CASE("one known batch alone leads to others by the framework's t0, at most half of its step") {
  const auto m = model("m", 1'000'000'000, {});
  const auto single = row(gpu("slow", 2_TFLOPps, 1_TBps), 50, 0.6);
  const auto line = line_through(single, {{&m, &single}}, 100_ms);
  REQUIRE(line);
  CHECK(line->start.value == approx(0.1));
  CHECK((line->start + line->per_sample * 5).value == approx(0.1 + 0.05));
  CHECK(line->source == "with 100 ms of every step that no batch shortens");
  CHECK(line_through(single, {{&m, &single}}, 2_s)->start.value == approx(0.3));
}

TEST_CASE("only rates that tell of computing alone teach") {
  const auto m = model("m", 1'000'000'000, {});
  auto one = row(gpu("g", 10_TFLOPps, 1_TBps), 10, 1);
  CHECK(can_teach(m, one, "fp32"));
  CHECK_FALSE(can_teach(m, one, "fp16"));
  one.includes = {Includes::exchange};
  CHECK_FALSE(can_teach(m, one, "fp32"));
  one.includes = {};
  one.basis = Basis::estimate;
  CHECK_FALSE(can_teach(m, one, "fp32"));
}

TEST_CASE("weights, gradients and what the optimizer keeps take memory by the number format") {
  const auto m = model("m", 1, 8_MB);  // one million parameters
  CHECK(gpu_memory(m, "fp32", Optimizer::sgd).fixed() == 8_MB);
  CHECK(gpu_memory(m, "fp32", Optimizer::momentum).fixed() == 12_MB);
  CHECK(gpu_memory(m, "fp32", Optimizer::adam).fixed() == 16_MB);
  // Mixed: 2 + 4 B of weights, 2 B of gradients, 4 B for each number that the optimizer keeps.
  CHECK(gpu_memory(m, "fp16", Optimizer::adam).fixed() == 16_MB);
  CHECK(gpu_memory(m, "fp64", Optimizer::momentum).fixed() == 24_MB);
  CHECK(gpu_memory(m, "fp32", Optimizer::sgd).at(10) == 88_MB);
  CHECK(gpu_memory(m, "bf16", Optimizer::sgd).at(10) == 48_MB);
}
