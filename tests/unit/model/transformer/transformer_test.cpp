// SPDX-License-Identifier: Apache-2.0
// The law of a decoder's step against hand calculations and values worked out beside it.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/model/transformer/adapters.h"
#include "sim/model/transformer/layer.h"
#include "sim/model/transformer/memory.h"
#include "sim/model/transformer/optimizer.h"
#include "sim/model/transformer/step.h"
#include "sim/model/transformer/traffic.h"
#include "tests/support/approx.h"
#include "tests/support/decoders.h"

using namespace gpufeed;

namespace {

const std::string kFsdp = "parallel = { shard = \"parameters\" }";

/// Llama 3 8B of two samples of 8192 tokens on each of eight GPUs.
TransformerJob llama(const std::string& system, const std::string& workload = "") {
  return decoder_job(system, "llama-3-8b", "precision = \"bf16\"\nbatch_per_gpu = 2\n" + workload,
                     kFsdp);
}

TransformerJob with(TransformerJob job, AttentionKernel kernel) {
  job.training.attention = kernel;
  return job;
}

double ms(Seconds time) { return time.value * 1e3; }

GpuWays ways(std::int64_t node_gpus) {
  using namespace literals;
  return {node_gpus, 100_GBps, {}, 10_GBps, {}, {}, {}, {}, {}};
}

}  // namespace

TEST_CASE("attention of Llama 3 8B over 8192 tokens takes what its kernels do on each GPU") {
  const TransformerJob h100 = llama("nvidia-dgx-h100"), a100 = llama("nvidia-dgx-a100");
  // By hand: 1.0995 PFLOP; exponentials take as long as products of heads of 59.15 (H100)
  // and 31.97.
  const double pflop = 2 * 16384.0 * 8192 * 32 * 256 / 2 / 1e12;
  CHECK(pflop == approx(1.0995).epsilon(1e-3));
  CHECK(ms(attention_time(with(h100, AttentionKernel::flash_3))) ==
        approx(pflop / 0.989 / (0.77 * 128 / (128 + 59.15) * 8192 / 9216)).epsilon(1e-3));
  CHECK(ms(attention_time(with(h100, AttentionKernel::flash_2))) ==
        approx(pflop / 0.989 / (0.8 * 128 / (128 / 0.62 + 59.15) * 8192 / 8704)).epsilon(1e-3));
  for (const auto kernel : {AttentionKernel::flash_2, AttentionKernel::flash_3})
    CHECK(ms(attention_time(with(a100, kernel))) ==
          approx(pflop / 0.312 / (0.8 * 128 / (128 / 0.93 + 31.97) * 8192 / 8704)).epsilon(1e-3));
  CHECK(ms(attention_time(with(a100, AttentionKernel::flash_1))) ==
        approx(pflop / 0.312 / (0.38 * 0.93 * 8192 / 8704)).epsilon(1e-3));
}

TEST_CASE("small heads of attention wait for exponentials, and a GPU with more of these less") {
  TransformerJob job = with(llama("nvidia-dgx-h100"), AttentionKernel::flash_3);
  const double large = attention_time(job).value;
  job.architecture.heads *= 2;
  job.architecture.kv_heads = *job.architecture.kv_heads * 2;
  job.architecture.head_dim = 64;  // as many FLOP
  const double small = attention_time(job).value;
  CHECK(small / large == approx((64 + 59.15) / 64 * 128 / (128 + 59.15)).epsilon(1e-3));
  job.gpu.peak_exponentials = *job.gpu.peak_exponentials * 1e6;
  CHECK(attention_time(job).value == approx(large * 128 / (128 + 59.15)).epsilon(1e-3));
}

TEST_CASE("attention that keeps its scores computes and moves the whole square") {
  const TransformerJob job = with(llama("nvidia-dgx-a100"), AttentionKernel::unfused);
  const double scores = 16384.0 * 8192 * 32;
  const double expected =
      2 * scores * 256 / (312e12 * 0.93 * 0.87 * 0.7) + 13 * scores / (0.85 * 1.555e12);
  CHECK(attention_time(job).value == approx(expected));
}

