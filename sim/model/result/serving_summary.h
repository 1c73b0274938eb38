// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// Mean times of a request, one after the other.
struct RequestTimes {
  double read_s = 0, decode_s = 0, copy_s = 0, wait_s = 0, forward_s = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = RequestTimes;
    visit(key("read_s", &T::read_s, "reading its input").as_time());
    visit(key("decode_s", &T::decode_s, "waiting for a core and being decoded").as_time());
    visit(key("copy_s", &T::copy_s, "its copy to the GPU").as_time());
    visit(key("wait_s", &T::wait_s, "waiting for others of its batch and for the GPU").as_time());
    visit(key("forward_s", &T::forward_s, "the forward pass of its batch").as_time());
  }
};

/// What serving a model amounts to; requests per second and the use of the GPUs stand in the result
/// itself.
struct ServingSummary {
  double model_B = 0;
  double cold_start_s = 0;
  Limiter cold_start_limit;
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
    visit(key("cold_start_s", &T::cold_start_s,
              "until every GPU holds the model, from when the process runs and its GPU "
              "libraries are loaded")
              .as_time());
    visit(told("cold_start_limited_by", &T::cold_start_limit,
               "deprecated: cold_start_limit, in words"));
    visit(key("cold_start_limit", &T::cold_start_limit, "what sets that time"));
    visit(key("offered_requests_per_s", &T::offered_requests_per_s,
              "requests that arrive per second; null: clients wait for their answers"));
    visit(key("capacity_requests_per_s", &T::capacity_requests_per_s,
              "the most that can be answered per second, with full batches")
              .as_rate());
    visit(key("overloaded", &T::overloaded, "whether more arrive than can be answered"));
    visit(key("requests", &T::requests, "simulated and counted"));
    visit(key("mean_batch", &T::mean_batch, "requests computed at once"));
    visit(key("cores_busy", &T::cores_busy, "share of the cores that decode, 0 to 1"));
    visit(key("latency_mean_s", &T::latency_mean_s,
              "from the arrival of a request to its answer; null where overloaded: it grows "
              "without end")
              .as_time());
    visit(key("latency_p50_s", &T::latency_p50_s, "half of the requests take no longer").as_time());
    visit(key("latency_p90_s", &T::latency_p90_s, "likewise 90 %").as_time());
    visit(key("latency_p99_s", &T::latency_p99_s, "likewise 99 %").as_time());
    visit(key("latency_uncertainty", &T::latency_uncertainty,
              "half width of the 95 % confidence interval of the mean, relative"));
    visit(key("times", &T::times, "means of the parts of a request's latency"));
  }
};

}  // namespace gpufeed
