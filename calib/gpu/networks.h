// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// Layers of networks, as a training step takes them.

/// What a step does with a layer: its output, and the gradients of its input and of its weights.
enum class Call { forward, data, weights };
inline constexpr Call kCalls[] = {Call::forward, Call::data, Call::weights};

inline const char* name_of(Call call) {
  return call == Call::forward ? "forward" : call == Call::data ? "data" : "weights";
}

struct Convolution {
  int from;  ///< channels
  int to;
  int side;  ///< of the input, in pixels
  int kernel;
  int stride;
  int times;  ///< that the network has it
};

/// ResNet-50 without its last layer, whose input has four channels, the fourth of zeros, as
/// libraries of half precision pad it. Source: He et al., Deep Residual Learning for Image
/// Recognition, CVPR 2016, table 1; strides on the 3 x 3 convolutions, as in today's libraries.
inline std::vector<Convolution> resnet_50() {
  return {{4, 64, 224, 7, 2, 1},    {64, 64, 56, 1, 1, 1},    {256, 64, 56, 1, 1, 2},
          {64, 64, 56, 3, 1, 3},    {64, 256, 56, 1, 1, 4},   {256, 128, 56, 1, 1, 1},
          {128, 128, 56, 3, 2, 1},  {512, 128, 28, 1, 1, 3},  {128, 128, 28, 3, 1, 3},
          {128, 512, 28, 1, 1, 4},  {256, 512, 56, 1, 2, 1},  {512, 256, 28, 1, 1, 1},
          {256, 256, 28, 3, 2, 1},  {1024, 256, 14, 1, 1, 5}, {256, 256, 14, 3, 1, 5},
          {256, 1024, 14, 1, 1, 6}, {512, 1024, 28, 1, 2, 1}, {1024, 512, 14, 1, 1, 1},
          {512, 512, 14, 3, 2, 1},  {2048, 512, 7, 1, 1, 2},  {512, 512, 7, 3, 1, 2},
          {512, 2048, 7, 1, 1, 3},  {1024, 2048, 14, 1, 2, 1}};
}

struct Linear {
  int from;
  int to;
  int rows;   ///< of a sample: tokens
  int times;  ///< that the network has it
};

/// The products of weights in BERT-large with 512 tokens: 24 blocks of hidden size 1024. Source:
/// Devlin et al., BERT, NAACL 2019, section 3.
inline std::vector<Linear> bert_large() {
  return {
      {1024, 3072, 512, 24}, {1024, 1024, 512, 24}, {1024, 4096, 512, 24}, {4096, 1024, 512, 24}};
}