TEST_CASE("passes over activations are counted, and more of them without compiled kernels") {
  TransformerJob job = llama("nvidia-dgx-h100");
  CHECK(ms(passes_time(job, false)) == approx(2.07).epsilon(0.005));
  job.training.compile = true;
  CHECK(ms(passes_time(job, false)) == approx(1.22).epsilon(0.005));
  const LayerTime layer = layer_time(job, false);
  CHECK(ms(layer.backward[StepPart::passes]) == approx(1.5 * ms(layer.forward[StepPart::passes])));
}

TEST_CASE("quantizing reads and writes what products take in and give out") {
  TransformerJob job = llama("nvidia-dgx-h100");
  CHECK(layer_time(job, false).forward[StepPart::quantizing].value == 0);
  job.training.precision = "fp8";
  CHECK(ms(layer_time(job, false).forward[StepPart::quantizing]) == approx(0.94).epsilon(0.005));
}

TEST_CASE("an optimizer passes over what it keeps, weights and gradients") {
  kind::Training training;
  training.optimizer = Optimizer::adam;
  // fp32: weight, mean and variance read and written, gradient read and zeroed; 16 bits written
  CHECK(optimizer_bytes(training).matrices == 3 * 2 * 4 + 2 * 4 + 2);
  training.master_weights = false;
  // 16 bits: weight, mean and variance read and written, gradient read
  CHECK(optimizer_bytes(training).matrices == 3 * 2 * 2 + 2);
  training.optimizer = Optimizer::sgd;
  CHECK(optimizer_bytes(training).matrices == 2 * 2 + 2);

  TransformerJob job = llama("nvidia-dgx-h100", "master_weights = false\n");
  job.parallel.shard = Sharding::none;
  job.gpus = 1;
  CHECK(transformer_step(job)[StepPart::optimizer].value ==
        approx(14 * 8.03e9 / (0.85 * 3.35e12)).epsilon(0.001));
}

TEST_CASE("LoRA computes no gradients of frozen weights, and passes over what adapters take") {
  TransformerJob job = llama("nvidia-dgx-h100");
  job.parallel.shard = Sharding::none;
  CHECK(adapter_time(job, false).forward.value == 0);
  const LayerTime full = layer_time(job, false);
  job.training.lora = true;
  const LayerTime lora = layer_time(job, false);
  CHECK(lora.forward[StepPart::products].value == full.forward[StepPart::products].value);
  // of three products each, all of about the same shape, one is left out
  CHECK(lora.backward[StepPart::products] / full.backward[StepPart::products] ==
        approx(0.5).epsilon(0.05));
  // by hand: 16,384 tokens through qkv, o, gate and up, and down
  const double inputs = 3 * 4096 + 14336, outputs = 6144 + 4096 + 2 * 14336 + 4096;
  const double rate = 0.85 * 3.35e12;
  const AdapterTime half = adapter_time(job, false);
  CHECK(half.forward.value == approx(16384 * (2 * inputs + 12 * outputs) / rate));
  CHECK(half.backward.value == approx(16384 * (10 * inputs + 8 * outputs) / rate));
  const Bytes activations = token_activations(job, false);
  job.training.lora_precision = AdapterPrecision::fp32;
  CHECK(adapter_time(job, false).forward.value > 2 * half.forward.value);
  CHECK((token_activations(job, false) - activations).value == 4 * inputs);
}

TEST_CASE("the loss passes over logits in fp32") {
  TransformerJob job = llama("nvidia-dgx-h100", "compile = true\n");
  const Seconds whole = head_time(job);
  job.training.chunked_loss = true;
  const double loss = 24 * 16384 * 128256.0 / (0.85 * 3.35e12);
  CHECK(loss * 1e3 == approx(17.7).epsilon(0.005));
  CHECK((whole - head_time(job)).value == approx(loss / 2));
}

TEST_CASE("each token goes once to every GPU, or node, that holds some of its experts") {
  const Bytes tokens{2 * 4096 * 7168.0};
  using enum Dispatcher;
  CHECK(dispatched(deepep, tokens, 64, 8).value == approx(438e6).epsilon(0.005));
  CHECK(dispatched(deepep, tokens, 8, 8).value == approx(270e6).epsilon(0.005));
  // By hand: of one expert among two GPUs, every second token leaves
  for (const Dispatcher by : {deepep, alltoall})
    CHECK(dispatched(by, tokens, 2, 1).value == approx(tokens.value / 2));
  // and with all experts of all GPUs, each goes to every other
  CHECK(dispatched(deepep, tokens, 4, 1000).value == approx(3 * tokens.value));
  // A copy for each of eight experts, seven of eight of which lie elsewhere
  CHECK(dispatched(alltoall, tokens, 8, 8).value == approx(7 * tokens.value));
}

