// SPDX-License-Identifier: Apache-2.0
// Networks written as layers, against what their tables say.
#include <doctest/doctest.h>

#include "sim/model/catalog/layers.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

Layer conv(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, std::int64_t width,
           std::int64_t groups = 1) {
  Layer layer;
  layer.kind = LayerKind::conv;
  layer.inputs = inputs;
  layer.outputs = outputs;
  layer.kernel = kernel;
  layer.width = width;
  layer.groups = groups;
  return layer;
}

Layer normed(Layer layer) {
  layer.bias = false;
  layer.norm = true;
  return layer;
}

Layer dense(std::int64_t inputs, std::int64_t outputs) {
  Layer layer;
  layer.kind = LayerKind::dense;
  layer.inputs = inputs;
  layer.outputs = outputs;
  return layer;
}

Layer repeated(Layer layer, std::int64_t times) {
  layer.repeat = times;
  return layer;
}

/// VGG: blocks of 3 x 3 convolutions, the number of those in the last three, three dense layers.
std::vector<Layer> vgg(std::int64_t deep) {
  return {conv(3, 64, 3, 224),
          conv(64, 64, 3, 224),
          conv(64, 128, 3, 112),
          conv(128, 128, 3, 112),
          conv(128, 256, 3, 56),
          repeated(conv(256, 256, 3, 56), deep - 1),
          conv(256, 512, 3, 28),
          repeated(conv(512, 512, 3, 28), deep - 1),
          repeated(conv(512, 512, 3, 14), deep),
          dense(std::int64_t{7} * 7 * 512, 4096),
          dense(4096, 4096),
          dense(4096, 1000)};
}

/// A stage of ResNet: blocks of 1 x 1, 3 x 3 and 1 x 1 convolutions, each with a norm, the first
/// with a convolution beside them. As published, the first 1 x 1 convolution halves the size.
void add_stage(std::vector<Layer>& out, std::int64_t inputs, std::int64_t inner,
               std::int64_t blocks, std::int64_t width) {
  out.push_back(normed(conv(inputs, 4 * inner, 1, width)));
  out.push_back(normed(conv(inputs, inner, 1, width)));
  out.push_back(repeated(normed(conv(4 * inner, inner, 1, width)), blocks - 1));
  out.push_back(repeated(normed(conv(inner, inner, 3, width)), blocks));
  out.push_back(repeated(normed(conv(inner, 4 * inner, 1, width)), blocks));
}

std::vector<Layer> resnet(std::int64_t second, std::int64_t third) {
  std::vector<Layer> out{normed(conv(3, 64, 7, 112))};
  add_stage(out, 64, 64, 3, 56);
  add_stage(out, 256, 128, second, 28);
  add_stage(out, 512, 256, third, 14);
  add_stage(out, 1024, 512, 3, 7);
  out.push_back(dense(2048, 1000));
  return out;
}

}  // namespace

TEST_CASE("AlexNet as layers has the parameters and multiply-adds of its table") {
  const auto sum =
      count_layers({conv(3, 96, 11, 55), conv(96, 256, 5, 27, 2), conv(256, 384, 3, 13),
                    conv(384, 384, 3, 13, 2), conv(384, 256, 3, 13, 2),
                    dense(std::int64_t{6} * 6 * 256, 4096), dense(4096, 4096), dense(4096, 1000)});
  CHECK(sum.parameters == 60'965'224);
  CHECK(sum.multiply_adds == approx(0.727e9).epsilon(0.005));
}

TEST_CASE("VGG-16 and VGG-19 as layers have the parameters and multiply-adds of their table") {
  CHECK(count_layers(vgg(3)).parameters == 138'357'544);
  CHECK(count_layers(vgg(3)).multiply_adds == approx(15.5e9).epsilon(0.005));
  CHECK(count_layers(vgg(4)).parameters == 143'667'240);
  CHECK(count_layers(vgg(4)).multiply_adds == approx(19.6e9).epsilon(0.005));
}

