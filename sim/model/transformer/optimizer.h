// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/transformer/step.h"

namespace gpufeed {

inline constexpr double kHalf = 2, kSingle = 4;  ///< bytes of a number

/// Bytes of a parameter that is trained or frozen in 16 bits, 2, or frozen in 4 with their scales:
/// 0.5 + 1/64 + 4/(64 x 256).
double frozen_bytes(const kind::Training& training);

/// Bytes of a parameter: of matrices, and of tables of words.
struct ParameterBytes {
  double matrices, tables;
};

/// What the optimizer keeps: one number, two or none, in fp32 beside a copy of the weight in fp32,
/// in 16 bits where all is (workload.master_weights = false).
ParameterBytes state_bytes(const kind::Training& training);

/// What a step of it reads and writes: what it keeps and the weight in 16 bits, both ways, and the
/// gradient; with fp32 copies, weights are written only, and gradients are also set to zero. Adam:
/// 14, with fp32 copies 34; of two more no kernel does all at once, and each of their passes
/// counts: adafactor 17 numbers, muon's matrices 10 and 18 B of its products' operands. \source
/// torch.optim of PyTorch 2.9: the passes of Adafactor (one tensor at a time) and Muon
ParameterBytes optimizer_bytes(const kind::Training& training);

/// Of a parameter in the hosts' memory with workload.offload_optimizer: two numbers of Adam, the
/// weight and its gradient, in fp32.
inline constexpr double kOffloadedBytes = 16;

/// Of a parameter, a step of it there.
struct OffloadedTraffic {
  double memory = 36;  ///< bytes that CPUs read and write
  double plug = 2;     ///< bytes to the host, and as many back: gradients, then weights, in 16 bits
};

/// A step of the optimizer on a GPU, which takes it for `own` parameters, its share of those that
/// it `held`; after a `backward` pass:
///   optimizer_bytes x own / memory
///     + muon: of its share of the matrices, five times the products X Xt, (X Xt)^2 and (X Xt) X
/// On the hosts (DeepSpeed's ZeRO-Offload): gradients in 16 bits leave during the backward pass,
/// the CPUs move 36 B of a parameter (states and weights in fp32 both ways, gradients in and out,
/// weights in 16 bits out and read), and weights come back:
///   max(0, 2 B own / link - backward) + 36 B own / share of the hosts' memory + 2 B own / link
/// What moves whole matrices to the GPU that has them (muon, sharded) is left out: 4 B of `own`.
Seconds optimizer_time(const TransformerJob& job, const HeldParameters& held, double own,
                       Seconds backward);

}  // namespace gpufeed