TEST_CASE("tokens that travel while another micro-batch computes are waited for in part") {
  const auto step = [](const std::string& overlap) {
    const auto job =
        decoder_job("nvidia-dgx-h100", "qwen3-30b-a3b", "precision = \"bf16\"\nbatch_per_gpu = 1\n",
                    "parallel = { expert = 8, shard = \"optimizer\"" + overlap + " }");
    const LayerTime layer = layer_time(job, true);
    StepParts both = layer.forward;
    both += layer.backward;
    return both;
  };
  const StepParts alone = step(""), beside = step(", expert_overlap = true");
  const double exchange = alone[StepPart::experts].value;
  const double computing = alone.all().value - exchange;
  REQUIRE(exchange < computing);
  // NCCL's kernels take their share of the GPU from what computes: contention, 45 %
  CHECK(beside[StepPart::experts].value == approx(0.45 * exchange));
  CHECK(beside.all().value == approx(computing + 0.45 * exchange));
}

TEST_CASE("gradients of frozen weights do not count as FLOP of a model's passes") {
  const auto job = [](const std::string& lora) {
    return decoder_job("nvidia-dgx-h100", "llama-3.2-1b",
                       "precision = \"bf16\"\nbatch_per_gpu = 1\nsequence = 16\n" + lora);
  };
  // Of 16 tokens attention's scores are nothing: two products of three are left
  const TransformerJob full = job(""), lora = job("lora = true\n");
  const double flop_full = model_flop_utilization(full).value / tokens_per_gpu(full);
  const double flop_lora = model_flop_utilization(lora).value / tokens_per_gpu(lora);
  CHECK(flop_lora / flop_full == approx(2.0 / 3).epsilon(1e-3));
}

TEST_CASE("weights in 4 bits take a quarter of the memory, and passes before each use") {
  const auto job = [](const std::string& keys) {
    return decoder_job("nvidia-dgx-h100", "llama-3-8b",
                       "precision = \"bf16\"\nbatch_per_gpu = 1\nlora = true\n" + keys);
  };
  const TransformerJob wide = job(""), narrow = job("frozen_weights = \"nf4\"\n");
  // By hand: 128,256 words of 4,096 numbers twice in 16 bits, all else in 4.127 bits
  const double tables = 2 * 128256.0 * 4096, all = 8030261248;
  CHECK(transformer_memory(narrow).weights.value ==
        approx(2 * tables + (all - tables) * 4.127 / 8).epsilon(1e-3));
  const LayerTime more = layer_time(narrow, false), less = layer_time(wide, false);
  const double weights = 218103808;  // of a layer
  const double pass = weights * (2 + 4.127 / 8) / (0.85 * 3.35e12);
  for (const auto way : {&LayerTime::forward, &LayerTime::backward})
    CHECK(((more.*way)[StepPart::quantizing] - (less.*way)[StepPart::quantizing]).value ==
          approx(pass).epsilon(2e-3));
}

TEST_CASE("experts take their even share of tokens times their capacity") {
  const auto job = [](const std::string& capacity) {
    return decoder_job("nvidia-dgx-h100", "qwen3-30b-a3b",
                       "precision = \"bf16\"\nbatch_per_gpu = 1\n" + capacity,
                       "parallel = { expert = 8, shard = \"optimizer\", dispatcher = "
                       "\"alltoall\" }");
  };
  const TransformerJob even = job(""), twice = job("expert_capacity = \"200 %\"\n");
  CHECK(routed_tokens(even) == approx(4096 * 8));
  CHECK(routed_tokens(twice) == approx(2 * 4096 * 8));
  CHECK(routed_tokens(job("expert_capacity = \"100 %\"\n")) == approx(4096 * 8));
  CHECK((dispatch_time(twice) - dispatch_time(even)).value ==
        approx((dispatch_time(even) - even.ways.local_step * 7).value));
}

