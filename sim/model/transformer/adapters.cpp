// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/adapters.h"

namespace gpufeed {
namespace {

struct Ends {
  double inputs = 0, outputs = 0;

  void add(const std::vector<MatrixSize>& matrices) {
    for (const MatrixSize& one : matrices) {
      inputs += one.columns;
      outputs += one.rows;
    }
  }
  double sum(double of_input, double of_output) const {
    return of_input * inputs + of_output * outputs;
  }
};

/// Of all matrices of a layer that have an adapter.
Ends ends_of(const TransformerJob& job, bool with_experts) {
  const Architecture& own = job.architecture;
  Ends out;
  out.add(attention_sizes(own, job.tensor()).matrices);
  const std::int64_t inner = with_experts ? own.shared_ffn : own.ffn;
  if (inner > 0) out.add(ffn_sizes(own, real(inner), job.tensor()));
  return out;
}

bool in_fp32(const TransformerJob& job) {
  return job.training.lora_precision == AdapterPrecision::fp32;
}

}  // namespace

AdapterTime adapter_time(const TransformerJob& job, bool with_experts) {
  if (!job.training.lora) return {};
  const Ends ends = ends_of(job, with_experts);
  const auto time = [&](double of_input, double of_output) {
    return Bytes{job.tokens() * ends.sum(of_input, of_output)} / job.memory_rate();
  };
  if (in_fp32(job)) return {time(10, 28), time(20, 22)};
  return {time(2, 12), time(10, 8)};
}

double adapter_activation_bytes(const TransformerJob& job, bool with_experts) {
  if (!job.training.lora || !in_fp32(job)) return 0;
  return ends_of(job, with_experts).sum(4, 0);
}

}  // namespace gpufeed
