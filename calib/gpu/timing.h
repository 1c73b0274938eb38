// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline constexpr int kWrongInput = 2;
inline constexpr int kRepeats = 9;

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(kWrongInput);
}

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

/// The same of work on several GPUs at once, by the clock, until the last of them is done.
template <class Work>
double time_of_all(int gpus, Work work) {
  const auto wait = [gpus] {
    for (int i = 0; i < gpus; ++i) {
      check(cudaSetDevice(i), "GPU");
      check(cudaDeviceSynchronize(), "work on the GPU");
    }
  };
  std::vector<double> times;
  for (int i = 0; i <= kRepeats; ++i) {
    wait();
    const auto begin = std::chrono::steady_clock::now();
    work();
    wait();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (i > 0) times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + kRepeats / 2, times.end());
  return times[kRepeats / 2];
}

/// Elements of a JSON list, one a line.
class List {
 public:
  explicit List(const char* name) { std::printf(",\n \"%s\": [", name); }
  ~List() { std::printf("]"); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  void next() {
    std::printf(first_ ? "\n  " : ",\n  ");
    first_ = false;
  }

 private:
  bool first_ = true;
};
