// SPDX-License-Identifier: Apache-2.0
// What the loader makes of GPUs and boards: rates learned from others, memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/decoders.h"
#include "tests/support/one_gpu.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// A data set that does not say what it holds.
const std::string kAnything =
    "{ title = \"t\", samples = 1_000_000, sample_size = \"1 MB\", decode_time = \"1 ms\" }";

Scenario load(const std::string& text) { return parse_scenario(text, "test.toml", own_catalog()); }

std::string error_of(const std::string& text) {
  return refusal_of([&] { load(text); });
}

/// As a loader names them, for which none is too large.
std::vector<Ref<Model>> all_models() {
  std::vector<Ref<Model>> models;
  for (const auto& name : own_catalog().names(Model::kKind))
    models.push_back(load(one_gpu("nvidia-p100-sxm2-16gb", "", kAnything) +
                          "kind = \"loader\"\nmodel = \"" + name + "\"\n")
                         .workload.model());
  return models;
}

/// GPUs that differ in memory alone teach each other too easily: "v100-sxm2" of "v100-sxm2-16gb".
std::string chip(const std::string& gpu) {
  return gpu.ends_with("gb") ? gpu.substr(0, gpu.rfind('-')) : gpu;
}

/// What is known when this rate is not: of the model on other GPUs, and of other models.
struct Lessons {
  std::vector<MeasuredRate> own, others;
};

Lessons lessons_for(const std::vector<Ref<Model>>& models, const Model& model,
                    const ComputeRow& asked) {
  Lessons out;
  for (const auto& other : models)
    for (const auto& row : other->compute) {
      if (!can_teach(*other, row, asked.precision)) continue;
      if (&*other != &model && can_teach_others(*other))
        out.others.push_back({&*other, &row});
      else if (&*other == &model && chip(row.gpu.name) != chip(asked.gpu.name))
        out.own.push_back({&*other, &row});
    }
  return out;
}

/// Whether it is newer than all GPUs of which something is left to learn from.
bool beyond_all(const Gpu& gpu, const Lessons& lessons) {
  for (const auto* rates : {&lessons.own, &lessons.others})
    for (const auto& rate : *rates)
      if (rate.row->gpu->released >= gpu.released) return false;
  return true;
}

/// |ln| of estimated over measured step times, sorted; of those that say that they are outside what
/// estimates were seen for, or are of a generation to come, the number.
struct Errors {
  std::vector<double> within;
  std::size_t outside = 0;
};

/// For every rate of the catalog, as if it were not known. `forget` takes away more of what is.
template <class Forget>
Errors errors(const Forget& forget) {
  Errors found;
  const auto models = all_models();
  for (const auto& model : models)
    for (const auto& row : model->compute) {
      if (!can_teach_others(*model) || !can_teach(*model, row, row.precision)) continue;
      Lessons lessons = lessons_for(models, *model, row);
      forget(lessons, row.gpu.name);
      const auto line =
          estimate_step(*model, row.gpu, row.precision, lessons.own, lessons.others, {0.01});
      if (!line) continue;
      const auto batch = static_cast<double>(row.batch);
      const double step = (line->start + line->per_sample * batch).value;
      const double measured = batch / row.rate.value;
      if (line->beyond.empty() && !beyond_all(*row.gpu, lessons))
        found.within.push_back(std::abs(std::log(step / measured)));
      else
        ++found.outside;
    }
  std::ranges::sort(found.within);
  return found;
}

}  // namespace

TEST_CASE("a rate that nobody measured is learned from other GPUs, else from other models") {
  const auto other_gpus = load(one_gpu("nvidia-k40") + "model = \"resnet-50\"\n");
  CHECK(other_gpus.workload.get<ComputesModel>().step_lines.at(0).source.find("of resnet-50 on ") !=
        std::string::npos);
  const auto other_models = load(one_gpu("nvidia-p100-sxm2-16gb") + "model = \"googlenet\"\n")
                                .workload.get<ComputesModel>()
                                .step_lines;
  // Of its class Inception alone was measured in FP32.
  CHECK(other_models.at(0).source.find(" of inception-v3 on ") != std::string::npos);
  const auto anything = load(one_gpu("nvidia-k40") + "model = \"googlenet\"\n");
  CHECK(anything.workload.get<ComputesModel>().step_lines.at(0).source.find("nvidia-k80-die") !=
        std::string::npos);
}

