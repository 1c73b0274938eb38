// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/load/check/checks.h"
#include "sim/load/read/model_layers.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/memory.h"
#include "sim/model/transformer/optimizer.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

/// Keys that are other than usual, of those that only a decoder's step knows.
std::vector<KeyPath> own_keys(const Scenario& scenario) {
  const auto& training = scenario.workload.get<kind::Training>();
  const Parallel split = scenario.parallel.value_or(Parallel{});
  const kind::Training usual;
  std::vector<KeyPath> out;
  const auto add = [&](bool differs, const char* key) {
    if (differs) out.emplace_back(key);
  };
  const bool part =
      training.recompute == Recompute::selective || training.recompute == Recompute::ops;
  add(part, "workload.recompute");
  add(training.offload_optimizer, "workload.offload_optimizer");
  add(training.attention != usual.attention, "workload.attention");
  add(training.compile, "workload.compile");
  add(training.cuda_graphs, "workload.cuda_graphs");
  add(training.cuda_graph_scope != usual.cuda_graph_scope, "workload.cuda_graph_scope");
  add(training.fused_experts, "workload.fused_experts");
  add(training.chunked_loss, "workload.chunked_loss");
  add(training.dropout, "workload.dropout");
  add(training.lora, "workload.lora");
  add(training.lora_precision != usual.lora_precision, "workload.lora_precision");
  add(training.frozen_weights != usual.frozen_weights, "workload.frozen_weights");
  add(training.expert_capacity.has_value(), "workload.expert_capacity");
  add(split.sequence, "parallel.sequence");
  add(split.virtual_stages > 1, "parallel.virtual");
  add(split.context > 1, "parallel.context");
  add(split.expert > 1, "parallel.expert");
  add(split.dispatcher != Dispatcher::deepep, "parallel.dispatcher");
  add(split.micro_batch.has_value(), "parallel.micro_batch");
  add(split.shard_group.has_value(), "parallel.shard_group");
  add(split.tensor_overlap, "parallel.tensor_overlap");
  add(split.pipeline_overlap, "parallel.pipeline_overlap");
  add(split.gradient_overlap, "parallel.gradient_overlap");
  add(split.expert_overlap, "parallel.expert_overlap");
  return out;
}

/// What a decoder's layout must fulfil beside what that of any model must.
class LayoutChecker {
 public:
  LayoutChecker(const TransformerJob& job, const Location& where, Diagnostics& out)
      : job_(job), split_(job.parallel), own_(job.architecture), where_(where), out_(out) {}

  void check() {
    if (split_.layout == TensorLayout::grid)
      out_.refuse(ProblemCode::idle_key, "parallel.layout", where_,
                  ": decoders are shared by columns and rows; leave it out");
    if (own_.heads % split_.tensor != 0)
      out_.refuse(ProblemCode::out_of_range, "parallel.tensor", where_,
                  " is {}, which {} heads cannot be shared by", split_.tensor, own_.heads);
    if (split_.pipeline > own_.layers)
      out_.refuse(ProblemCode::out_of_range, "parallel.pipeline", where_, " is {}, of {} layers",
                  split_.pipeline, own_.layers);
    if (split_.virtual_stages > 1 && split_.pipeline == 1)
      out_.refuse(ProblemCode::idle_key, "parallel.virtual", where_,
                  " divides stages, of which there is one");
    refuse_idle(!job_.training.lora && job_.training.lora_precision != AdapterPrecision{},
                "workload.lora_precision", "there are no adapters without workload.lora");
    refuse_idle(!job_.training.lora && job_.training.frozen_weights != FrozenWeights{},
                "workload.frozen_weights", "no weights are frozen without workload.lora");
    refuse_idle(!job_.training.cuda_graphs && job_.training.cuda_graph_scope != GraphScope::all,
                "workload.cuda_graph_scope", "nothing is recorded without workload.cuda_graphs");
    const bool keeps_scores = job_.training.attention == AttentionKernel::unfused &&
                              job_.training.recompute != Recompute::selective;
    refuse_idle(
        job_.training.dropout && !keeps_scores, "workload.dropout",
        "no scores are kept, but where workload.attention = \"unfused\" computes none again");
    check_experts();
    check_micro_batches();
  }

