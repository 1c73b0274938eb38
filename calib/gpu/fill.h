// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "calib/gpu/timing.h"

/// Numbers like those of a network, for zeros take a GPU less power, which it turns into clocks:
/// products of zeros run up to a tenth faster. By a hash of the place (Jarzynski and Olano, JCGT
/// 2020: PCG).
inline __device__ float number_at(std::uint32_t place) {
  std::uint32_t state = place * 747796405U + 2891336453U;
  state = ((state >> ((state >> 28U) + 4U)) ^ state) * 277803737U;
  state = (state >> 22U) ^ state;
  constexpr float kScale = 1.0F / 2147483648.0F;
  return static_cast<float>(state) * kScale - 1.0F;
}

template <class T>
__global__ void fill_kernel(T* memory, std::size_t numbers) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < numbers; i += step)
    memory[i] = static_cast<T>(number_at(static_cast<std::uint32_t>(i)));
}

/// Memory of the current GPU with numbers between -1 and 1.
template <class T>
void fill_numbers(void* memory, std::size_t size) {
  constexpr int kBlocks = 1024;
  constexpr int kThreads = 256;
  fill_kernel<<<kBlocks, kThreads>>>(static_cast<T*>(memory), size / sizeof(T));
  check(cudaGetLastError(), "filling memory");
  check(cudaDeviceSynchronize(), "filling memory");
}