TEST_CASE("kernels before experts are recorded without those of experts") {
  const auto host = [](const std::string& graphs) {
    const auto job = decoder_job("nvidia-dgx-h100", "qwen3-30b-a3b",
                                 "precision = \"bf16\"\nbatch_per_gpu = 1\n" + graphs,
                                 "parallel = { expert = 8, shard = \"optimizer\" }");
    return layer_time(job, true).forward[StepPart::host].value;
  };
  const double none = host(""), all = host("cuda_graphs = true\n");
  const double part = host("cuda_graphs = true\ncuda_graph_scope = \"attention\"\n");
  CHECK(all == 0);
  CHECK(part > 0);
  CHECK(part < none);
}

TEST_CASE("layers that do not divide evenly leave the last stage room for the output") {
  TransformerJob job =
      decoder_job("nvidia-dgx-h100", "llama-3.2-1b", "precision = \"bf16\"\nbatch_per_gpu = 8\n",
                  "parallel = { pipeline = 4, micro_batch = 1 }");
  const double head = head_time(job).value;
  const auto busiest = [&](std::int64_t layers) {  // of a micro-batch, without ends
    job.architecture.layers = layers;
    job.micro_batches = 1e6;
    const StepParts parts = transformer_step(job);
    return (parts.all() - parts[StepPart::stages] - parts[StepPart::gradients] -
            parts[StepPart::optimizer])
               .value /
           job.micro_batches;
  };
  StepParts both = layer_time(job, false).forward;
  both += layer_time(job, false).backward;
  const double layer = both.all().value;
  CHECK(busiest(16) == approx(4 * layer + head).epsilon(1e-4));
  // 4, 4, 4 and 2 with the output
  CHECK(busiest(14) == approx(std::max(4 * layer, 2 * layer + head)).epsilon(1e-4));
  CHECK(busiest(13) == approx(std::max(4 * layer, 1 * layer + head)).epsilon(1e-4));
}

TEST_CASE("a pipeline's factor is what a drawing of 1F1B shows") {
  CHECK(pipeline_factor(8, 1, 8) == approx(1.875));
  CHECK(pipeline_factor(8, 2, 8) == approx(1.4375));
  // Stages one after the other: micro-batch i leaves stage s when both it and the stage are ready
  for (const int stages : {1, 2, 5})
    for (const int batches : {1, 4, 9}) {
      std::vector<double> free(static_cast<std::size_t>(stages), 0.0);
      double end = 0;
      for (int batch = 0; batch < batches; ++batch) {
        end = 0;
        for (double& stage : free) stage = end = std::max(end, stage) + 1;
      }
      CHECK(pipeline_factor(stages, 1, batches) == approx(end / batches));
    }
}

TEST_CASE("gathering takes a node's links or its cards, whichever is longer") {
  const Bytes buffer{1e9};
  CHECK(gather_time(ways(8), {1}, buffer).value == 0);
  CHECK(gather_time(ways(8), {8}, buffer).value == approx(7.0 / 8 * 1e9 / 100e9));
  // two nodes: half of the buffer over eight cards takes less than the links within
  CHECK(gather_time(ways(8), {16}, buffer).value == approx(15.0 / 16 * 1e9 / 100e9));
  // nodes of two GPUs, and two cards: seven eighths of it take longer
  CHECK(gather_time(ways(2), {16}, buffer).value == approx(7.0 / 8 * 1e9 / 20e9));
  // every eighth GPU has a card of its own, and no link to the others
  CHECK(gather_time(ways(8), {2, 8}, buffer).value == approx(1.0 / 2 * 1e9 / 10e9));
}

TEST_CASE("replicas that share parameters gather twice and scatter once, as far as it is seen") {
  TransformerJob job = llama("nvidia-dgx-h100");
  const LayerTime whole = layer_time(job, false);
  const double bytes = whole.parameters * 7 / 8 / job.ways.local.value;
  const double steps = 7 * job.ways.local_step.value;
  const double gather = 2 * bytes + steps, scatter = 4 * bytes + steps;
  CHECK(whole.forward[StepPart::parameters].value == approx(0.45 * gather));
  CHECK(whole.backward[StepPart::parameters].value == approx(0.45 * (gather + scatter)));
  // where the network is slow, nothing hides it
  job.ways.local = job.ways.local * 0.001;
  const LayerTime slow = layer_time(job, false);
  CHECK(slow.forward.all().value == approx(2 * bytes * 1000 + steps));
}