 private:
  void check_experts() {
    if (own_.experts == 0) {
      const char* const why = "the model has no experts";
      refuse_idle(split_.expert > 1, "parallel.expert", why);
      refuse_idle(job_.training.fused_experts, "workload.fused_experts", why);
      refuse_idle(job_.training.expert_capacity.has_value(), "workload.expert_capacity", why);
      refuse_idle(job_.training.cuda_graph_scope != GraphScope::all, "workload.cuda_graph_scope",
                  why);
    }
    if (own_.experts == 0 || split_.expert == 1) {
      const char* const why =
          own_.experts == 0 ? "the model has no experts" : "each GPU holds all experts of a layer";
      refuse_idle(split_.expert_overlap, "parallel.expert_overlap", why);
      refuse_idle(split_.dispatcher != Dispatcher::deepep, "parallel.dispatcher", why);
      return;
    }
    const std::int64_t ranks = job_.gpus / split_.pipeline;
    if (own_.experts % split_.expert != 0)
      out_.refuse(ProblemCode::out_of_range, "parallel.expert", where_,
                  " is {}, which {} experts cannot be shared by", split_.expert, own_.experts);
    else if (ranks % split_.expert != 0)
      out_.refuse(ProblemCode::out_of_range, "parallel.expert", where_,
                  " is {}, but a stage has {} GPUs, which is no multiple", split_.expert, ranks);
  }

  void refuse_idle(bool given, const char* key, const char* why) {
    if (!given) return;
    const KeyPath path(key);
    Problem& idle = out_.refuse(ProblemCode::idle_key, path, where_, " has no effect: {}", why);
    idle.code = ProblemCode::idle_key;
    idle.fixes.push_back({Fix::Kind::remove, path});
  }

  void check_micro_batches() {
    if (split_.micro_batch && split_.micro_batches > 1)
      out_.refuse("parallel.micro_batch", where_,
                  " and parallel.micro_batches exclude each other; leave one out")
          .code = ProblemCode::conflict;
    else if (std::floor(job_.micro_batch) != job_.micro_batch ||
             std::floor(job_.micro_batches) != job_.micro_batches)
      out_.refuse(ProblemCode::out_of_range, "parallel", where_,
                  ": {} samples that a replica takes in a step do not make whole micro-batches of "
                  "whole samples",
                  text_number(job_.micro_batch * job_.micro_batches));
  }

  const TransformerJob& job_;
  const Parallel& split_;
  const Architecture& own_;
  const Location& where_;
  Diagnostics& out_;
};

/// Megatron's layouts hold what is counted at least; of others some hold less, as do experts, of
/// which parts are computed again that no key names.
void check_memory(const TransformerJob& job, const Scenario& scenario, Diagnostics& out) {
  if (job.parallel.shard >= Sharding::gradients || job.architecture.experts > 0) return;
  const TransformerMemory need = transformer_memory(job);
  if (need.floor() <= job.gpu.memory) return;
  const std::vector<Setting> fit = what_would_fit(job);
  const auto& training = scenario.workload.get<kind::Training>();
  Problem& problem = out.refuse(
      ProblemCode::too_large, "workload.model", scenario.workload.where,
      ": training {} in {} takes {} of a GPU at least ({} for weights, gradients and {}; {} for "
      "activations; {} for logits), and {} has {}{}",
      training.model.name, training.precision, text(need.floor(), 3),
      text(need.weights + need.gradients + need.optimizer + need.gathered, 3),
      name_of(training.optimizer.value), text(need.activations, 3), text(need.logits, 3),
      scenario.system->gpus.front().model.name, text(job.gpu.memory, 3),
      fit.empty() ? "" : "; " + text(fit) + " would fit");
  if (fit.size() == 1)
    problem.fixes.push_back({Fix::Kind::set, fit.front().key, fit.front().value});
}

/// CPUs take steps of Adam on weights in fp32, which the hosts' memory must have room for.
void check_offload(const TransformerJob& job, const Location& where, Diagnostics& out) {
  if (!job.training.offload_optimizer || can_offload(job)) return;
  const KeyPath key("workload.offload_optimizer");
  const auto refuse = [&](ProblemCode code, const std::string& why) {
    out.refuse(code, key, where, ": {}", why).fixes.push_back({Fix::Kind::remove, key});
  };
  if (job.training.optimizer.value != Optimizer::adam)
    return refuse(ProblemCode::conflict, fmt::format("hosts take steps of adam, not of {}",
                                                     name_of(job.training.optimizer.value)));
  if (!job.training.master_weights || job.training.lora)
    return refuse(ProblemCode::conflict,
                  "hosts train weights kept in fp32, all of the model (no LoRA, master_weights)");
  if (job.ways.host <= Bandwidth{})
    return refuse(ProblemCode::conflict, "the system does not say how its GPUs reach their host");
  refuse(
      ProblemCode::too_large,
      fmt::format("it takes {} of a host's memory ({} B of a parameter), and the host has {}",
                  text(offloaded_of_host(job), 3), kOffloadedBytes, text(job.ways.host_room, 3)));
}

