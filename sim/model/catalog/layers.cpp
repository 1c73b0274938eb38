// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/layers.h"

namespace gpufeed {
namespace {

double number(const Layer::Count& count, double standard) {
  return count ? static_cast<double>(*count) : standard;
}

/// Outputs of a layer over the positions at which it works.
LayerCount normed(double outputs, double positions) {
  return {2 * outputs, 0, outputs * positions};
}

LayerCount plus(const LayerCount& a, const LayerCount& b) {
  return {a.parameters + b.parameters, a.multiply_adds + b.multiply_adds,
          a.activations + b.activations, a.depthwise_multiply_adds + b.depthwise_multiply_adds,
          a.late_parameters + b.late_parameters};
}

LayerCount times(const LayerCount& a, double factor) {
  return {a.parameters * factor, a.multiply_adds * factor, a.activations * factor,
          a.depthwise_multiply_adds * factor, a.late_parameters * factor};
}

LayerCount linear(double weights, double outputs, double positions, bool bias) {
  return {weights + (bias ? outputs : 0), weights * positions, outputs * positions};
}

double positions_of(const Layer& layer) {
  const double width = number(layer.width, 1);
  return width * number(layer.height, width) * number(layer.depth, 1) * number(layer.sequence, 1);
}

LayerCount conv(const Layer& layer) {
  const double kernel = number(layer.kernel, 1);
  const double taps = kernel * number(layer.kernel_height, kernel) * number(layer.kernel_depth, 1);
  const double outputs = number(layer.outputs, 1);
  const double weights = taps * number(layer.inputs, 1) / number(layer.groups, 1) * outputs;
  LayerCount out = linear(weights, outputs, positions_of(layer), layer.bias.value_or(true));
  if (is_depthwise(layer)) out.depthwise_multiply_adds = out.multiply_adds;
  return out;
}

LayerCount dense(double inputs, double outputs, double positions, bool bias) {
  return linear(inputs * outputs, outputs, positions, bias);
}

/// Every token weighs every other: scores and their sum cost sequence^2 x hidden each.
LayerCount attention(const Layer& layer) {
  const double hidden = number(layer.hidden, 1);
  const double sequence = number(layer.sequence, 1);
  const auto projection = dense(hidden, hidden, sequence, layer.bias.value_or(true));
  LayerCount out = times(projection, 4);
  out.multiply_adds += 2 * sequence * sequence * hidden;
  const double kept_scores = 2 * number(layer.heads, 0) * sequence * sequence;
  out.activations += hidden * sequence + kept_scores;
  return out;
}

LayerCount transformer(const Layer& layer) {
  const double hidden = number(layer.hidden, 1);
  const double sequence = number(layer.sequence, 1);
  const double inner = number(layer.inner, 4 * hidden);
  const bool bias = layer.bias.value_or(true);
  LayerCount out = plus(attention(layer), times(normed(hidden, sequence), 2));
  out = plus(out, dense(hidden, inner, sequence, bias));
  return plus(out, dense(inner, hidden, sequence, bias));
}

LayerCount embedding(const Layer& layer) {
  const double hidden = number(layer.hidden, 1);
  const double table = number(layer.entries, 1) * hidden;
  return {table, 0, hidden * number(layer.sequence, 1), 0, table};
}

LayerCount one(const Layer& layer) {
  const double outputs = number(layer.outputs, 1);
  switch (layer.kind) {
    case LayerKind::conv:
      return conv(layer);
    case LayerKind::dense:
      return dense(number(layer.inputs, 1), outputs, positions_of(layer),
                   layer.bias.value_or(true));
    case LayerKind::attention:
      return attention(layer);
    case LayerKind::transformer:
      return transformer(layer);
    case LayerKind::embedding:
      return embedding(layer);
    case LayerKind::norm:
      return normed(outputs, positions_of(layer));
    case LayerKind::pool:
      return {0, 0, outputs * positions_of(layer)};
  }
  return {};
}

}  // namespace

bool is_depthwise(const Layer& layer) {
  return layer.kind == LayerKind::conv && layer.groups.value_or(1) > 1 &&
         layer.groups == layer.inputs;
}

LayerCount count_layer(const Layer& layer) {
  LayerCount out = one(layer);
  if (layer.norm.value_or(false))
    out = plus(out, normed(number(layer.outputs, 1), positions_of(layer)));
  if (layer.shared.value_or(false)) out.parameters = out.late_parameters = 0;
  return times(out, static_cast<double>(layer.repeat));
}

LayerCount count_layers(const std::vector<Layer>& layers) {
  LayerCount sum;
  for (const auto& layer : layers) sum = plus(sum, count_layer(layer));
  return sum;
}

}  // namespace gpufeed
