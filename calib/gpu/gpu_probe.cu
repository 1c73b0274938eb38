// SPDX-License-Identifier: Apache-2.0
// gpufeed-gpu-probe: measures the GPUs of this machine and prints raw measurements as JSON, which
// `gpufeed calibrate --gpu` reads. A program of its own, so that gpufeed itself needs no driver.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "calib/gpu/collectives.h"
#include "calib/gpu/convolution.h"
#include "calib/gpu/copies.h"
#include "calib/gpu/matmul.h"
#include "calib/gpu/networks.h"
#include "calib/gpu/timing.h"

namespace {

__global__ void nothing() {}

void print_step(List& list, int device, const char* network, int batch, double seconds) {
  list.next();
  std::printf(R"({"gpu": %d, "network": "%s", "batch": %d, "s": %.9g})", device, network, batch,
              seconds);
}

/// The layers of two networks in fp16, one after the other, forward and backward, by batch: the
/// part of a step that its products and convolutions take.
void measure_steps(List& list, int device) {
  constexpr std::size_t kPart = std::size_t{1} << 30;
  constexpr std::size_t kParts = 5;
  check(cudaSetDevice(device), "GPU");
  void* memory = nullptr;
  if (cudaMalloc(&memory, kParts * kPart) != cudaSuccess) return;  // a GPU of little memory
  check(cudaMemset(memory, 0, kParts * kPart), "memory of the GPU");
  char* const at = static_cast<char*>(memory);
  const Cublas cublas;
  Cudnn cudnn;
  for (const int batch : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    bool good = cudnn.there();
    const auto convolve = [&] {
      for (const Convolution& layer : resnet_50())
        for (int i = 0; i < layer.times && good; ++i) good = cudnn.train(layer, batch, at, kPart);
    };
    if (good) convolve();
    if (good)
      print_step(list, device, "convolutions of resnet-50", batch, time_of(nullptr, convolve));
  }
  for (const int batch : {1, 2, 4, 8, 16, 32, 64}) {
    bool good = cublas.there();
    const auto multiply = [&](int m, int n, int k) {
      good = good && cublas.multiply(Number::fp16, m, n, k, at, at + kPart, at + 2 * kPart);
    };
    const auto products = [&] {
      for (const Linear& layer : bert_large())
        for (int i = 0; i < layer.times && good; ++i) {
          multiply(layer.to, layer.rows * batch, layer.from);  // forward, for data, for weights
          multiply(layer.from, layer.rows * batch, layer.to);
          multiply(layer.to, layer.from, layer.rows * batch);
        }
    };
    if (good) products();
    if (good) print_step(list, device, "products of bert-large", batch, time_of(nullptr, products));
  }
  check(cudaFree(memory), "memory of the GPU");
}

/// Why no GPU can be used: "the driver offers CUDA 11.4, this program needs 13.0".
int refuse_to_measure(cudaError_t found) {
  constexpr int kMajor = 1000;
  constexpr int kMinor = 10;
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (found == cudaSuccess || found == cudaErrorNoDevice)
    std::fprintf(stderr, "no GPU can be used: there is none\n");
  else if (found == cudaErrorInsufficientDriver && driver == 0)
    std::fprintf(stderr, "no GPU can be used: there is no NVIDIA driver\n");
  else if (found == cudaErrorInsufficientDriver)
    std::fprintf(stderr,
                 "no GPU can be used: the driver is too old; it offers CUDA %d.%d, this program "
                 "was built with %d.%d\n",
                 driver / kMajor, driver % kMajor / kMinor, runtime / kMajor,
                 runtime % kMajor / kMinor);
  else
    std::fprintf(stderr, "no GPU can be used: %s\n", cudaGetErrorString(found));
  return kWrongInput;
}

void measure_launches(List& list, int device) {
  check(cudaSetDevice(device), "GPU");
  constexpr int kMany = 1000;
  const double seconds = time_of(nullptr, [] {
    for (int i = 0; i < kMany; ++i) nothing<<<1, 1>>>();
  });
  list.next();
  std::printf(R"({"gpu": %d, "s": %.9g})", device, seconds / kMany);
}

void measure_products(List& list, int device) {
  check(cudaSetDevice(device), "GPU");
  const Cublas cublas;
  if (!cublas.there()) return;
  struct Shape {
    int m, n, k;
  };
  std::vector<Shape> shapes;
  for (const int size : {256, 512, 1024, 2048, 4096, 8192}) shapes.push_back({size, size, size});
  for (const int batch : {1, 16, 64, 256}) shapes.push_back({4096, batch, 4096});
  void* memory = nullptr;
  constexpr std::size_t kMatrix = std::size_t{8192} * 8192 * 4;
  check(cudaMalloc(&memory, 3 * kMatrix), "memory of the GPU");
  check(cudaMemset(memory, 0, 3 * kMatrix), "memory of the GPU");
  char* const at = static_cast<char*>(memory);
  for (const Number type : {Number::fp32, Number::tf32, Number::fp16, Number::bf16})
    for (const Shape& s : shapes) {
      bool good = true;
      const double seconds = time_of(nullptr, [&] {
        good = good && cublas.multiply(type, s.m, s.n, s.k, at, at + kMatrix, at + 2 * kMatrix);
      });
      if (!good) continue;  // a type that this GPU does not have
      list.next();
      std::printf(R"({"gpu": %d, "type": "%s", "m": %d, "n": %d, "k": %d, "s": %.9g})", device,
                  name_of(type), s.m, s.n, s.k, seconds);
    }
  check(cudaFree(memory), "memory of the GPU");
}

}  // namespace

int main() {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) return refuse_to_measure(found);
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::printf("{\"cuda_driver\": %d, \"cuda_runtime\": %d", driver, runtime);
  {
    List list("gpus");
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp properties{};
      check(cudaGetDeviceProperties(&properties, i), "GPU");
      list.next();
      std::printf(R"({"gpu": %d, "name": "%s", "memory_B": %zu})", i, properties.name,
                  properties.totalGlobalMem);
    }
  }
  {
    List list("copies");
    for (int i = 0; i < count; ++i) measure_copies(list, i);
  }
  {
    List list("peers");
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        if (i != j) measure_peers(list, i, j);
  }
  {
    List list("launches");
    for (int i = 0; i < count; ++i) measure_launches(list, i);
  }
  {
    List list("products");
    for (int i = 0; i < count; ++i) measure_products(list, i);
  }
  if (count > 1) {
    List list("together");
    measure_together(list, count);
  }
  if (count > 1) {
    List list("collectives");
    measure_collectives(list, count);
  }
  {
    List list("steps");
    for (int i = 0; i < count; ++i) measure_steps(list, i);
  }
  std::printf("\n}\n");
  return 0;
}