TEST_CASE("a decoder's step on GPUs whose maker no constant knows says so") {
  const auto line = [](const std::string& system) {
    return load("title = \"t\"\nsystem = \"" + system +
                "\"\n[workload]\nmodel = \"llama-3.2-1b\"\nprecision = \"bf16\"\n"
                "global_batch = 8\nattention = \"flash-3\"\ndataset = { title = \"d\", samples = "
                "100000, sample_size = \"16 kB\" }\n[loader]\ndecode = \"none\"\n"
                "[data]\nat = \"scratch\"\n")
        .workload.get<ComputesModel>()
        .step_lines.at(0);
  };
  CHECK(line("nvidia-dgx-h100").whole_step);
  CHECK(line("nvidia-dgx-h100").beyond.empty());
  CHECK(line("amd-mi300x-8-gpus").whole_step);
  CHECK(line("amd-mi300x-8-gpus").beyond == std::vector{Beyond::maker_unmeasured});
  CHECK(line("amd-mi300x-8-gpus").likeness == Likeness::unlike);
}

TEST_CASE("an estimate says where no GPU of its generation, or of its maker, was measured") {
  const auto line = [](const std::string& gpu, const std::string& more) {
    return load(one_gpu(gpu) + "model = \"resnet-152\"\nbatch_per_gpu = 8\n" + more)
        .workload.get<ComputesModel>()
        .step_lines.at(0);
  };
  const auto beyond = [&](const std::string& gpu, const std::string& precision) {
    return line(gpu, "precision = \"" + precision + "\"\n").beyond;
  };
  const std::vector generation{Beyond::generation_unmeasured}, maker{Beyond::maker_unmeasured};
  CHECK(beyond("nvidia-h100-sxm5-80gb", "mixed").empty());
  CHECK(beyond("nvidia-b200-sxm-180gb", "bf16") == generation);
  CHECK(beyond("nvidia-l40s", "fp16") == generation);
  CHECK(beyond("nvidia-p100-sxm2-16gb", "fp16") == generation);
  CHECK(beyond("nvidia-a100-sxm4-80gb", "fp32") == generation);
  CHECK(beyond("amd-mi300x", "fp16") == maker);
  CHECK(beyond("nvidia-a100-pcie-40gb", "fp16").empty());
  CHECK(beyond("nvidia-v100-pcie-16gb", "fp32").empty());
  // What is left out to see how estimates fare is what they were seen for.
  CHECK(line("nvidia-a100-sxm4-80gb", "precision = \"fp16\"\nlearn_from = \"other-gpus\"\n")
            .beyond.empty());
  // But for the newest: without it, it is a generation to come.
  const auto newest =
      line("nvidia-h200-sxm5-141gb", "precision = \"fp16\"\nlearn_from = \"other-gpus\"\n");
  CHECK(newest.beyond == generation);
  CHECK(newest.likeness == Likeness::other_generation);

  CHECK(line("nvidia-b200-sxm-180gb", "precision = \"fp16\"\n").likeness ==
        Likeness::other_generation);
  CHECK(line("amd-mi300x", "precision = \"fp16\"\n").likeness == Likeness::unlike);
  // A rate on another GPU of the generation makes it known.
  CHECK(line("nvidia-b200-sxm-180gb",
             "precision = \"fp16\"\n[[workload.compute]]\ngpu = \"nvidia-gb200-186gb\"\n"
             "batch = 64\nrate = \"1000 samples/s\"\nprecision = \"fp16\"\n"
             "source = \"a test\"\nbasis = \"measured\"\n")
            .beyond.empty());
  // Nobody knows what a GPU is like that does not say it.
  const auto own = load(
      "[system]\n"
      "title = \"one GPU\"\n"
      "socket = [{ id = \"cpu0\", model = \"intel-xeon-e5-2698v4\", memory = \"256 GiB\" }]\n"
      "drive = [{ id = \"ssd0\", model = \"samsung-pm1733-15.36tb\", at = \"cpu0\" }]\n"
      "[[system.gpu]]\n"
      "id = \"gpu0\"\n"
      "at = \"cpu0\"\n"
      "model = { title = \"mine\", source = \"a test\", basis = \"estimate\", link = \"pcie-4.0\", "
      "lanes = 16, memory = \"80 GiB\", peak_fp32 = \"20 TFLOP/s\" }\n"
      "[data]\n"
      "at = \"ssd0\"\n"
      "[workload]\n"
      "dataset = \"imagenet-1k\"\n"
      "model = \"resnet-152\"\n"
      "batch_per_gpu = 8\n");
  const StepLine& unknown = own.workload.get<ComputesModel>().step_lines.at(0);
  CHECK(unknown.beyond == std::vector{Beyond::generation_unknown});
  CHECK(unknown.likeness == Likeness::other_generation);
}