TEST_CASE("tokens a second of two published layouts, as the law was worked out") {
  TransformerJob mpt = decoder_job("nvidia-dgx-h100", "mpt-7b",
                                   "precision = \"bf16\"\nbatch_per_gpu = 6\n"
                                   "attention = \"flash-1\"\n",
                                   kFsdp);
  CHECK(tokens_per_gpu(mpt) == approx(10280).epsilon(0.05));
  TransformerJob fp8 = decoder_job("nvidia-dgx-h100", "llama-3-8b",
                                   "precision = \"fp8\"\nbatch_per_gpu = 1\n"
                                   "attention = \"flash-3\"\ncompile = true\n",
                                   kFsdp);
  CHECK(tokens_per_gpu(fp8) == approx(12640).epsilon(0.05));  // published: 14,079
}

TEST_CASE("memory: states, activations and logits are what hand calculation counts") {
  const TransformerMemory fsdp =
      transformer_memory(decoder_job("nvidia-dgx-h100", "llama-3-8b",
                                     "precision = \"bf16\"\nbatch_per_gpu = 1\n"
                                     "recompute = \"ops\"\ncompile = true\n",
                                     kFsdp));
  CHECK(fsdp.floor().value == approx(49.9e9).epsilon(0.005));
  CHECK((fsdp.gradients + fsdp.optimizer).value == approx(16 * 8.03e9 / 8).epsilon(0.001));
  // logits in fp32 beside their gradients and 16 bits: 10 B for each of 8192 x 128256
  CHECK(fsdp.logits.value == approx(10 * 8192.0 * 128256));
  CHECK(fsdp.typical().value == approx(1.1 * fsdp.floor().value + 6.5e9));
}

TEST_CASE("memory of a stage: micro-batches under way, and scores that are kept") {
  // 80 x 10240, TP 8, PP 8, two replicas: weights 2 B, gradients 4, half of 12; 2 h a layer and
  // micro-batch, one whole layer of 11 h and 5 heads s / t
  TransformerJob job = decoder_job(
      "aws-p4de.24xlarge",
      "{ title = 'GPT', source = 's', basis = 'estimate', tokens = 2048, architecture = { layers = "
      "80, hidden = 10240, heads = 80, ffn = 40960, gated = false, vocabulary = 51200, tied = true "
      "} }",
      "precision = \"fp16\"\nbatch_per_gpu = 1\nrecompute = \"full\"\nattention = \"unfused\"\n"
      "dropout = true\n",
      "nodes = 16\nparallel = { tensor = 8, pipeline = 8, micro_batch = 2, shard = \"optimizer\" "
      "}");
  const TransformerMemory dropping = transformer_memory(job);
  CHECK(dropping.floor().value == approx(27.3e9).epsilon(0.005));
  job.training.dropout = false;  // of the one whole layer 2 heads s / t
  CHECK((dropping.activations - transformer_memory(job).activations).value ==
        approx(2 * 2048.0 * 3 * 80 * 2048 / 8));
}

TEST_CASE(
    "memory: losses one by one keep more, and frozen weights beside master weights are fp32") {
  const auto of = [](const std::string& keys) {
    return transformer_memory(decoder_job("nvidia-dgx-h100", "llama-3-8b",
                                          "precision = \"bf16\"\nbatch_per_gpu = 1\n" + keys,
                                          kFsdp));
  };
  CHECK(of("").logits.value == approx(16 * 8192.0 * 128256));
  CHECK(of("chunked_loss = true\n").logits.value == approx(10 * 8192.0 * 128256 / 8));
  CHECK(of("master_weights = false\n").logits.value == approx(6 * 8192.0 * 128256));
  CHECK(of("lora = true\n").weights.value == approx(4 * 8.03e9 / 8).epsilon(1e-3));
  CHECK(of("lora = true\nmaster_weights = false\n").weights.value ==
        approx(2 * 8.03e9 / 8).epsilon(1e-3));
}
