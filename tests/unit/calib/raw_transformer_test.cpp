// SPDX-License-Identifier: Apache-2.0
// All measurements here are made up, by sums of a few lines, of a GPU that is known.
#include "calib/fit/raw_transformer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "calib/fit/raw_fit.h"
#include "sim/model/transformer/step.h"
#include "tests/support/decoders.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Beside the catalog's own figures of an H100: 132 processors, 989 TFLOP/s of which products
/// attain 80 %, 3.35 TB/s.
struct MadeUp {
  double memory = 0.9, clock = 0.7, flash_2 = 0.75, passes = 1.2, eager = 1.5, launch_s = 0.6e-3;
};

constexpr double kPeak = 989e12, kMemory = 3.35e12;

TransformerJob job_on_h100() {
  return decoder_job("nvidia-dgx-h100", "llama-3-8b",
                     "precision = \"bf16\"\nbatch_per_gpu = 1\nmaster_weights = false\n",
                     "parallel = { shard = \"parameters\" }");
}

std::string joined(const std::vector<std::string>& rows) {
  std::string out;
  for (const std::string& row : rows) {
    if (!out.empty()) out += ", ";
    out += row;
  }
  return out;
}

/// Large ones, in whole waves of tiles of 128 x 128; 2.7 us to start and 88 steps to fill.
std::string products(const MadeUp& made) {
  std::vector<std::string> rows;
  for (const double k : {4096.0, 8192.0, 16384.0}) {
    const double m = 128 * 132, n = 4096;
    const double compute = 2 * m * n * (k + 88) / (kPeak * 0.8 * made.clock);
    const double memory = 2 * ((m + n) * k + m * n) / (kMemory * 0.85);
    rows.push_back(fmt::format(R"({{"precision": "bf16", "m": {}, "n": {}, "k": {}, "s": {}}})", m,
                               n, k,
                               2.7e-6 + std::cbrt(std::pow(compute, 3) + std::pow(memory, 3))));
  }
  return joined(rows);
}

/// Of 32 heads of 128: half of all scores, two products and an exponential each.
std::string attention(const MadeUp& made, const Gpu& gpu) {
  std::vector<std::string> rows;
  for (const double tokens : {512.0, 2048.0, 4096.0, 16384.0}) {
    const double scores = 32 * tokens * tokens / 2;
    const double products_s = 4 * 128 * scores / (kPeak * gpu.older_attention_share->value);
    const double exponentials_s = scores / gpu.peak_exponentials->value;
    const double ends = (tokens + 512) / tokens;
    const double forward = (products_s + exponentials_s) * ends / made.flash_2;
    rows.push_back(fmt::format(
        R"({{"kernel": "flash_2", "heads": 32, "kv_heads": 8, "head_dim": 128, "batch": 1,
        "sequence": {}, "forward_s": {}, "backward_s": {}}})",
        tokens, tokens < 2048 ? 1 : forward, 3 * forward));
  }
  return joined(rows);
}

/// Read and written: ten times the stream, queries, keys and values twice, three times the ffn.
std::string passes(const MadeUp& made) {
  std::vector<std::string> rows;
  for (const bool compiled : {true, false})
    for (const double hidden : {2048.0, 4096.0, 8192.0}) {
      const double ffn = 3 * hidden, keys = hidden / 4;
      const double bytes = 2 * 8192 * (10 * hidden + 2 * (hidden + 2 * keys) + 3 * ffn);
      rows.push_back(fmt::format(
          R"({{"compiled": {}, "tokens": 8192, "hidden": {}, "heads": {}, "kv_heads": {}, "ffn": {},
          "s": {}}})",
          compiled, hidden, hidden / 128, keys / 128, ffn,
          bytes / (kMemory * made.memory) * made.passes * (compiled ? 1 : made.eager)));
    }
  return joined(rows);
}

std::string raw_of(const MadeUp& made, const std::string& steps, const std::string& name) {
  const std::string copy =
      fmt::format(R"({{"bytes": 1e9, "s": {}}})", 1e9 / (kMemory * made.memory));
  const std::string launch = fmt::format(R"({{"s": {}}})", made.launch_s);
  return fmt::format(
      R"({{"gpufeed_raw": 1, "transformer": {{"tools": "torch 0", "gpu": "{}", "products": [{}],
      "copies": [{}], "attention": [{}], "passes": [{}], "launches": [{}], "optimizer": [],
      "steps": [{}], "left_out": [{{"part": "attention", "why": "no such kernel"}}]}}}})",
      name, products(made), joined({copy, copy, copy}), attention(made, job_on_h100().gpu),
      passes(made), joined({launch, launch, launch}), steps);
}

Calibration fit(const std::string& raw) {
  return fit_raw(raw, "raw", "none", [](const std::string& name) -> std::optional<Gpu> {
    if (name != "a made-up H100") return {};
    return job_on_h100().gpu;
  });
}

