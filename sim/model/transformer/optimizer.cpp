// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/optimizer.h"

#include <algorithm>

#include "sim/model/kernels/product.h"

namespace gpufeed {
namespace {

double fp32_copy(const kind::Training& training) { return training.master_weights ? kSingle : 0; }
double number(const kind::Training& training) { return training.master_weights ? kSingle : kHalf; }

/// Of a step whose kernel reads and writes all once.
double fused_bytes(const kind::Training& training, double states) {
  const double weights_and_gradients =
      training.master_weights ? kHalf + 2 * kSingle : 2 * kHalf + kHalf;
  return 2 * states + weights_and_gradients;
}

/// Beside what passes over numbers move: weights in 16 bits are written, gradients set to zero.
double beside_passes(const kind::Training& training) {
  return training.master_weights ? kHalf + kSingle : 0;
}

/// Muon's, of one matrix: Newton-Schulz in bf16.
Seconds orthogonalizing(const TransformerJob& job, const MatrixSize& matrix) {
  constexpr double kIterations = 5;
  const auto m = static_cast<std::int64_t>(std::min(matrix.rows, matrix.columns));
  const auto n = static_cast<std::int64_t>(std::max(matrix.rows, matrix.columns));
  const FlopRate peak = product_format(job.gpu, "bf16")->peak * job.gpu.sustained_share.value;
  const auto product = [&](std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    return product_cost({rows, columns, depth, {}}, job.gpu, peak, kHalf, false).all();
  };
  return (product(m, m, n) + product(m, m, m) + product(m, n, m)) * kIterations;
}

/// Of all matrices of a GPU's layers, as tensor parallelism cuts them (Megatron's blockwise).
Seconds orthogonalizing_all(const TransformerJob& job) {
  const Architecture& own = job.architecture;
  const auto sum = [&](const std::vector<MatrixSize>& matrices) {
    Seconds time;
    for (const MatrixSize& one : matrices) time += orthogonalizing(job, one);
    return time;
  };
  const double with = own.experts > 0 ? real(own.layers - own.dense_layers) : 0;
  Seconds all = sum(attention_sizes(own, job.tensor()).matrices) * real(own.layers);
  all += sum(ffn_sizes(own, real(own.ffn), job.tensor())) * (real(own.layers) - with);
  if (with > 0) {
    if (own.shared_ffn > 0) all += sum(ffn_sizes(own, real(own.shared_ffn), job.tensor())) * with;
    all += sum(ffn_sizes(own, real(own.expert_ffn))) * (with * real(own.experts) / job.expert());
  }
  return all / job.pipeline();
}

Seconds on_hosts(const TransformerJob& job, double own, Seconds backward) {
  constexpr OffloadedTraffic kMoved;
  const Seconds copy = Bytes{kMoved.plug * own} / job.ways.host;
  return std::max(Seconds{}, copy - backward) + Bytes{kMoved.memory * own} / job.ways.host_memory +
         copy;
}

}  // namespace

double frozen_bytes(const kind::Training& training) {
  // A scale in 8 bits for each 64, and one in 32 for 256 of these (Dettmers and others, QLoRA)
  constexpr double kNormal4 = 0.5 + 1.0 / 64 + 4.0 / (64 * 256);
  return training.frozen_weights == FrozenWeights::nf4 ? kNormal4 : kHalf;
}

ParameterBytes state_bytes(const kind::Training& training) {
  const double copy = fp32_copy(training), wide = number(training);
  const auto both = [&](double states) { return ParameterBytes{copy + states, copy + states}; };
  switch (training.optimizer.value) {
    case Optimizer::sgd:
    case Optimizer::adafactor:
      break;
    case Optimizer::momentum:
      return both(wide);
    case Optimizer::adam:
      return both(2 * wide);
    case Optimizer::adam_8bit:
      return both(2);
    case Optimizer::muon:
      return {copy + wide, copy + 2 * wide};
  }
  return both(0);
}

ParameterBytes optimizer_bytes(const kind::Training& training) {
  constexpr double kAdafactorPasses = 17, kMuonPasses = 10;
  const double wide = number(training), beside = beside_passes(training);
  const ParameterBytes states = state_bytes(training);
  const ParameterBytes fused{fused_bytes(training, states.matrices),
                             fused_bytes(training, states.tables)};
  if (training.optimizer.value == Optimizer::adafactor) {
    const double bytes = kAdafactorPasses * wide + beside;
    return {bytes, bytes};
  }
  if (training.optimizer.value != Optimizer::muon) return fused;
  const double narrowed = training.master_weights ? wide + kHalf : 0;
  constexpr double kOperands = 9 * kHalf;
  return {kMuonPasses * wide + narrowed + kOperands + beside, fused.tables};
}

Seconds optimizer_time(const TransformerJob& job, const HeldParameters& held, double own,
                       Seconds backward) {
  if (held.all() <= 0 || own <= 0) return {};
  if (job.training.offload_optimizer) return on_hosts(job, own, backward);
  const ParameterBytes bytes = optimizer_bytes(job.training);
  const double share = own / held.all();
  const double moved = bytes.tables * held.tables + bytes.matrices * (held.all() - held.tables);
  Seconds time = Bytes{moved * share} / job.memory_rate();
  if (job.training.optimizer.value == Optimizer::muon) time += orthogonalizing_all(job) * share;
  return time;
}

}  // namespace gpufeed
