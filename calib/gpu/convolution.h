// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>

#include "calib/gpu/library.h"
#include "calib/gpu/networks.h"
#include "calib/gpu/timing.h"

#if __has_include(<cudnn.h>)
#include <cudnn.h>

/// cuDNN, of which a training step takes three convolutions of each layer: forward, and backward
/// for data and weights; fp16 in NHWC, summed in fp32.
class Cudnn {
 public:
  explicit Cudnn(cudaStream_t stream) {
    library_.find(create_, "cudnnCreate");
    library_.find(destroy_, "cudnnDestroy");
    library_.find(set_stream_, "cudnnSetStream");
    library_.find(new_tensor_, "cudnnCreateTensorDescriptor");
    library_.find(set_tensor_, "cudnnSetTensor4dDescriptor");
    library_.find(new_filter_, "cudnnCreateFilterDescriptor");
    library_.find(set_filter_, "cudnnSetFilter4dDescriptor");
    library_.find(new_way_, "cudnnCreateConvolutionDescriptor");
    library_.find(set_way_, "cudnnSetConvolution2dDescriptor");
    library_.find(set_math_, "cudnnSetConvolutionMathType");
    library_.find(choose_forward_, "cudnnGetConvolutionForwardAlgorithm_v7");
    library_.find(choose_data_, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    library_.find(choose_weights_, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    library_.find(forward_, "cudnnConvolutionForward");
    library_.find(backward_data_, "cudnnConvolutionBackwardData");
    library_.find(backward_weights_, "cudnnConvolutionBackwardFilter");
    there_ =
        library_.whole() && create_(&handle_) == kGood && set_stream_(handle_, stream) == kGood;
  }
  ~Cudnn() {
    if (handle_) destroy_(handle_);
  }
  Cudnn(const Cudnn&) = delete;
  Cudnn& operator=(const Cudnn&) = delete;

  bool there() const { return there_; }

  /// A layer at a batch, with the algorithms that cuDNN's heuristics take for it: chosen once, as
  /// frameworks do.
  struct Layer {
    cudnnTensorDescriptor_t in = nullptr;
    cudnnTensorDescriptor_t out = nullptr;
    cudnnFilterDescriptor_t filter = nullptr;
    cudnnConvolutionDescriptor_t way = nullptr;
    cudnnConvolutionFwdAlgo_t forward{};
    cudnnConvolutionBwdDataAlgo_t data{};
    cudnnConvolutionBwdFilterAlgo_t weights{};
  };

  /// \param most  bytes that its workspace may have
  /// \return whether cuDNN has algorithms for all three. Its descriptors last as long as the
  /// program.
  bool prepare(const Convolution& layer, int batch, std::size_t most, Layer& out) {
    const int side = layer.side / layer.stride;
    const int pad = layer.kernel / 2;
    return new_tensor_(&out.in) == kGood && new_tensor_(&out.out) == kGood &&
           new_filter_(&out.filter) == kGood && new_way_(&out.way) == kGood &&
           set_tensor_(out.in, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, batch, layer.from, layer.side,
                       layer.side) == kGood &&
           set_tensor_(out.out, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, batch, layer.to, side, side) ==
               kGood &&
           set_filter_(out.filter, CUDNN_DATA_HALF, CUDNN_TENSOR_NHWC, layer.to, layer.from,
                       layer.kernel, layer.kernel) == kGood &&
           set_way_(out.way, pad, pad, layer.stride, layer.stride, 1, 1, CUDNN_CROSS_CORRELATION,
                    CUDNN_DATA_FLOAT) == kGood &&
           set_math_(out.way, CUDNN_TENSOR_OP_MATH) == kGood &&
           choose(choose_forward_, out.forward, most, out.in, out.filter, out.way, out.out) &&
           choose(choose_data_, out.data, most, out.filter, out.out, out.way, out.in) &&
           choose(choose_weights_, out.weights, most, out.in, out.out, out.way, out.filter);
  }

  /// \param memory  five parts of `part` bytes: input, output, weights, their gradients, workspace
  /// \return whether it could
  bool run(const Layer& layer, Call call, char* memory, std::size_t part) const {
    const float one = 1;
    const float zero = 0;
    char* const in = memory;
    char* const out = memory + part;
    char* const weights = memory + 2 * part;
    char* const changes = memory + 3 * part;
    char* const space = memory + 4 * part;
    if (call == Call::forward)
      return forward_(handle_, &one, layer.in, in, layer.filter, weights, layer.way, layer.forward,
                      space, part, &zero, layer.out, out) == kGood;
    if (call == Call::weights)
      return backward_weights_(handle_, &one, layer.in, in, layer.out, out, layer.way,
                               layer.weights, space, part, &zero, layer.filter, changes) == kGood;
    return backward_data_(handle_, &one, layer.filter, weights, layer.out, out, layer.way,
                          layer.data, space, part, &zero, layer.in, in) == kGood;
  }

 private:
  static constexpr cudnnStatus_t kGood = CUDNN_STATUS_SUCCESS;

  /// The first algorithm of those that cuDNN takes for quickest that can run in so much memory.
  template <class Find, class Algorithm, class... Descriptor>
  bool choose(Find* find, Algorithm& chosen, std::size_t most, Descriptor... descriptors) const {
    constexpr int kMost = 8;
    std::array<decltype(perf_of(find)), kMost> all{};
    int found = 0;
    if (find(handle_, descriptors..., kMost, &found, all.data()) != kGood) return false;
    for (int i = 0; i < found; ++i) {
      const auto& one = all[static_cast<std::size_t>(i)];
      if (one.status != kGood || one.memory > most) continue;
      chosen = one.algo;
      return true;
    }
    return false;
  }
  template <class A, class B, class C, class D, class Perf>
  static Perf perf_of(cudnnStatus_t (*)(cudnnHandle_t, A, B, C, D, int, int*, Perf*));

  Library library_{"libcudnn.so.9", "libcudnn.so.8"};
  decltype(cudnnCreate)* create_ = nullptr;
  decltype(cudnnDestroy)* destroy_ = nullptr;
  decltype(cudnnSetStream)* set_stream_ = nullptr;
  decltype(cudnnCreateTensorDescriptor)* new_tensor_ = nullptr;
  decltype(cudnnSetTensor4dDescriptor)* set_tensor_ = nullptr;
  decltype(cudnnCreateFilterDescriptor)* new_filter_ = nullptr;
  decltype(cudnnSetFilter4dDescriptor)* set_filter_ = nullptr;
  decltype(cudnnCreateConvolutionDescriptor)* new_way_ = nullptr;
  decltype(cudnnSetConvolution2dDescriptor)* set_way_ = nullptr;
  decltype(cudnnSetConvolutionMathType)* set_math_ = nullptr;
  decltype(cudnnGetConvolutionForwardAlgorithm_v7)* choose_forward_ = nullptr;
  decltype(cudnnGetConvolutionBackwardDataAlgorithm_v7)* choose_data_ = nullptr;
  decltype(cudnnGetConvolutionBackwardFilterAlgorithm_v7)* choose_weights_ = nullptr;
  decltype(cudnnConvolutionForward)* forward_ = nullptr;
  decltype(cudnnConvolutionBackwardData)* backward_data_ = nullptr;
  decltype(cudnnConvolutionBackwardFilter)* backward_weights_ = nullptr;
  cudnnHandle_t handle_ = nullptr;
  bool there_ = false;
};
#else
class Cudnn {
 public:
  explicit Cudnn(cudaStream_t) {}
  bool there() const { return false; }
  struct Layer {};
  bool prepare(const Convolution&, int, std::size_t, Layer&) { return false; }
  bool run(const Layer&, Call, char*, std::size_t) const { return false; }
};
#endif