TEST_CASE("measured rates come before estimates, the workload's own before the model's") {
  const std::string own =
      "model = \"resnet-50\"\n"
      "[[workload.compute]]\n"
      "gpu = \"nvidia-p100-sxm2-16gb\"\n"
      "batch = 64\n"
      "rate = \"1000 samples/s\"\n"
      "source = \"a test\"\n"
      "basis = \"measured\"\n";
  CHECK(load(one_gpu("nvidia-v100-sxm2-16gb") + own)
            .workload.get<ComputesModel>()
            .step_lines.size() == 1);
  CHECK(load(one_gpu("nvidia-p100-sxm2-16gb") + own)
            .workload.get<ComputesModel>()
            .step_lines.at(0)
            .source.starts_with("from how the step grows"));
  CHECK(load(one_gpu("nvidia-p100-sxm2-16gb") + "model = \"resnet-50\"\n")
            .workload.get<ComputesModel>()
            .step_lines.empty());
}

TEST_CASE("a rate that includes the exchange has a fixed part of its step, too") {
  const auto lines = load(one_gpu("nvidia-k40") +
                          "framework = \"mxnet\"\n"
                          "batch_per_gpu = 50\n"
                          "[workload.model]\n"
                          "title = \"m\"\n"
                          "parameters = 1000\n"
                          "input_size = \"1 kB\"\n"
                          "[[workload.compute]]\n"
                          "gpu = \"nvidia-k40\"\n"
                          "batch = 200\n"
                          "rate = \"1000 samples/s\"\n"
                          "includes = [\"exchange\", \"barrier\"]\n"
                          "source = \"a test\"\n"
                          "basis = \"measured\"\n")
                         .workload.get<ComputesModel>()
                         .step_lines;
  REQUIRE(lines.size() == 1);
  // MXNet's 10 ms, and 190 ms of 200 samples.
  CHECK((lines[0].start + lines[0].per_sample * 50).value == approx(0.010 + 0.190 / 4));
}

TEST_CASE("a rate that cannot even be estimated is refused, with the reason") {
  const std::string unknown =
      "[workload.model]\n"
      "title = \"unknown\"\n"
      "parameters = 10\n"
      "input_size = \"1 kB\"\n";
  CHECK(error_of(one_gpu("nvidia-k40") + unknown) ==
        "test.toml:10:1: error: workload.model: no training rate of workload.model on nvidia-k40 "
        "in fp32 is known; none is known at all; none can be estimated: workload.model does not "
        "say its multiply_adds; add a [[workload.compute]] table with a measured rate\n");
  CHECK(
      error_of(one_gpu("nvidia-k40") + "precision = \"fp16\"\n" + unknown + "multiply_adds = 10\n")
          .find("none can be estimated: nvidia-k40 does not say its peak in fp16; add") !=
      std::string::npos);
  CHECK(
      error_of(one_gpu("nvidia-l40s") + "precision = \"fp8\"\n" + unknown + "multiply_adds = 10\n")
          .find("none can be estimated: no measured rate of any model in fp8 is known to learn "
                "from; add") != std::string::npos);
}

TEST_CASE("two rates of one batch are refused") {
  const std::string row =
      "[[workload.compute]]\n"
      "gpu = \"nvidia-k40\"\n"
      "batch = 64\n"
      "rate = \"1000 samples/s\"\n"
      "source = \"a test\"\n"
      "basis = \"measured\"\n";
  CHECK(error_of(one_gpu("nvidia-k40") + "model = \"resnet-50\"\n" + row + row) ==
        "test.toml:17:1: error: resnet-50 has two training rates on nvidia-k40 in fp32 at batch "
        "64; leave one out\n");
}

TEST_CASE("estimates from other GPUs come near what was measured") {
  const auto found = errors([](Lessons&, const std::string&) {}).within;
  REQUIRE(found.size() >= 60);
  CHECK(found[found.size() / 2] < std::log(1.10));
  CHECK(found[found.size() * 19 / 20] < std::log(1.4));
  // PyTorch as it comes, learned from TensorFlow's fused kernels: U-Net 1.58, Swin 1.50.
  CHECK(found.back() < std::log(1.6));
}

TEST_CASE("estimates from networks of the class are good, and others say that they are not") {
  const auto found = errors([](Lessons& lessons, const std::string&) { lessons.own.clear(); });
  REQUIRE(found.within.size() >= 60);
  CHECK(found.within[found.within.size() / 2] < std::log(1.15));
  CHECK(found.within.back() < std::log(1.6));
  CHECK(found.outside * 4 < found.within.size() + found.outside);
}

