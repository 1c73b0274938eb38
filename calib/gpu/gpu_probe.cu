// SPDX-License-Identifier: Apache-2.0
// gpufeed-gpu-probe: measures the GPUs of this machine and prints raw measurements as JSON, which
// `gpufeed calibrate --gpu` reads. A program of its own, so that gpufeed itself needs no driver.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "calib/gpu/matmul.h"

namespace {

constexpr int kWrongInput = 2;
constexpr int kRepeats = 9;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(kWrongInput);
}

__global__ void nothing() {}

/// The middle of some runs, in seconds, by events of the stream; the first run is not counted.
template <class Work>
double time_of(cudaStream_t stream, Work work) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  std::vector<float> times;
  for (int i = 0; i <= kRepeats; ++i) {
    check(cudaEventRecord(begin, stream), "event");
    work();
    check(cudaEventRecord(end, stream), "event");
    check(cudaEventSynchronize(end), "work on the GPU");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    if (i > 0) times.push_back(ms);
  }
  check(cudaEventDestroy(begin), "event");
  check(cudaEventDestroy(end), "event");
  std::nth_element(times.begin(), times.begin() + kRepeats / 2, times.end());
  return times[kRepeats / 2] * 1e-3;
}

/// Elements of a JSON list, one a line.
class List {
 public:
  explicit List(const char* name) { std::printf(",\n \"%s\": [", name); }
  ~List() { std::printf("]"); }
  void next() {
    std::printf(first_ ? "\n  " : ",\n  ");
    first_ = false;
  }

 private:
  bool first_ = true;
};

struct Buffers {
  explicit Buffers(std::size_t size) : pageable(size, 1) {
    check(cudaMalloc(&gpu, size), "memory of the GPU");
    check(cudaMalloc(&gpu_back, size), "memory of the GPU");
    check(cudaMallocHost(&pinned, size), "pinned memory");
    check(cudaMallocHost(&pinned_back, size), "pinned memory");
  }
  ~Buffers() {
    cudaFree(gpu);
    cudaFree(gpu_back);
    cudaFreeHost(pinned);
    cudaFreeHost(pinned_back);
  }
  void* gpu = nullptr;
  void* gpu_back = nullptr;
  void* pinned = nullptr;
  void* pinned_back = nullptr;
  std::vector<char> pageable;
};

constexpr std::size_t kLargest = std::size_t{256} << 20;

void print_copy(List& list, int device, const char* way, const char* memory, std::size_t size,
                double seconds) {
  list.next();
  std::printf(R"({"gpu": %d, "way": "%s", "memory": "%s", "bytes": %zu, "s": %.9g})", device, way,
              memory, size, seconds);
}

void measure_copies(List& list, int device) {
  check(cudaSetDevice(device), "GPU");
  Buffers buffers(kLargest);
  cudaStream_t stream{};
  cudaStream_t other{};
  check(cudaStreamCreate(&stream), "stream");
  check(cudaStreamCreate(&other), "stream");
  for (std::size_t size = 4096; size <= kLargest; size *= 8) {
    for (const bool pinned : {true, false}) {
      void* const host = pinned ? buffers.pinned : buffers.pageable.data();
      const char* const memory = pinned ? "pinned" : "pageable";
      print_copy(list, device, "to", memory, size, time_of(stream, [&] {
                   check(cudaMemcpyAsync(buffers.gpu, host, size, cudaMemcpyHostToDevice, stream),
                         "copy");
                 }));
      print_copy(list, device, "from", memory, size, time_of(stream, [&] {
                   check(cudaMemcpyAsync(host, buffers.gpu, size, cudaMemcpyDeviceToHost, stream),
                         "copy");
                 }));
    }
    cudaEvent_t back{};
    check(cudaEventCreate(&back), "event");
    print_copy(
        list, device, "both", "pinned", size, time_of(stream, [&] {
          check(cudaMemcpyAsync(buffers.gpu, buffers.pinned, size, cudaMemcpyHostToDevice, stream),
                "copy");
          check(cudaMemcpyAsync(buffers.pinned_back, buffers.gpu_back, size, cudaMemcpyDeviceToHost,
                                other),
                "copy");
          check(cudaEventRecord(back, other), "event");
          check(cudaStreamWaitEvent(stream, back, 0), "event");
        }));
    check(cudaEventDestroy(back), "event");
  }
  check(cudaStreamDestroy(stream), "stream");
  check(cudaStreamDestroy(other), "stream");
}

void measure_peers(List& list, int from, int to) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, from, to), "peer");
  check(cudaSetDevice(from), "GPU");
  if (can != 0) cudaDeviceEnablePeerAccess(to, 0);
  void* source = nullptr;
  void* target = nullptr;
  check(cudaMalloc(&source, kLargest), "memory of the GPU");
  check(cudaSetDevice(to), "GPU");
  check(cudaMalloc(&target, kLargest), "memory of the GPU");
  check(cudaSetDevice(from), "GPU");
  cudaStream_t stream{};
  check(cudaStreamCreate(&stream), "stream");
  for (std::size_t size = 4096; size <= kLargest; size *= 8) {
    const double seconds = time_of(stream, [&] {
      check(cudaMemcpyPeerAsync(target, to, source, from, size, stream), "copy between GPUs");
    });
    list.next();
    std::printf(R"({"from": %d, "to": %d, "direct": %s, "bytes": %zu, "s": %.9g})", from, to,
                can != 0 ? "true" : "false", size, seconds);
  }
  check(cudaStreamDestroy(stream), "stream");
  check(cudaFree(source), "memory of the GPU");
  check(cudaFree(target), "memory of the GPU");
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
  if (found != cudaSuccess || count == 0) {
    std::fprintf(stderr, "no GPU can be used: %s\n",
                 found == cudaSuccess ? "there is none" : cudaGetErrorString(found));
    return kWrongInput;
  }
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
  std::printf("\n}\n");
  return 0;
}
