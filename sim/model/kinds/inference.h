// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/kinds/shared.h"

namespace gpufeed {

/// Where the input of a request lies when it arrives.
enum class InputsFrom { storage, memory };
template <>
struct EnumNames<InputsFrom> {
  static constexpr std::array<std::string_view, 2> names{"storage", "memory"};
};

/// How requests arrive, and how they are put together into batches.
struct Serving {
  std::optional<Rate> request_rate;
  std::optional<std::int64_t> clients;
  std::int64_t largest_batch = 1;
  Seconds longest_wait;
  InputsFrom inputs = InputsFrom::storage;
  std::int64_t requests = 50000;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    using T = Serving;
    visit(key("request_rate", &T::request_rate,
              "requests per second of all GPUs together, at random times (Poisson)")
              .between(0.001_per_s, 1e9_per_s));
    visit(key("clients", &T::clients,
              "instead of request_rate: clients that each ask again as soon as they are answered")
              .between(1, 100000));
    visit(key("largest_batch", &T::largest_batch, "requests that a GPU computes at once")
              .between(1, 4096));
    visit(key("longest_wait", &T::longest_wait,
              "that the first request of a batch waits for others; 0 s: a free GPU takes what is "
              "there")
              .between(0_s, 1_h));
    visit(key("inputs", &T::inputs, "where the input of a request lies when it arrives"));
    visit(key("requests", &T::requests,
              "how many to simulate, up to 8 times as many where they do not tell the mean latency "
              "to 5 %; the first tenth is not counted")
              .between(1000, 2000000));
  }
};

namespace kind {

/// Requests are answered by a model.
struct Inference : ComputesModel {
  static constexpr std::string_view kName = "inference";
  static constexpr std::array<std::string_view, 11> kTakes{"data.at",
                                                           "data.path",
                                                           "data.mode",
                                                           "data.readahead",
                                                           "data.request",
                                                           "loader.decode",
                                                           "loader.decode_cores",
                                                           "loader.cores",
                                                           "loader.placement",
                                                           "loader.pinned_memory",
                                                           "store"};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  std::optional<Serving> serving;
  std::optional<Bytes> model_size;
  std::vector<ComputeRow> forward;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    model_field(visit);
    dataset_field(visit);
    visit(key("serving", &Inference::serving, "requests and batches"));
    visit(key("model_size", &Inference::model_size,
              "bytes of the model as stored; default: its parameters")
              .between(1_B, 1_PB));
    gpu_fields(visit);
    precision_field(visit);
    compute_field(visit);
    visit(key("forward", &Inference::forward,
              "rates of the forward pass alone; default: three times those of training"));
  }
};

}  // namespace kind
}  // namespace gpufeed
