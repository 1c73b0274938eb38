// SPDX-License-Identifier: Apache-2.0
#include "sim/model/gpu_memory.h"

#include <algorithm>

namespace gpufeed {
namespace {

constexpr double kSingle = 4;  ///< bytes of fp32

double numbers_kept(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::sgd:
      return 0;
    case Optimizer::momentum:
      return 1;
    case Optimizer::adam:
      break;
  }
  return 2;
}

}  // namespace

double bytes_per_number(std::string_view precision) {
  if (precision == "fp64") return 8;
  if (precision == "fp16" || precision == "bf16") return 2;
  if (precision == "int4") return 0.5;
  return precision == "fp8" || precision == "int8" ? 1 : kSingle;
}

GpuMemory gpu_memory(const Model& model, std::string_view precision, Optimizer optimizer) {
  const double bytes = bytes_per_number(precision);
  const Bytes numbers{static_cast<double>(model.parameters)};
  GpuMemory out;
  out.weights = numbers * (bytes < kSingle ? bytes + kSingle : bytes);
  out.gradients = numbers * bytes;
  out.optimizer = numbers * (numbers_kept(optimizer) * std::max(bytes, kSingle));
  out.activations = model.activation_size.value_or(Bytes{}) * (bytes / kSingle);
  return out;
}

}  // namespace gpufeed
