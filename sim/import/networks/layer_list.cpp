// SPDX-License-Identifier: Apache-2.0
#include "sim/import/networks/layer_list.h"

namespace gpufeed {
namespace {

Layer of_kind(LayerKind kind) {
  Layer layer;
  layer.kind = kind;
  return layer;
}

}  // namespace

void LayerList::conv(Count inputs, Count outputs, const Place& at, const Kernel& kernel) {
  Layer layer = of_kind(LayerKind::conv);
  layer.inputs = inputs;
  layer.outputs = outputs;
  layer.kernel = kernel.size;
  layer.kernel_height = kernel.flat ? 1 : kernel.size;
  layer.width = at.width;
  layer.height = at.height;
  layer.groups = kernel.groups;
  layer.bias = kernel.bias;
  layers_.push_back(layer);
}

void LayerList::dense(Count inputs, Count outputs, Count tokens, bool bias) {
  Layer layer = of_kind(LayerKind::dense);
  layer.inputs = inputs;
  layer.outputs = outputs;
  layer.sequence = tokens;
  layer.bias = bias;
  layers_.push_back(layer);
}

void LayerList::scores(Count queries, Count keys, Count hidden) {
  constexpr Count kProducts = 2;
  dense(kProducts * keys, hidden, queries, false);
  layers_.back().shared = true;
}

void LayerList::norm(Count numbers, Count tokens) {
  Layer layer = of_kind(LayerKind::norm);
  layer.outputs = numbers;
  layer.sequence = tokens;
  layers_.push_back(layer);
}

void LayerList::pass(Count numbers, Count tokens) {
  Layer layer = of_kind(LayerKind::pool);
  layer.outputs = numbers;
  layer.width = tokens;
  layer.height = 1;
  layers_.push_back(layer);
}

void LayerList::embedding(Count entries, Count hidden, Count tokens) {
  Layer layer = of_kind(LayerKind::embedding);
  layer.entries = entries;
  layer.hidden = hidden;
  layer.sequence = tokens;
  layers_.push_back(layer);
}

void LayerList::table(Count numbers) { embedding(numbers, 1, 1); }

void LayerList::repeat(Count times, const LayerList& block) {
  for (Layer layer : block.layers_) {
    layer.repeat *= times;
    layers_.push_back(layer);
  }
}

}  // namespace gpufeed
