// SPDX-License-Identifier: Apache-2.0
#include "ui/jobs/decoder_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/layouts.h"

namespace gpufeed {
namespace {

/// Tokens of a step of all GPUs: as small models and fine-tuning are trained; large ones take more.
constexpr double kTokensOfStep = 524288;

/// Samples of a step that any number of replicas share equally.
std::int64_t samples_of_step(std::int64_t gpus, std::int64_t tokens) {
  const double wanted = kTokensOfStep / static_cast<double>(gpus * tokens);
  const double each = std::exp2(std::round(std::log2(std::max(1.0, wanted))));
  return gpus * static_cast<std::int64_t>(each);
}

std::string data_set(const DecoderAsk& ask, std::int64_t tokens) {
  if (ask.dataset) return fmt::format("dataset = {}\n", toml_string(*ask.dataset));
  constexpr double kBillion = 1e9;
  const std::string many =
      ask.tokens == kBillion ? "a billion" : text_number(ask.tokens / kBillion, 4) + " billion";
  return fmt::format(
      "# {} tokens in shards, ready for training: put your own here\n"
      "dataset = {{ title = \"tokens\", source = \"to be replaced\", basis = \"estimate\", samples "
      "= {:.0f}, sample_size = \"{} B\", samples_per_file = {:.0f}, decode_time = \"0 s\" }}\n",
      many, std::ceil(ask.tokens / static_cast<double>(tokens)), 4 * tokens,
      std::ceil(ask.tokens / static_cast<double>(tokens) / 100));
}

std::string start(const DecoderAsk& ask, std::int64_t samples) {
  return fmt::format(
      "\n[workload]\nkind = \"training\"\n# the language model: a name or a path, such as of "
      "gpufeed import model\nmodel = {}\n"
      "# products in bf16{}, as such models are trained\nprecision = \"bf16\"\n"
      "# AdamW\noptimizer = \"adam\"\n{}{}"
      "# samples of a step of all GPUs together\nglobal_batch = {}\n",
      toml_string(ask.model), ask.lora ? "" : ", weights also in fp32",
      ask.lora ? "# trains small matrices beside weights that stay as they are (LoRA), in 16 "
                 "bits\nlora = true\nmaster_weights = false\n"
               : "",
      ask.nf4 ? "# and these in 4 bits (QLoRA)\nfrozen_weights = \"nf4\"\n" : "", samples);
}

const char* words_of(Recompute recompute) {
  switch (recompute) {
    case Recompute::none:
      return "nothing is computed again: there is memory for all activations";
    case Recompute::selective:
      return "scores of attention are computed again, for want of memory";
    default:
      return "all activations are computed again, for want of memory";
  }
}

const char* words_of(Sharding shard) {
  switch (shard) {
    case Sharding::none:
      return "every replica holds all (DistributedDataParallel): there is memory for it";
    case Sharding::optimizer:
      return "replicas divide the optimizer's states (ZeRO 1, distributed optimizer)";
    default:
      return "replicas divide weights, gradients and optimizer (FSDP, ZeRO 3)";
  }
}

std::string layout_text(const ParallelLayout& layout) {
  const TransformerJob& job = layout.job;
  const Parallel& split = job.parallel;
  std::string out = fmt::format(
      "# {}\nrecompute = \"{}\"\n\n"
      "# The fastest of the layouts for which {} GPUs have memory, or as fast within 3 % and "
      "plainer:\n"
      "# about {} of {} on the fullest GPU.\n[parallel]\n# {}\nshard = \"{}\"\n# samples that go "
      "through at once\nmicro_batch = {}\n",
      words_of(job.training.recompute), name_of(job.training.recompute), job.gpus,
      text(layout.memory, 3), text(job.gpu.memory, 3), words_of(split.shard), name_of(split.shard),
      *split.micro_batch);
  if (split.tensor > 1)
    out += fmt::format(
        "# GPUs of a node share every matrix (tensor parallelism), and norms\ntensor = "
        "{}\nsequence "
        "= true\n",
        split.tensor);
  if (split.pipeline > 1)
    out +=
        fmt::format("# stages, each with its part of the layers\npipeline = {}\n", split.pipeline);
  if (split.expert > 1)
    out += fmt::format("# GPUs that share the experts of a layer\nexpert = {}\n", split.expert);
  return out;
}

/// As often as most save.
std::string checkpoints(const ParallelLayout& layout, std::int64_t samples) {
  constexpr double kInterval_s = 1800;
  const double step_s = static_cast<double>(samples) / layout.samples_per_s;
  return fmt::format(
      "\n[checkpoint]\n# about every half hour, each GPU the part that it holds\ninterval_steps = "
      "{:.0f}\n{}",
      std::max(1.0, std::round(kInterval_s / step_s)),
      layout.job.training.lora ? "# adapters of rank 16: weights that stay as they are, are not "
                                 "saved; size = \"...\" of others\n"
                               : "");
}

bool fits(const TransformerJob& job, std::int64_t gpus) {
  TransformerJob other = job;
  other.gpus = gpus;
  const auto samples = samples_of_step(gpus, static_cast<std::int64_t>(job.sequence));
  return !layouts_that_fit(other, static_cast<double>(samples)).empty();
}

/// The fewest such machines, of doubled numbers, and adapters, where they would do.
std::string what_would_do(const DecoderAsk& ask, const TransformerJob& job) {
  constexpr std::int64_t kMostNodes = 1024;
  const std::int64_t of_node = job.gpus / ask.nodes;
  std::string out;
  for (std::int64_t nodes = 2 * ask.nodes; nodes <= kMostNodes && out.empty(); nodes *= 2)
    if (fits(job, of_node * nodes)) out = fmt::format("--nodes {}", nodes);
  TransformerJob adapters = job;
  adapters.training.lora = true;
  adapters.training.master_weights = false;
  adapters.gradient_bytes = 0;
  const char* smaller = "";
  if (!ask.lora && fits(adapters, job.gpus)) smaller = "--method lora";
  adapters.training.frozen_weights = FrozenWeights::nf4;
  if (!*smaller && !ask.nf4 && fits(adapters, job.gpus)) smaller = "--method qlora";
  if (*smaller) out += (out.empty() ? "" : ", or ") + std::string(smaller);
  return out.empty() ? "GPUs with more memory" : out;
}

/// Why no step of a language model is known on a machine's GPUs; empty where one is.
std::string why_untimed(const System& system) {
  const auto& gpu = system.gpus.front().model;
  if (!gpu || (gpu->transformers && *gpu->transformers)) return "";
  return fmt::format(
      "how fast {} trains language models is not known: its entry names no transformers; those of "
      "A100, H100, H200, B200, B300, L40S, RTX 4090, RTX PRO 6000 and MI300X do, such as --chassis "
      "nvidia-dgx-h100",
      gpu.name);
}

}  // namespace

std::optional<DecoderJob> decoder_job(const DecoderAsk& ask, const std::string& machine,
                                      const std::string& place, const Catalog& catalog,
                                      const std::vector<Override>& overrides) {
  const std::string loader = "\n[loader]\n# tokens are stored as numbers\ndecode = \"none\"\n";
  const auto scenario_with = [&](std::int64_t samples, std::int64_t tokens,
                                 const std::string& layout) {
    return parse_scenario(machine + start(ask, samples) + data_set(ask, tokens) + layout + loader,
                          place, catalog, overrides);
  };
  DecoderAsk adapters = ask;  // one GPU has nobody to divide anything with
  adapters.lora = adapters.nf4 = true;
  bool alone = false;
  std::optional<Scenario> divided;  // what takes the least memory, whatever the machine
  try {
    const auto system = parse_system(machine, place, catalog, overrides);
    if (const std::string why = why_untimed(*system); !why.empty()) {
      const Scenario elsewhere =
          parse_scenario("system = \"nvidia-dgx-h100\"\n" + start(ask, 8) + data_set(ask, 4096) +
                             "recompute = \"full\"\n[parallel]\nshard = \"parameters\"\n" + loader,
                         place, catalog, {});
      if (!transformer_job(elsewhere)) return {};
      return DecoderJob{"", "", "", why};
    }
    const auto gpus = static_cast<std::int64_t>(system->gpus.size());
    alone = gpus * ask.nodes == 1;
    divided = alone ? parse_scenario(machine + start(adapters, 1) + data_set(ask, 4096) +
                                         "recompute = \"full\"\n" + loader,
                                     place, catalog, overrides)
                    : scenario_with(gpus * ask.nodes, 4096,
                                    "recompute = \"full\"\n[parallel]\nshard = \"parameters\"\n");
  } catch (const InputError& error) {
    const Problem& first = error.problems().front();
    if (alone && first.code == ProblemCode::too_large)
      return DecoderJob{"",
                        "even with adapters beside weights of 4 bits (QLoRA) " + sentence(first),
                        "more GPUs, or those with more memory", ""};
    return {};  // which the usual job reports
  }
  auto job = transformer_job(*divided);
  if (!job) return {};
  if (alone) {
    job->training.lora = ask.lora;
    job->training.frozen_weights = ask.nf4 ? FrozenWeights::nf4 : FrozenWeights::bf16;
    job->training.master_weights = !ask.lora;
  }
  const auto tokens = static_cast<std::int64_t>(job->sequence);
  const std::int64_t samples = samples_of_step(job->gpus, tokens);
  const auto layouts = layouts_that_fit(*job, static_cast<double>(samples));
  if (layouts.empty()) {
    TransformerJob smallest = *job;
    smallest.micro_batch = 1;
    return DecoderJob{
        "",
        fmt::format("{} GPUs of {} are too small for {}: with all divided among them (FSDP) "
                    "and all computed again each takes about {}",
                    job->gpus, text(job->gpu.memory, 3), ask.model,
                    text(transformer_memory(smallest).typical(), 3)),
        what_would_do(ask, *job), ""};
  }
  const ParallelLayout& chosen = plainest_of_fastest(layouts);
  return DecoderJob{start(ask, samples) + data_set(ask, tokens) + layout_text(chosen) +
                        (ask.saves ? checkpoints(chosen, samples) : "") + loader,
                    "", "", ""};
}

}  // namespace gpufeed
