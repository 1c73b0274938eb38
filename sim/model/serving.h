// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/fields/entry.h"

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
    visit(key("requests", &T::requests, "how many to simulate; the first tenth is not counted")
              .between(1000, 2000000));
  }
};

/// Mean times of a request, one after the other.
struct RequestTimes {
  double read_s = 0, decode_s = 0, copy_s = 0, wait_s = 0, forward_s = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = RequestTimes;
    visit(key("read_s", &T::read_s, "reading its input"));
    visit(key("decode_s", &T::decode_s, "waiting for a core and being decoded"));
    visit(key("copy_s", &T::copy_s, "its copy to the GPU"));
    visit(key("wait_s", &T::wait_s, "waiting for others of its batch and for the GPU"));
    visit(key("forward_s", &T::forward_s, "the forward pass of its batch"));
  }
};

/// What serving a model amounts to; requests per second and the use of the GPUs stand in the result
/// itself.
struct ServingSummary {
  double model_B = 0;
  double cold_start_s = 0;
  std::string cold_start_limited_by;
  double offered_requests_per_s = 0;  ///< infinite: clients that wait for their answers
  double capacity_requests_per_s = 0;
  bool overloaded = false;
  std::int64_t requests = 0;
  double mean_batch = 0;
  double cores_busy = 0;
  // Infinite where overloaded: requests would wait ever longer.
  double latency_mean_s = 0;
  double latency_p50_s = 0;
  double latency_p90_s = 0;
  double latency_p99_s = 0;
  double latency_uncertainty = 0;
  RequestTimes times;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = ServingSummary;
    visit(key("model_B", &T::model_B, "bytes of the model"));
    visit(key("cold_start_s", &T::cold_start_s, "until every GPU holds the model"));
    visit(key("cold_start_limited_by", &T::cold_start_limited_by, "what sets that time"));
    visit(key("offered_requests_per_s", &T::offered_requests_per_s,
              "requests that arrive per second; null: clients wait for their answers"));
    visit(key("capacity_requests_per_s", &T::capacity_requests_per_s,
              "the most that can be answered per second, with full batches"));
    visit(key("overloaded", &T::overloaded, "whether more arrive than can be answered"));
    visit(key("requests", &T::requests, "simulated and counted"));
    visit(key("mean_batch", &T::mean_batch, "requests computed at once"));
    visit(key("cores_busy", &T::cores_busy, "share of the cores that decode, 0 to 1"));
    visit(key("latency_mean_s", &T::latency_mean_s,
              "from the arrival of a request to its answer; null where overloaded: it grows "
              "without end"));
    visit(key("latency_p50_s", &T::latency_p50_s, "half of the requests take no longer"));
    visit(key("latency_p90_s", &T::latency_p90_s, "likewise 90 %"));
    visit(key("latency_p99_s", &T::latency_p99_s, "likewise 99 %"));
    visit(key("latency_uncertainty", &T::latency_uncertainty,
              "half width of the 95 % confidence interval of the mean, relative"));
    visit(key("times", &T::times, "means of the parts of a request's latency"));
  }
};

}  // namespace gpufeed