TEST_CASE("where neither model nor GPU is known, estimates are good within a factor, too") {
  const auto found = errors([](Lessons& lessons, const std::string& gpu) {
                       lessons.own.clear();
                       std::erase_if(lessons.others, [&](const auto& rate) {
                         return chip(rate.row->gpu.name) == chip(gpu);
                       });
                     }).within;
  REQUIRE(found.size() >= 40);
  CHECK(found[found.size() / 2] < std::log(1.3));
  CHECK(found.back() < std::log(2.0));
}

TEST_CASE("what does not fit the GPU's memory is refused, with the largest batch that does") {
  // 60.3 M parameters x 12 B, and 219 MB a sample: (12 GiB - 0.724 GB) / 219 MB = 55.5.
  CHECK(error_of(one_gpu("nvidia-k40") + "model = \"resnet-152\"\n") ==
        "test.toml:8:1: error: workload.batch_per_gpu: training resnet-152 in fp32 takes 14.7 GB "
        "at batch 64 (724 MB for parameters, gradients and momentum; 219 MB a sample for "
        "activations), and nvidia-k40 has 12.9 GB; at most 55 samples fit\n");
  CHECK(error_of(one_gpu("nvidia-k40") + "model = \"resnet-152\"\nbatch_per_gpu = 55\n") ==
        "accepted");
  CHECK(error_of(one_gpu("nvidia-k40") + "model = \"resnet-152\"\nbatch_per_gpu = 56\n") !=
        "accepted");
}

TEST_CASE("a model too large for a GPU is refused even where its activations are not known") {
  const std::string large =
      "optimizer = \"adam\"\n"
      "[workload.model]\n"
      "title = \"large\"\n"
      "parameters = 1_000_000_000\n"
      "multiply_adds = 1_000_000_000\n"
      "input_size = \"1 kB\"\n";
  CHECK(error_of(one_gpu("nvidia-k40") + large) ==
        "test.toml:8:1: error: workload.model: training workload.model in fp32 takes 16 GB for "
        "parameters, gradients and adam, and 0 B a sample for activations; not even one sample "
        "fits into the 12.9 GB of nvidia-k40\n");
  CHECK(error_of(one_gpu("nvidia-v100-sxm2-32gb") + large) == "accepted");
  const std::string cluster =
      "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = " + kLlamaByClass +
      "\ndataset = \"llama-2-corpus\"\nprecision = \"bf16\"\noptimizer = \"adam\"\n"
      "batch_per_gpu = 1\n[loader]\ndecode = \"none\"\n";
  CHECK(error_of(cluster) ==
        "test.toml:2:1: error: workload.model: training workload.model in bf16 takes 128 GB for "
        "parameters, gradients and adam, and 31.1 GB a sample for activations; not even one "
        "sample fits into the 85.9 GB of nvidia-h100-sxm5-80gb; parallel.shard divides among GPUs "
        "what copies of the model have in common, parallel.tensor and parallel.pipeline the "
        "model\n");
}

TEST_CASE("every rate of the catalog was measured at a batch that fits the GPU") {
  for (const auto& model : all_models())
    for (const auto& row : model->compute) {
      CAPTURE(model.name);
      CAPTURE(row.gpu.name);
      CHECK(gpu_memory(*model, row.precision, Optimizer::sgd).at(row.batch) <= row.gpu->memory);
    }
}

TEST_CASE("dies of a board say which, and are no more than it carries") {
  CHECK(error_of(one_gpu("nvidia-k80-die") + "model = \"vgg-16\"\n") ==
        "test.toml:5:8: error: gpu \"gpu0\": a board of nvidia-k80-die carries 2 of them; name "
        "the one it is on, such as board = \"board0\"\n");
  CHECK(error_of(one_gpu("nvidia-k80-die", ", board = \"b0\"") + "model = \"vgg-16\"\n") ==
        "accepted");
  CHECK(error_of(one_gpu("nvidia-k40", ", board = \"b0\"") + "model = \"vgg-16\"\n") ==
        "test.toml:5:8: error: gpu \"gpu0\": board is given, but nvidia-k40 has its board for "
        "itself; leave it out\n");
  const std::string die =
      "{ id = \"gpuN\", model = \"nvidia-k80-die\", at = \"cpu0\", board = "
      "\"b0\" }";
  std::string three = one_gpu("nvidia-k80-die",
                              ", board = \"b0\" }, " + die + ", " + die.substr(0, die.size() - 2));
  for (const char* id : {"gpu1", "gpu2"}) three.replace(three.find("gpuN"), 4, id);
  CHECK(
      error_of(three + "model = \"vgg-16\"\n")
          .find("gpu \"gpu2\": 3 GPUs are on board \"b0\", and one of nvidia-k80-die carries 2") !=
      std::string::npos);
}