/// Of models of other kinds it says what gradients and the optimizer are kept in.
void check_master_weights(const kind::Training& training, const Location& where, Diagnostics& out) {
  constexpr double kSingle = 4;
  if (training.master_weights || bytes_per_number(training.precision) < kSingle) return;
  const KeyPath key("workload.master_weights");
  out.refuse(ProblemCode::idle_key, key, where, " has no effect: in {} nothing is in 16 bits",
             training.precision)
      .fixes.push_back({Fix::Kind::remove, key});
}

std::vector<UnseenStep> unseen_in(const TransformerJob& job) {
  constexpr double kLong = 100000;
  using enum UnseenStep;
  std::vector<UnseenStep> what;
  if (job.architecture.experts > 0) what.push_back(experts);
  if (job.architecture.window > 0) what.push_back(windows);
  if (job.parallel.tensor > job.ways.node_gpus) what.push_back(tensor_over_nodes);
  if (job.parallel.context > 1 && job.sequence > kLong) what.push_back(long_context);
  if (job.training.lora) what.push_back(lora);
  const Optimizer by = job.training.optimizer;
  if (by == Optimizer::adafactor || by == Optimizer::muon || job.training.offload_optimizer)
    what.push_back(optimizer);
  return what;
}

/// Whether any constant of the law was measured on such GPUs, or all stand for those of another
/// maker's.
bool is_measured_law(const Ref<TransformerLibrary>& library) {
  return library->provenance.basis != Basis::estimate;
}

void add_line(const TransformerJob& job, Scenario& scenario) {
  auto& training = scenario.workload.get<kind::Training>();
  const bool measured = is_measured_law(*job.gpu.transformers);
  const StepParts parts = transformer_step(job);
  const auto unseen = unseen_in(job);
  std::set<std::string> seen;
  for (const auto& device : scenario.system->gpus)
    if (device.model && seen.insert(device.model.name).second)
      training.step_lines.push_back(
          {device.model.name,
           parts.all() * static_cast<double>(training.steps_together),
           {},
           fmt::format("the sum of its layers on {} ({})", device.model.name,
                       (*job.gpu.transformers).name),
           measured ? std::vector<Beyond>{} : std::vector{Beyond::maker_unmeasured},
           measured ? std::nullopt : device.model->generation,
           measured ? Likeness::alike : Likeness::unlike,
           true,
           unseen});
}

}  // namespace

void set_sequence(Scenario& scenario, Diagnostics& out) {
  auto* training = scenario.workload.find<kind::Training>();
  if (!training || !training->model || !training->sequence) return;
  if (!training->model->architecture) {
    out.refuse("workload.sequence", scenario.workload.where,
               ": {} is not given by its [architecture], of which alone other lengths are known",
               training->model.name);
    return;
  }
  auto model = std::make_shared<Model>(*training->model);
  model->tokens = training->sequence;
  if (!count_tokens(*model))
    out.refuse(ProblemCode::out_of_range, "workload.sequence", scenario.workload.where,
               " is {}, which is more than can be simulated of {}", *training->sequence,
               training->model.name);
  training->model.entry = std::move(model);
}

void check_transformer(Scenario& scenario, Diagnostics& out) {
  const auto* training = scenario.workload.find<kind::Training>();
  if (!training || !training->model) return;
  const auto job = transformer_job(scenario);
  const Location& where = scenario.parallel ? scenario.parallel->where : scenario.workload.where;
  if (!job) {
    check_master_weights(*training, scenario.workload.where, out);
    for (const KeyPath& key : own_keys(scenario)) {
      Problem& idle = out.refuse(
          ProblemCode::idle_key, key, where,
          ": only of models that are given by their [architecture], without measured rates, on "
          "GPUs that name `transformers`; leave it out");
      idle.code = ProblemCode::idle_key;
      idle.fixes.push_back({Fix::Kind::remove, key});
    }
    return;
  }
  const std::size_t before = out.count();
  LayoutChecker(*job, where, out).check();
  if (out.count() > before) return;
  check_offload(*job, scenario.workload.where, out);
  check_memory(*job, scenario, out);
  add_line(*job, scenario);
}

}  // namespace gpufeed
