// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/gpu/library.h"
#include "calib/gpu/networks.h"
#include "calib/gpu/timing.h"

#if __has_include(<cudnn.h>)
#include <cudnn.h>

/// cuDNN, of which a training step takes three convolutions of each layer: forward, and backward
/// for data and weights; fp16 in NHWC, summed in fp32.
class Cudnn {
 public:
  Cudnn() {
    library_.find(create_, "cudnnCreate");
    library_.find(destroy_, "cudnnDestroy");
    library_.find(new_tensor_, "cudnnCreateTensorDescriptor");
    library_.find(set_tensor_, "cudnnSetTensor4dDescriptor");
    library_.find(new_filter_, "cudnnCreateFilterDescriptor");
    library_.find(set_filter_, "cudnnSetFilter4dDescriptor");
    library_.find(new_way_, "cudnnCreateConvolutionDescriptor");
    library_.find(set_way_, "cudnnSetConvolution2dDescriptor");
    library_.find(set_math_, "cudnnSetConvolutionMathType");
    library_.find(choose_forward_, "cudnnGetConvolutionForwardAlgorithm_v7");
    library_.find(choose_data_, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    library_.find(choose_filter_, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    library_.find(forward_, "cudnnConvolutionForward");
    library_.find(backward_data_, "cudnnConvolutionBackwardData");
    library_.find(backward_filter_, "cudnnConvolutionBackwardFilter");
    there_ =
        library_.whole() && create_(&handle_) == CUDNN_STATUS_SUCCESS &&
        new_tensor_(&in_) == CUDNN_STATUS_SUCCESS && new_tensor_(&out_) == CUDNN_STATUS_SUCCESS &&
        new_filter_(&filter_) == CUDNN_STATUS_SUCCESS && new_way_(&way_) == CUDNN_STATUS_SUCCESS;
  }
  ~Cudnn() {
    if (handle_) destroy_(handle_);
  }
  Cudnn(const Cudnn&) = delete;
  Cudnn& operator=(const Cudnn&) = delete;

  bool there() const { return there_; }

  /// \param memory  five parts of `part` bytes: input, output, weights, their gradients, workspace
  /// \return whether it could
  bool train(const Convolution& layer, int batch, char* memory, std::size_t part) {
    const float one = 1;
    const float zero = 0;
    char* const in = memory;
    char* const out = memory + part;
    char* const weights = memory + 2 * part;
    char* const changes = memory + 3 * part;
    char* const space = memory + 4 * part;
    if (!describe(layer, batch)) return false;
    cudnnConvolutionFwdAlgoPerf_t forward{};
    cudnnConvolutionBwdDataAlgoPerf_t data{};
    cudnnConvolutionBwdFilterAlgoPerf_t filter{};
    int found = 0;
    return choose_forward_(handle_, in_, filter_, way_, out_, 1, &found, &forward) == kGood &&
           choose_data_(handle_, filter_, out_, way_, in_, 1, &found, &data) == kGood &&
           choose_filter_(handle_, in_, out_, way_, filter_, 1, &found, &filter) == kGood &&
           std::max({forward.memory, data.memory, filter.memory}) <= part &&
           forward_(handle_, &one, in_, in, filter_, weights, way_, forward.algo, space, part,
                    &zero, out_, out) == kGood &&
           backward_filter_(handle_, &one, in_, in, out_, out, way_, filter.algo, space, part,
                            &zero, filter_, changes) == kGood &&
           backward_data_(handle_, &one, filter_, weights, out_, out, way_, data.algo, space, part,
                          &zero, in_, in) == kGood;
  }

 private:
  static constexpr cudnnStatus_t kGood = CUDNN_STATUS_SUCCESS;

  bool describe(const Convolution& layer, int batch) {
    const int side = layer.side / layer.stride;
    const int pad = layer.kernel / 2;
    return set_tensor_(in_, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, batch, layer.from, layer.side,
                       layer.side) == kGood &&
           set_tensor_(out_, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, batch, layer.to, side, side) ==
               kGood &&
           set_filter_(filter_, CUDNN_DATA_HALF, CUDNN_TENSOR_NHWC, layer.to, layer.from,
                       layer.kernel, layer.kernel) == kGood &&
           set_way_(way_, pad, pad, layer.stride, layer.stride, 1, 1, CUDNN_CROSS_CORRELATION,
                    CUDNN_DATA_FLOAT) == kGood &&
           set_math_(way_, CUDNN_TENSOR_OP_MATH) == kGood;
  }

  Library library_{"libcudnn.so.9", "libcudnn.so.8"};
  decltype(cudnnCreate)* create_ = nullptr;
  decltype(cudnnDestroy)* destroy_ = nullptr;
  decltype(cudnnCreateTensorDescriptor)* new_tensor_ = nullptr;
  decltype(cudnnSetTensor4dDescriptor)* set_tensor_ = nullptr;
  decltype(cudnnCreateFilterDescriptor)* new_filter_ = nullptr;
  decltype(cudnnSetFilter4dDescriptor)* set_filter_ = nullptr;
  decltype(cudnnCreateConvolutionDescriptor)* new_way_ = nullptr;
  decltype(cudnnSetConvolution2dDescriptor)* set_way_ = nullptr;
  decltype(cudnnSetConvolutionMathType)* set_math_ = nullptr;
  decltype(cudnnGetConvolutionForwardAlgorithm_v7)* choose_forward_ = nullptr;
  decltype(cudnnGetConvolutionBackwardDataAlgorithm_v7)* choose_data_ = nullptr;
  decltype(cudnnGetConvolutionBackwardFilterAlgorithm_v7)* choose_filter_ = nullptr;
  decltype(cudnnConvolutionForward)* forward_ = nullptr;
  decltype(cudnnConvolutionBackwardData)* backward_data_ = nullptr;
  decltype(cudnnConvolutionBackwardFilter)* backward_filter_ = nullptr;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t in_ = nullptr;
  cudnnTensorDescriptor_t out_ = nullptr;
  cudnnFilterDescriptor_t filter_ = nullptr;
  cudnnConvolutionDescriptor_t way_ = nullptr;
  bool there_ = false;
};
#else
class Cudnn {
 public:
  bool there() const { return false; }
  bool train(const Convolution&, int, char*, std::size_t) { return false; }
};
#endif
