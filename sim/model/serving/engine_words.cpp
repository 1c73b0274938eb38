// SPDX-License-Identifier: Apache-2.0
#include "sim/model/serving/engine_words.h"

#include <fmt/format.h>

#include <array>

namespace gpufeed::serving {
namespace {

constexpr std::string_view kServing = "serving";
constexpr std::string_view kTier = "tier";

using enum Software;
using enum WordForm;

// The options of `vllm serve`, SGLang's launch_server, Dynamo's router and KV block manager (its
// environment, DYN_KVBM_...), and the configuration of LMCache, as their documentation has them.
constexpr std::array kWords{
    EngineWord{kServing, "tensor_parallel_size", "tensor", vllm},
    EngineWord{kServing, "tp_size", "tensor", sglang},
    EngineWord{kServing, "data_parallel_size", "replicas", vllm},
    EngineWord{kServing, "dp_size", "replicas", sglang},
    EngineWord{kServing, "max_num_batched_tokens", "token_budget", vllm},
    EngineWord{kServing, "chunked_prefill_size", "token_budget", sglang},
    EngineWord{kServing, "max_num_seqs", "sequences", vllm},
    EngineWord{kServing, "max_running_requests", "sequences", sglang},
    EngineWord{kServing, "block_size", "block", vllm},
    EngineWord{kServing, "page_size", "block", sglang},
    EngineWord{kServing, "kv_cache_block_size", "block", dynamo},
    EngineWord{kServing, "gpu_memory_utilization", "memory_share", vllm},
    EngineWord{kServing, "mem_fraction_static", "memory_share", sglang},
    EngineWord{kServing, "max_total_tokens", "kv_tokens", sglang},
    EngineWord{kServing, "enable_prefix_caching", "prefix_cache", vllm},
    EngineWord{kServing, "disable_radix_cache", "prefix_cache", sglang, opposite},
    EngineWord{kServing, "async_scheduling", "async", vllm},
    EngineWord{kServing, "disable_overlap_schedule", "async", sglang, opposite},
    EngineWord{kServing, "router_mode", "route", dynamo},
    EngineWord{kTier, "kv_offloading_size", "capacity", vllm, gibibytes},
    EngineWord{kTier, "hicache_size", "capacity", sglang, of_each_rank},
    EngineWord{kTier, "cpu_cache_gb", "capacity", dynamo, gigabytes},
    EngineWord{kTier, "disk_cache_gb", "capacity", dynamo, gigabytes},
    EngineWord{kTier, "hicache_storage_backend", "at", sglang},
    EngineWord{kTier, "hicache_write_policy", "write", sglang},
    EngineWord{kTier, "chunk_size", "block", lmcache}};

std::string_view name_of_software(Software of) {
  constexpr std::array<std::string_view, 4> kNames{"vLLM", "SGLang", "Dynamo", "LMCache"};
  return kNames.at(static_cast<std::size_t>(of));
}

}  // namespace

std::span<const EngineWord> engine_words() { return kWords; }

std::string other_words_for(std::string_view table, std::string_view key) {
  std::string out;
  for (const EngineWord& word : kWords)
    if (word.table == table && word.key == key)
      out +=
          fmt::format("{}{} of {}", out.empty() ? "" : ", ", word.word, name_of_software(word.of));
  return out;
}

}  // namespace gpufeed::serving
