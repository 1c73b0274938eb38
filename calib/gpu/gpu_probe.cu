// SPDX-License-Identifier: Apache-2.0
// gpufeed-gpu-probe: measures the GPUs of this machine and prints raw measurements as JSON, which
// `gpufeed calibrate --gpu` reads. A program of its own, so that gpufeed itself needs no driver.
#include <cuda_runtime.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "calib/gpu/collectives.h"
#include "calib/gpu/copies.h"
#include "calib/gpu/fill.h"
#include "calib/gpu/matmul.h"
#include "calib/gpu/steps.h"
#include "calib/gpu/timing.h"

namespace {

__global__ void nothing() {}

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

/// What PCIe tells of a GPU: 32.0 of "32.0 GT/s PCIe", 16 of "16"; 0 where it does not.
double told_by_pcie(const char* bus_id, const char* what) {
  std::string place = bus_id;
  std::transform(place.begin(), place.end(), place.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  std::ifstream in("/sys/bus/pci/devices/" + place + "/" + what);
  double value = 0;
  in >> value;
  return in ? value : 0;
}

/// Payload before packets of the widest and fastest link that a GPU can have, in B/s; 0: not known.
/// Idle GPUs run slower than that. Source of the coding: PCI Express Base Specification 6.0.
double pcie_Bps(int device) {
  char bus_id[32] = {};
  if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, device) != cudaSuccess) return 0;
  const double rate = told_by_pcie(bus_id, "max_link_speed");
  const double coded = rate > 32 ? 236.0 / 256 : rate > 5 ? 128.0 / 130 : 0.8;
  return rate * 1e9 / 8 * coded * told_by_pcie(bus_id, "max_link_width");
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

void fill(Number type, void* memory, std::size_t size) {
  if (type == Number::fp16)
    fill_numbers<__half>(memory, size);
  else if (type == Number::bf16)
    fill_numbers<__nv_bfloat16>(memory, size);
  else
    fill_numbers<float>(memory, size);
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
  char* const at = static_cast<char*>(memory);
  for (const Number type : {Number::fp32, Number::tf32, Number::fp16, Number::bf16}) {
    fill(type, at, 3 * kMatrix);
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
  }
  check(cudaFree(memory), "memory of the GPU");
}

}  // namespace

int main() {
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);  // as others of the machine's tools count them
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
      std::printf(R"({"gpu": %d, "name": "%s", "memory_B": %zu, "pcie_Bps": %.6g})", i,
                  properties.name, properties.totalGlobalMem, pcie_Bps(i));
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
    List list("kernels");
    for (int i = 0; i < count; ++i) measure_networks(list, i, true);
  }
  {
    List list("steps");
    for (int i = 0; i < count; ++i) measure_networks(list, i, false);
  }
  std::printf("\n}\n");
  return 0;
}
