// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "calib/fit/findings.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/kernels/product.h"
#include "sim/model/transformer/layer.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

const std::string kOfGpu = "system.gpu[gpu*].model.";
const std::string kOfLibrary = kOfGpu + "transformers.";

/// The GPU with a library of its own, of which shares that are to be found are 100 %.
struct Subject {
  explicit Subject(const Gpu& from) : gpu(from), library(**from.transformers) {
    gpu.sustained_share = Ratio{1};
    library.passes = library.eager_passes = Ratio{1};
    library.attention = library.flash_2 = Ratio{1};
  }
  /// As laws take it.
  Gpu whole() const {
    Gpu out = gpu;
    out.transformers->entry = std::make_shared<const TransformerLibrary>(library);
    return out;
  }

  Gpu gpu;
  TransformerLibrary library;
};

/// "flash_2" or "flash_3".
AttentionKernel kernel_of(const Json& row) {
  const std::string name = row.at(row.contains("kernel") ? "kernel" : "attention");
  if (name == "flash_2") return AttentionKernel::flash_2;
  if (name == "flash_3") return AttentionKernel::flash_3;
  throw InputError({{{"transformer", 0, 0},
                     fmt::format("attention by \"{}\"; expected flash_2 or flash_3", name)}});
}

/// A model with what a row says of it; what it leaves out is one.
TransformerJob job_of(const Json& row, const Subject& subject) {
  TransformerJob job{
      .architecture = {}, .gpu = subject.whole(), .training = {}, .parallel = {}, .ways = {}};
  const auto count = [&](const char* key, std::int64_t otherwise) {
    return row.contains(key) ? row.at(key).get<std::int64_t>() : otherwise;
  };
  Architecture& own = job.architecture;
  own.layers = count("layers", 1);
  own.heads = count("heads", 1);
  own.kv_heads = count("kv_heads", own.heads);
  own.hidden = count("hidden", own.heads * count("head_dim", 1));
  own.ffn = count("ffn", 1);
  own.vocabulary = count("vocabulary", 1);
  job.training.precision = "bf16";
  job.training.optimizer.value = Optimizer::adam;
  job.training.master_weights = false;
  job.training.compile = row.value("compiled", false);
  job.gradient_bytes = 2;
  job.sequence = static_cast<double>(count("sequence", 1));
  job.micro_batch = static_cast<double>(count("batch", count("tokens", 1)));
  return job;
}

bool take_share(const std::string& path, const std::vector<double>& values, const std::string& law,
                Findings& findings) {
  if (values.empty()) return false;
  if (median(values) > 1) {
    findings.refuse(path, fmt::format("{}, more than can be: the catalog's figures of this GPU, or "
                                      "its clock, are not those of the one measured",
                                      percent_of(median(values))));
    return false;
  }
  return findings.take_repeated<Ratio>(path, values, law);
}

void fit_memory_share(const Json& measured, Subject& subject, Findings& findings) {
  std::vector<double> shares;
  for (const Json& row : measured.at("copies"))
    shares.push_back(row.at("bytes").get<double>() / row.at("s").get<double>() /
                     subject.gpu.memory_bandwidth->value);
  if (take_share(kOfLibrary + "memory_share", shares, "copies on the GPU itself", findings))
    subject.library.memory_share = Ratio{median(shares)};
  for (const Json& row : measured.at("optimizer"))
    findings.tell(fmt::format(
        "AdamW of {} parameters in bf16 moves its {} at {} of the memory's bandwidth",
        row.at("parameters").get<double>(), text(Bytes{row.at("bytes").get<double>()}, 3),
        percent_of(row.at("bytes").get<double>() / row.at("s").get<double>() /
                   subject.gpu.memory_bandwidth->value)));
}

/// Nothing where the GPU does not say its peak.
std::optional<ProductCost> cost_of(const Json& row, const Subject& subject) {
  const std::string precision = row.at("precision");
  const auto format = product_format(subject.gpu, precision);
  if (!format) return {};
  return product_cost({row.at("m"), row.at("n"), row.at("k"), {}}, subject.gpu,
                      format->peak * subject.gpu.sustained_share.value, format->bytes, false);
}

void fit_products(const Json& measured, Subject& subject, Findings& findings) {
  constexpr double kMostly = 2;  // times as long to compute as to move
  std::vector<double> shares;
  for (const Json& row : measured.at("products")) {
    if (row.at("precision") != "bf16") continue;
    const ProductCost cost = *cost_of(row, subject);
    const double beside =
        std::pow(row.at("s").get<double>() - cost.start.value, 3) - std::pow(cost.memory.value, 3);
    if (beside > 0 && cost.compute > cost.memory * kMostly)
      shares.push_back(cost.compute.value / std::cbrt(beside));
  }
  if (take_share(kOfGpu + "sustained_share", shares, "products in bf16, one after the other",
                 findings))
    subject.gpu.sustained_share = Ratio{median(shares)};
  std::map<std::string, std::vector<double>> narrow;
  for (const Json& row : measured.at("products")) {
    const std::string precision = row.at("precision");
    if (precision == "bf16") continue;
    const auto cost = cost_of(row, subject);
    if (cost)
      narrow[precision].push_back(row.at("s").get<double>() / cost->all().value);
    else
      narrow[precision];
  }
  for (const auto& [precision, times] : narrow)
    if (times.empty())
      findings.refuse("products in " + precision, "the catalog has no peak of the GPU in it");
    else
      findings.tell(fmt::format("products in {} take {} of what that gives them ({} measurements)",
                                precision, percent_of(median(times)), times.size()));
}

