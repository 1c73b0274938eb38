// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"
#include "sim/model/fields/generation.h"

namespace gpufeed {

/// What a step of serving a language model takes beside its products: constants of an engine's
/// kernels and of the software that starts them (sim/serving).
struct ServingEngine : Entry {
  static constexpr std::string_view kKind = "engine";
  Generation generation;
  Ratio memory_share{1.0};
  Ratio usable_memory{1.0};
  Bytes reserved;
  Ratio memory;
  Ratio product;
  Ratio attention;
  std::int64_t attention_tokens = 0;
  Seconds host;
  Seconds layer;
  Seconds sequence;
  Seconds reduce;
  Bandwidth ring;
  Seconds api;
  Bandwidth copy;
  Ratio network;
  Seconds network_start;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    const auto share = [](std::string_view name, auto member, std::string_view help) {
      return key<ServingEngine>(name, member, help).needed().between(1_percent, 100_percent);
    };
    const auto time = [](std::string_view name, auto member, std::string_view help) {
      return key<ServingEngine>(name, member, help).needed().between(0_s, 10_s);
    };
    entry_fields(visit);
    visit(key("generation", &ServingEngine::generation,
              "of the GPUs that it was measured on: NVIDIA Hopper; on others it is extrapolated")
              .needed());
    visit(share("memory_share", &ServingEngine::memory_share,
                "of a GPU's memory that it takes, where the scenario says nothing"));
    visit(share("usable_memory", &ServingEngine::usable_memory,
                "of a GPU's memory that the driver shows"));
    visit(key("reserved", &ServingEngine::reserved, "of each GPU, for activations and graphs")
              .needed()
              .between(0_B, 1_TB));
    visit(
        share("memory", &ServingEngine::memory, "of the peak of the memory that decoding attains"));
    visit(share("product", &ServingEngine::product, "of the peak that matrix products attain"));
    visit(share("attention", &ServingEngine::attention,
                "of the peak that attention attains over many tokens"));
    visit(key("attention_tokens", &ServingEngine::attention_tokens,
              "of which as many more take as long as starting and ending each row")
              .needed()
              .between(0, 1000000));
    visit(time("host", &ServingEngine::host, "of each step"));
    visit(time("layer", &ServingEngine::layer, "of each layer of a step"));
    visit(time("sequence", &ServingEngine::sequence, "of each request of a step"));
    visit(time("reduce", &ServingEngine::reduce, "to start a sum over GPUs, two of each layer"));
    visit(key("ring", &ServingEngine::ring, "at which these sums move")
              .needed()
              .between(1_MBps, 100_TBps));
    visit(time("api", &ServingEngine::api, "of each request, before and after its steps"));
    visit(key("copy", &ServingEngine::copy, "between host memory and one GPU")
              .needed()
              .between(1_MBps, 10_TBps));
    visit(share("network", &ServingEngine::network,
                "of network ports that transfers of KV blocks attain"));
    visit(time("network_start", &ServingEngine::network_start, "of each such transfer"));
  }
};

}  // namespace gpufeed
