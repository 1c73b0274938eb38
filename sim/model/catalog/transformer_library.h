// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What a step of training a transformer takes beside matrix products: constants of its kernels and
/// of the software that starts them (sim/model/transformer).
struct TransformerLibrary : Entry {
  static constexpr std::string_view kKind = "transformers";
  Ratio attention{1.0};
  std::int64_t attention_tokens = 0;
  Ratio flash_1{1.0};
  Ratio flash_2{1.0};
  Ratio unfused_attention{1.0};
  Ratio passes{1.0};
  Ratio eager_passes{1.0};
  Ratio quantize_passes{1.0};
  Ratio unfused_experts{1.0};
  Seconds launch;
  Ratio contention{0.0};
  Ratio overlapped_tensor{1.0};
  Ratio memory_share{1.0};
  Ratio network_share{1.0};
  Ratio adapter_launches{1.0};
  Ratio overlapped_stages{1.0};
  Ratio allocator{1.0};
  Bytes own_memory;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    const auto share = [](std::string_view name, auto member, std::string_view help) {
      return key<TransformerLibrary>(name, member, help).needed().between(0_percent, 100_percent);
    };
    const auto multiple = [](std::string_view name, auto member, std::string_view help) {
      return key<TransformerLibrary>(name, member, help).needed().between(10_percent, 1000_percent);
    };
    entry_fields(visit);
    visit(share("attention", &TransformerLibrary::attention,
                "of a GPU's peak that products of fused attention attain over many tokens, beside "
                "the exponentials of its scores"));
    visit(key("attention_tokens", &TransformerLibrary::attention_tokens,
              "of which as many more take as long as starting and ending each row")
              .needed()
              .between(0, 1000000));
    visit(share("flash_1", &TransformerLibrary::flash_1,
                "of a GPU's peak that flash-attention 1 attains, exponentials included"));
    visit(share("flash_2", &TransformerLibrary::flash_2,
                "what flash-attention 2 attains of products and exponentials one after the other"));
    visit(share("unfused_attention", &TransformerLibrary::unfused_attention,
                "of what products attain, those of scores that are kept in memory"));
    visit(multiple("passes", &TransformerLibrary::passes,
                   "memory that norms, activations and sums move, over what is counted"));
    visit(multiple("eager_passes", &TransformerLibrary::eager_passes,
                   "the same without compiled or fused kernels, over with them"));
    visit(multiple("quantize_passes", &TransformerLibrary::quantize_passes,
                   "memory that quantizing to 8 or 4 bits moves, over what is counted"));
    visit(multiple("unfused_experts", &TransformerLibrary::unfused_experts,
                   "memory that experts' passes move without fused permutation, over with it"));
    visit(key("launch", &TransformerLibrary::launch,
              "of a host, to start the kernels of a layer's forward pass one by one")
              .needed()
              .between(0_s, 1_s));
    visit(share("contention", &TransformerLibrary::contention,
                "of what collectives take beside computing, that it takes longer for them"));
    visit(share("overlapped_tensor", &TransformerLibrary::overlapped_tensor,
                "of sums of a tensor-parallel group, that is waited for where products are cut so "
                "that they overlap"));
    visit(share("memory_share", &TransformerLibrary::memory_share,
                "of the peak of a GPU's memory that passes attain"));
    visit(share("network_share", &TransformerLibrary::network_share,
                "of what network cards carry, that collectives attain"));
    visit(multiple("adapter_launches", &TransformerLibrary::adapter_launches,
                   "kernels that a layer with adapters (LoRA) starts, over one without"));
    visit(share("overlapped_stages", &TransformerLibrary::overlapped_stages,
                "of what passes between stages of a pipeline, that is waited for where it overlaps "
                "computing"));
    visit(multiple("allocator", &TransformerLibrary::allocator,
                   "memory that the allocator takes of a GPU, over what tensors need"));
    visit(key("own_memory", &TransformerLibrary::own_memory,
              "of each GPU, for its context and the buffers of collectives")
              .needed()
              .between(0_B, 1_TB));
  }
};

}  // namespace gpufeed
