// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

/// Keys of frameworks' training files, by what they mean.
namespace gpufeed {

/// What a key means, and its paths in all formats; a file has some of them.
struct Meaning {
  const char* const* paths;
  std::size_t count;
};

template <std::size_t n>
constexpr Meaning meaning(const char* const (&paths)[n]) {
  return {paths, n};
}

// Megatron-LM's arguments stand at the top; NeMo's are below model and trainer, Megatron-Bridge's
// below model, train, dataset, checkpoint, ddp and comm_overlap.
constexpr const char* kTensor[] = {"parallelism.tensor_parallel_degree",
                                   "tensor_model_parallel_size", "model.tensor_model_parallel_size",
                                   "tensor_parallel.autotp_size"};
constexpr const char* kPipeline[] = {"parallelism.pipeline_parallel_degree",
                                     "pipeline_model_parallel_size",
                                     "model.pipeline_model_parallel_size"};
constexpr const char* kVirtual[] = {"virtual_pipeline_model_parallel_size",
                                    "model.virtual_pipeline_model_parallel_size"};
constexpr const char* kLayersOfVirtual[] = {"num_layers_per_virtual_pipeline_stage"};
constexpr const char* kContext[] = {"parallelism.context_parallel_degree", "context_parallel_size",
                                    "model.context_parallel_size"};
constexpr const char* kExpert[] = {"parallelism.expert_parallel_degree",
                                   "expert_model_parallel_size",
                                   "model.expert_model_parallel_size"};
constexpr const char* kSequenceParallel[] = {"sequence_parallel", "model.sequence_parallel"};
constexpr const char* kMicroBatch[] = {"training.local_batch_size", "micro_batch_size",
                                       "model.micro_batch_size", "train.micro_batch_size",
                                       "train_micro_batch_size_per_gpu"};
constexpr const char* kMicroOfPipeline[] = {"parallelism.pipeline_parallel_microbatch_size"};
constexpr const char* kGlobalBatch[] = {"training.global_batch_size", "global_batch_size",
                                        "model.global_batch_size", "train.global_batch_size",
                                        "train_batch_size"};
constexpr const char* kAccumulate[] = {"gradient_accumulation_steps",
                                       "deepspeed_config.gradient_accumulation_steps"};
constexpr const char* kLength[] = {"training.seq_len",        "seq_length",
                                   "model.seq_length",        "model.encoder_seq_length",
                                   "dataset.sequence_length", "dataset.seq_length"};
constexpr const char* kSteps[] = {"training.steps", "train_iters", "trainer.max_steps",
                                  "train.train_iters"};
constexpr const char* kNodes[] = {"trainer.num_nodes", "num_machines"};
constexpr const char* kSave[] = {"checkpoint.interval", "save_interval",
                                 "checkpoint.save_interval"};
constexpr const char* kDistributedOptimizer[] = {"use_distributed_optimizer",
                                                 "ddp.use_distributed_optimizer",
                                                 "optimizer.use_distributed_optimizer"};
constexpr const char* kFsdp[] = {"use_torch_fsdp2", "use_megatron_fsdp", "ddp.use_megatron_fsdp"};
constexpr const char* kGradientOverlap[] = {"overlap_grad_reduce", "ddp.overlap_grad_reduce",
                                            "zero_optimization.overlap_comm"};
constexpr const char* kTensorOverlap[] = {"tp_comm_overlap", "comm_overlap.tp_comm_overlap",
                                          "model.ub_tp_comm_overlap"};
constexpr const char* kExpertOverlap[] = {"overlap_moe_expert_parallel_comm",
                                          "comm_overlap.overlap_moe_expert_parallel_comm"};
constexpr const char* kDispatcher[] = {"moe_token_dispatcher_type",
                                       "model.moe_token_dispatcher_type"};
constexpr const char* kDeepEp[] = {"moe_enable_deepep", "model.moe_enable_deepep"};
constexpr const char* kStage[] = {"zero_optimization.stage", "deepspeed_config.zero_stage"};
constexpr const char* kShardDegree[] = {"parallelism.data_parallel_shard_degree"};
constexpr const char* kStrategy[] = {"fsdp_config.fsdp_sharding_strategy"};
constexpr const char* kReshard[] = {"fsdp_config.fsdp_reshard_after_forward"};
constexpr const char* kRecompute[] = {"activation_checkpoint.mode", "recompute_granularity",
                                      "model.recompute_granularity",
                                      "model.activations_checkpoint_granularity"};
constexpr const char* kRecomputes[] = {"recompute_activations",
                                       "fsdp_config.fsdp_activation_checkpointing"};
constexpr const char* kCompile[] = {"compile.enable", "training.compile"};
constexpr const char* kDynamo[] = {"dynamo_config.dynamo_backend", "dynamo_backend"};
constexpr const char* kOptimizer[] = {"optimizer.name", "optimizer.type", "optimizer.optimizer",
                                      "model.optim.name", "optimizer"};
constexpr const char* kOffload[] = {"optimizer_cpu_offload"};
constexpr const char* kOffloadTo[] = {"zero_optimization.offload_optimizer.device",
                                      "deepspeed_config.offload_optimizer_device"};
constexpr const char* kPrecision[] = {"mixed_precision", "trainer.precision"};
constexpr const char* kHalf[] = {"bf16", "bf16.enabled"};
constexpr const char* kFloat16[] = {"fp16", "fp16.enabled"};
constexpr const char* kFloat8[] = {"fp8_format", "model.fp8"};
constexpr const char* kModel[] = {"model.name", "model.flavor", "model.converters"};
constexpr const char* kSizes[] = {"num_layers",
                                  "hidden_size",
                                  "ffn_hidden_size",
                                  "num_attention_heads",
                                  "num_query_groups",
                                  "group_query_attention",
                                  "kv_channels",
                                  "vocab_size",
                                  "swiglu",
                                  "untie_embeddings_and_output_weights",
                                  "num_experts",
                                  "moe_router_topk",
                                  "moe_ffn_hidden_size",
                                  "model.num_layers",
                                  "model.hidden_size",
                                  "model.ffn_hidden_size",
                                  "model.num_attention_heads",
                                  "model.num_query_groups",
                                  "model.kv_channels",
                                  "model.vocab_size"};
constexpr const char* kFixed[] = {"compute_environment", "distributed_type",
                                  "fsdp_config.fsdp_version"};

constexpr std::array kMeanings{meaning(kTensor),
                               meaning(kPipeline),
                               meaning(kVirtual),
                               meaning(kLayersOfVirtual),
                               meaning(kContext),
                               meaning(kExpert),
                               meaning(kSequenceParallel),
                               meaning(kMicroBatch),
                               meaning(kMicroOfPipeline),
                               meaning(kGlobalBatch),
                               meaning(kAccumulate),
                               meaning(kLength),
                               meaning(kSteps),
                               meaning(kNodes),
                               meaning(kSave),
                               meaning(kDistributedOptimizer),
                               meaning(kFsdp),
                               meaning(kGradientOverlap),
                               meaning(kTensorOverlap),
                               meaning(kExpertOverlap),
                               meaning(kDispatcher),
                               meaning(kDeepEp),
                               meaning(kStage),
                               meaning(kShardDegree),
                               meaning(kStrategy),
                               meaning(kReshard),
                               meaning(kRecompute),
                               meaning(kRecomputes),
                               meaning(kCompile),
                               meaning(kDynamo),
                               meaning(kOptimizer),
                               meaning(kOffload),
                               meaning(kOffloadTo),
                               meaning(kPrecision),
                               meaning(kHalf),
                               meaning(kFloat16),
                               meaning(kFloat8),
                               meaning(kModel),
                               meaning(kSizes),
                               meaning(kFixed)};

}  // namespace gpufeed