void fit_attention(const Json& measured, AttentionKernel kernel, Ratio& share,
                   const std::string& key, Subject& subject, Findings& findings) {
  constexpr std::int64_t kLong = 2048;  // tokens, beside which ends of rows are little
  std::vector<double> shares, backward;
  for (const Json& row : measured.at("attention")) {
    if (kernel_of(row) != kernel || row.at("sequence").get<std::int64_t>() < kLong) continue;
    TransformerJob job = job_of(row, subject);
    job.training.attention = kernel;
    shares.push_back(attention_time(job).value / row.at("forward_s").get<double>());
    backward.push_back(row.at("backward_s").get<double>() / row.at("forward_s").get<double>());
  }
  if (!take_share(kOfLibrary + key, shares, "causal attention of 2,048 tokens and more, forward",
                  findings))
    return;
  share = Ratio{median(shares)};
  findings.tell(fmt::format("{}: its backward pass takes {:.3g} times the forward one", key,
                            median(backward)));
}

void fit_passes(const Json& measured, Subject& subject, Findings& findings) {
  const auto factors = [&](bool compiled) {
    std::vector<double> out;
    for (const Json& row : measured.at("passes"))
      if (row.at("compiled") == compiled)
        out.push_back(row.at("s").get<double>() / passes_time(job_of(row, subject), false).value);
    return out;
  };
  const std::vector<double> compiled = factors(true);
  if (compiled.empty() ||
      !findings.take_repeated<Ratio>(kOfLibrary + "passes", compiled,
                                     "norms, activations and sums of a layer, compiled"))
    return;
  subject.library.passes = Ratio{median(compiled)};
  const std::vector<double> eager = factors(false);
  if (!eager.empty() && findings.take_repeated<Ratio>(kOfLibrary + "eager_passes", eager,
                                                      "the same eager, over compiled"))
    subject.library.eager_passes = Ratio{median(eager)};
}

void fit_launch(const Json& measured, Subject& subject, Findings& findings) {
  std::vector<double> times;
  for (const Json& row : measured.at("launches")) times.push_back(row.at("s"));
  if (!times.empty() && findings.take_repeated<Seconds>(kOfLibrary + "launch", times,
                                                        "a layer of few tokens, forward"))
    subject.library.launch = Seconds{median(times)};
}

void tell_steps(const Json& measured, const Subject& subject, Findings& findings) {
  std::vector<double> departures;
  for (const Json& row : measured.at("steps")) {
    TransformerJob job = job_of(row, subject);
    job.training.attention = kernel_of(row);
    const Seconds step{row.at("s").get<double>()}, law = transformer_step(job).all();
    departures.push_back(std::abs(law / step - 1));
    findings.tell(fmt::format(
        "Llama of {} layers, {} wide, {} words, {} x {} tokens, {}, {}: {} a step; by the law {}, "
        "{:+.0f} %",
        job.architecture.layers, job.architecture.hidden, job.architecture.vocabulary,
        row.at("batch").get<int>(), row.at("sequence").get<int>(), name_of(job.training.attention),
        job.training.compile ? "compiled" : "eager", text(step, 3), text(law, 3),
        100 * (law / step - 1)));
  }
  if (!departures.empty())
    findings.tell(fmt::format(
        "{} steps, of which none had a part in these values: the law departs by {} in the median, "
        "{} at most",
        departures.size(), percent_of(median(departures)),
        percent_of(std::ranges::max(departures))));
}

}  // namespace

void fit_transformer(const Json& measured, const Gpu& gpu, Findings& findings) {
  Subject subject(gpu);
  fit_memory_share(measured, subject, findings);
  fit_products(measured, subject, findings);
  fit_attention(measured, AttentionKernel::flash_2, subject.library.flash_2, "flash_2", subject,
                findings);
  fit_attention(measured, AttentionKernel::flash_3, subject.library.attention, "attention", subject,
                findings);
  fit_passes(measured, subject, findings);
  fit_launch(measured, subject, findings);
  tell_steps(measured, subject, findings);
}

void tell_left_out(const Json& measured, const Gpu* gpu, Findings& findings) {
  for (const Json& one : measured.at("left_out"))
    findings.refuse("transformer, " + one.at("part").get<std::string>(), one.at("why"));
  if (gpu == nullptr)
    findings.refuse("transformer",
                    fmt::format("no GPU of the catalog that times products and transformers is "
                                "called {}",
                                measured.value("gpu", "so")));
}

}  // namespace gpufeed