TEST_CASE("ResNets as layers have the trainable parameters, and the multiply-adds of their table") {
  // The table also counts what Caffe stores of every norm (mean and variance of each channel, and a
  // scale) and the bias of the first convolution. 50: 53 norms over 26,560 channels.
  const auto resnet_50 = count_layers(resnet(4, 6));
  CHECK(resnet_50.parameters == 25'610'269 - 2 * 26'560 - 53 - 64);
  CHECK(resnet_50.multiply_adds == approx(3.9e9).epsilon(0.015));
  CHECK(count_layers(resnet(4, 23)).multiply_adds == approx(7.6e9).epsilon(0.01));
  CHECK(count_layers(resnet(8, 36)).multiply_adds == approx(11.3e9).epsilon(0.01));
}

TEST_CASE("GPT-2 as a table of words, transformers and the same table again has 124 M parameters") {
  Layer words, places, block, norm, head;
  words.kind = places.kind = LayerKind::embedding;
  words.entries = 50257;
  places.entries = 1024;
  words.hidden = places.hidden = block.hidden = 768;
  words.sequence = places.sequence = block.sequence = norm.sequence = 1024;
  block.kind = LayerKind::transformer;
  block.repeat = 12;
  norm.kind = LayerKind::norm;
  norm.outputs = 768;
  head = dense(768, 50257);
  head.sequence = 1024;
  head.bias = false;
  head.shared = true;
  const auto sum = count_layers({words, places, block, norm, head});
  CHECK(sum.parameters == 124'439'808);
  CHECK(sum.late_parameters == (50257 + 1024) * 768);
  // 12 h^2 of each block, 2 s h for its scores, and the table, for each of 1024 tokens.
  const double token = 12 * (12 * 768.0 * 768 + 2 * 1024.0 * 768) + 768.0 * 50257;
  CHECK(sum.multiply_adds == 1024 * token);
}

TEST_CASE("of separable convolutions, those of each channel by itself are told apart") {
  // 3 x 3 over 32 channels of 112 x 112, then 1 x 1 to 64: MobileNet's first two.
  const Layer apart = conv(32, 32, 3, 112, 32), joined = conv(32, 64, 1, 112);
  const auto sum = count_layers({apart, joined});
  CHECK(sum.depthwise_multiply_adds == 9 * 32 * 112 * 112);
  CHECK(sum.multiply_adds == (9 * 32 + 32 * 64) * 112 * 112);
  CHECK(count_layer(conv(32, 32, 3, 112, 4)).depthwise_multiply_adds == 0);
  CHECK(count_layer(conv(1, 8, 3, 112)).depthwise_multiply_adds == 0);
}

TEST_CASE("a layer keeps its outputs for the backward pass, and those of its norm") {
  const Layer layer = conv(3, 64, 7, 112);
  CHECK(count_layer(layer).activations == 64 * 112 * 112);
  CHECK(count_layer(normed(layer)).activations == 2 * 64 * 112 * 112);
  // convnet-burden counts 58 MB of features for VGG-16 and 103 MB for ResNet-50, pools and sums
  // included.
  CHECK(4e-6 * count_layers(vgg(3)).activations == approx(58).epsilon(0.07));
  CHECK(4e-6 * count_layers(resnet(4, 6)).activations == approx(103).epsilon(0.2));
}

TEST_CASE("kept scores of attention take two numbers for each pair of tokens and head") {
  Layer layer;
  layer.kind = LayerKind::attention;
  layer.hidden = 512;
  layer.sequence = 100;
  const double fused = count_layer(layer).activations;
  CHECK(fused == 5 * 512 * 100);
  layer.heads = 8;
  CHECK(count_layer(layer).activations == fused + 2 * 8 * 100 * 100);
}

TEST_CASE("a convolution may have three sizes, and one") {
  Layer video = conv(3, 64, 7, 112);
  video.kernel_depth = 7;
  video.depth = 32;
  CHECK(count_layer(video).multiply_adds == 7.0 * 7 * 7 * 3 * 64 * 112 * 112 * 32);
  Layer text = conv(128, 100, 3, 54);
  text.kernel_height = 1;
  text.height = 1;
  CHECK(count_layer(text).multiply_adds == 3.0 * 128 * 100 * 54);
  CHECK(count_layer(text).parameters == 3 * 128 * 100 + 100);
}
