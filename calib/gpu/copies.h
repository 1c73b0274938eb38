// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/gpu/timing.h"

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

inline constexpr std::size_t kLargest = std::size_t{256} << 20;

inline void print_copy(List& list, int device, const char* way, const char* memory,
                       std::size_t size, double seconds) {
  list.next();
  std::printf(R"({"gpu": %d, "way": "%s", "memory": "%s", "bytes": %zu, "s": %.9g})", device, way,
              memory, size, seconds);
}

inline void measure_copies(List& list, int device) {
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
    print_copy(list, device, "within", "gpu", size, time_of(stream, [&] {
                 check(cudaMemcpyAsync(buffers.gpu, buffers.gpu_back, size,
                                       cudaMemcpyDeviceToDevice, stream),
                       "copy");
               }));
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

inline void measure_peers(List& list, int from, int to) {
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

/// Pinned copies of all GPUs at once: what sockets, switches and memories carry together.
inline void measure_together(List& list, int gpus) {
  std::vector<void*> on_gpu(static_cast<std::size_t>(gpus));
  std::vector<void*> on_host(on_gpu.size());
  for (int i = 0; i < gpus; ++i) {
    check(cudaSetDevice(i), "GPU");
    check(cudaMalloc(&on_gpu[static_cast<std::size_t>(i)], kLargest), "memory of the GPU");
    check(cudaMallocHost(&on_host[static_cast<std::size_t>(i)], kLargest), "pinned memory");
  }
  for (const bool to : {true, false})
    for (std::size_t size = kLargest / 64; size <= kLargest; size *= 8) {
      const double seconds = time_of_all(gpus, [&] {
        for (int i = 0; i < gpus; ++i) {
          void* const gpu = on_gpu[static_cast<std::size_t>(i)];
          void* const host = on_host[static_cast<std::size_t>(i)];
          check(cudaSetDevice(i), "GPU");
          check(cudaMemcpyAsync(to ? gpu : host, to ? host : gpu, size,
                                to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, nullptr),
                "copy");
        }
      });
      list.next();
      std::printf(R"({"gpus": %d, "way": "%s", "bytes": %zu, "s": %.9g})", gpus, to ? "to" : "from",
                  size, seconds);
    }
  for (int i = 0; i < gpus; ++i) {
    check(cudaFree(on_gpu[static_cast<std::size_t>(i)]), "memory of the GPU");
    check(cudaFreeHost(on_host[static_cast<std::size_t>(i)]), "pinned memory");
  }
}