/// A small Llama's step on the GPU as it was made up.
double step_s(const MadeUp& made, bool compiled) {
  TransformerJob job = job_on_h100();
  job.parallel = {};
  TransformerLibrary library = **job.gpu.transformers;
  library.memory_share = Ratio{made.memory};
  library.flash_2 = Ratio{made.flash_2};
  library.passes = Ratio{made.passes};
  library.eager_passes = Ratio{made.eager};
  library.launch = Seconds{made.launch_s};
  job.gpu.transformers->entry = std::make_shared<const TransformerLibrary>(library);
  job.gpu.sustained_share = Ratio{made.clock};
  job.architecture = {};
  job.architecture.layers = 8;
  job.architecture.hidden = 2048;
  job.architecture.heads = 16;
  job.architecture.kv_heads = 8;
  job.architecture.ffn = 5632;
  job.architecture.vocabulary = 32000;
  job.training.attention = AttentionKernel::flash_2;
  job.training.compile = compiled;
  job.gpus = 1;
  job.gradient_bytes = 2;
  job.sequence = 4096;
  job.micro_batch = 2;
  job.micro_batches = 1;
  return transformer_step(job).all().value;
}

std::string step_row(double seconds, bool compiled) {
  return fmt::format(
      R"({{"layers": 8, "hidden": 2048, "heads": 16, "kv_heads": 8, "ffn": 5632, "vocabulary": 32000,
      "sequence": 4096, "batch": 2, "compiled": {}, "attention": "flash_2", "s": {}}})",
      compiled, seconds);
}

bool tells(const Calibration& found, const std::string& words) {
  return std::ranges::any_of(
      found.told, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE(
    "parts of a transformer give what the law asks of its GPU, each the value it was made of") {
  const MadeUp made;
  const Calibration found = fit(raw_of(made, "", "a made-up H100"));
  const auto says = [&](const std::string& key, const std::string& value) {
    CAPTURE(key);
    CHECK(found.parameters.find("path = \"system.gpu[gpu*].model." + key + "\"\nvalue = \"" +
                                value + "\"\n") != std::string::npos);
  };
  says("transformers.memory_share", "90 %");
  says("sustained_share", "70 %");
  says("transformers.flash_2", "75 %");
  says("transformers.passes", "120 %");
  says("transformers.eager_passes", "150 %");
  says("transformers.launch", "600 us");
  CHECK(tells(found, "flash_2: its backward pass takes 3 times the forward one"));
  CHECK(std::ranges::count(found.refused, "transformer, attention: no such kernel") == 1);
}

TEST_CASE("steps of a small Llama have no part in the fit, and are told beside the law") {
  const MadeUp made;
  const double compiled = step_s(made, true), eager = step_s(made, false);
  CHECK(eager > compiled);
  const Calibration found = fit(raw_of(
      made,
      joined({step_row(compiled, true), step_row(eager, false), step_row(1.25 * eager, false)}),
      "a made-up H100"));
  CHECK(tells(found, "2 x 4096 tokens, flash-2, compiled"));
  CHECK(tells(found, "-20 %"));
  CHECK(tells(found, "3 steps, of which none had a part in these values: the law departs by 0"));
  CHECK(tells(found, "20 % at most"));
  const Calibration without = fit(raw_of(made, "", "a made-up H100"));
  CHECK(without.parameters == found.parameters);
}

TEST_CASE("what cannot be is refused, and so is a GPU that the catalog does not have") {
  MadeUp fast;
  fast.memory = 1.1;
  const Calibration found = fit(raw_of(fast, "", "a made-up H100"));
  CHECK(std::ranges::any_of(found.refused, [](const std::string& line) {
    return line.starts_with("system.gpu[gpu*].model.transformers.memory_share: 110 %, more than");
  }));
  CHECK(found.parameters.find("memory_share\"\nvalue") == std::string::npos);
  const Calibration none = fit(raw_of({}, "", "a GPU of nobody"));
  CHECK(std::ranges::count(none.refused,
                           "transformer: no GPU of the catalog that times products and "
                           "transformers is called a GPU of nobody") == 1);
  CHECK(none.parameters.find("[[parameter]]") == std::string::npos);
}

TEST_CASE("kernels and formats that nobody knows are refused by name") {
  const auto refused = [](std::string raw, const std::string& from, const std::string& to) {
    raw.replace(raw.find(from), from.size(), to);
    return refusal_of([&] { fit(raw); });
  };
  const std::string raw = raw_of({}, "", "a made-up H100");
  CHECK(refused(raw, "flash_2", "flash_9") ==
        "transformer: error: attention by \"flash_9\"; expected flash_2 or flash_3\n");
  CHECK(refused(raw, "\"s\": 0.0006", "\"s\": 0").find("must be a number above 0; found 0") !=
        std::string::npos);
  std::string narrow = raw;
  narrow.replace(narrow.find("bf16"), 4, "fp3");
  CHECK(std::ranges::count(fit(narrow).refused,
                           "products in fp3: the catalog has no peak of the GPU in it") == 1);
}
