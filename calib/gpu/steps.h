// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "calib/gpu/convolution.h"
#include "calib/gpu/fill.h"
#include "calib/gpu/matmul.h"
#include "calib/gpu/networks.h"
#include "calib/gpu/timing.h"

/// The layers of two networks in fp16, forward and backward, by batch: each kernel by itself, and
/// whole steps of them, launched one by one and as a graph. Frameworks add what is between layers.

/// What a step calls, in its order, and how often in a row. A call tells whether it could be done.
struct StepCall {
  std::size_t layer;
  Call call;
  int times;
  std::function<bool()> run;
};
using StepCalls = std::vector<StepCall>;

inline constexpr std::size_t kPart = std::size_t{1} << 30;
inline constexpr std::size_t kParts = 5;
inline constexpr std::size_t kWorkspace = std::size_t{32} << 20;

/// Kernels recorded once and launched together, which takes the host nearly nothing.
class Graph {
 public:
  Graph(cudaStream_t stream, const std::function<void()>& work) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "graph");
    work();
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) {
      cudaGetLastError();  // what a library cannot record is not an error of what follows
      return;
    }
    if (cudaGraphInstantiate(&whole_, graph, 0) != cudaSuccess) whole_ = nullptr;
    cudaGraphDestroy(graph);
  }
  ~Graph() {
    if (whole_) cudaGraphExecDestroy(whole_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  bool there() const { return whole_ != nullptr; }
  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(whole_, stream), "graph"); }

 private:
  cudaGraphExec_t whole_ = nullptr;
};

/// Each call's kernels by themselves, as a graph of some in a row, and what a call takes of the
/// host.
inline void measure_kernels(List& list, int device, const char* network, int batch,
                            const StepCalls& calls, cudaStream_t stream) {
  constexpr int kInRow = 8;
  for (const StepCall& one : calls) {
    bool good = true;
    std::vector<double> host;
    for (int round = 0; round <= kRepeats; ++round) {
      check(cudaStreamSynchronize(stream), "work on the GPU");
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kInRow; ++i) good = good && one.run();
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
      if (round > 0) host.push_back(time.count());
    }
    std::nth_element(host.begin(), host.begin() + kRepeats / 2, host.end());
    check(cudaStreamSynchronize(stream), "work on the GPU");
    const Graph graph(stream, [&] {
      for (int i = 0; i < kInRow; ++i) good = good && one.run();
    });
    if (!good || !graph.there()) continue;
    const double seconds = time_of(stream, [&] { graph.launch(stream); });
    list.next();
    std::printf(
        R"({"gpu": %d, "network": "%s", "layer": %zu, "call": "%s", "times": %d, "batch": %d, "s": %.6g, "host_s": %.6g})",
        device, network, one.layer, name_of(one.call), one.times, batch, seconds / kInRow,
        host[kRepeats / 2] / kInRow);
  }
}

/// All calls one after the other, launched one by one and as a graph.
inline void measure_step(List& list, int device, const char* network, int batch,
                         const StepCalls& calls, cudaStream_t stream) {
  bool good = true;
  const auto step = [&] {
    for (const StepCall& one : calls)
      for (int i = 0; i < one.times; ++i) good = good && one.run();
  };
  const auto print = [&](const char* launch, double seconds) {
    list.next();
    std::printf(R"({"gpu": %d, "network": "%s", "launch": "%s", "batch": %d, "s": %.6g})", device,
                network, launch, batch, seconds);
  };
  step();
  const double one_by_one = time_of(stream, step);
  if (!good) return;
  print("one by one", one_by_one);
  const Graph graph(stream, step);
  if (graph.there()) print("graph", time_of(stream, [&] { graph.launch(stream); }));
}

/// The convolutions of ResNet-50, layer by layer. Empty where cuDNN cannot.
inline StepCalls convolutions(Cudnn& cudnn, int batch, char* memory) {
  StepCalls out;
  if (!cudnn.there()) return out;
  std::size_t number = 0;
  for (const Convolution& layer : resnet_50()) {
    Cudnn::Layer prepared;
    if (!cudnn.prepare(layer, batch, kPart, prepared)) return {};
    for (const Call call : kCalls)
      out.push_back({number, call, layer.times, [&cudnn, prepared, call, memory] {
                       return cudnn.run(prepared, call, memory, kPart);
                     }});
    ++number;
  }
  return out;
}

/// The products of weights in BERT-large. Empty without cuBLAS.
inline StepCalls products(const Cublas& cublas, int batch, char* memory) {
  StepCalls out;
  if (!cublas.there()) return out;
  std::size_t number = 0;
  for (const Linear& layer : bert_large()) {
    for (const Call call : kCalls) {
      const int rows = layer.rows * batch;
      const int m = call == Call::data ? layer.from : layer.to;
      const int n = call == Call::weights ? layer.from : rows;
      const int k = call == Call::forward ? layer.from : call == Call::data ? layer.to : rows;
      out.push_back({number, call, layer.times, [&cublas, m, n, k, memory] {
                       return cublas.multiply(Number::fp16, m, n, k, memory, memory + kPart,
                                              memory + 2 * kPart);
                     }});
    }
    ++number;
  }
  return out;
}

/// Kernels at every second batch, or whole steps at all.
inline void measure_networks(List& list, int device, bool kernels) {
  check(cudaSetDevice(device), "GPU");
  void* memory = nullptr;
  if (cudaMalloc(&memory, kParts * kPart + kWorkspace) != cudaSuccess) {
    cudaGetLastError();
    return;  // a GPU of little memory
  }
  char* const at = static_cast<char*>(memory);
  fill_numbers<__half>(at, kParts * kPart);
  cudaStream_t stream{};
  check(cudaStreamCreate(&stream), "stream");
  {
    const Cublas cublas(stream);
    if (cublas.there()) cublas.give_workspace(at + kParts * kPart, kWorkspace);
    Cudnn cudnn(stream);
    for (int batch = 1; batch <= 256; batch *= kernels ? 4 : 2)
      for (const bool resnet : {true, false}) {
        const char* const network = resnet ? "convolutions of resnet-50" : "products of bert-large";
        const StepCalls calls =
            resnet ? convolutions(cudnn, batch, at) : products(cublas, batch, at);
        if (calls.empty()) continue;
        if (kernels)
          measure_kernels(list, device, network, batch, calls, stream);
        else
          measure_step(list, device, network, batch, calls, stream);
      }
  }
  check(cudaStreamDestroy(stream), "stream");
  check(cudaFree(memory), "memory of the GPU");
}
