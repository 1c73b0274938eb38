// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/fields/field.h"

namespace gpufeed {

/// attention: projections of queries, keys, values and result. transformer: attention, a network of
/// two dense layers, and a norm before each.
enum class LayerKind { conv, dense, attention, transformer, embedding, norm, pool };
template <>
struct EnumNames<LayerKind> {
  static constexpr std::array<std::string_view, 7> names{
      "conv", "dense", "attention", "transformer", "embedding", "norm", "pool"};
};

/// One layer of a network, or several alike. Each kind takes some of the keys.
struct Layer {
  using Count = std::optional<std::int64_t>;

  LayerKind kind = LayerKind::conv;
  Count inputs, outputs, kernel, kernel_height, kernel_depth, width, height, depth, groups;
  Count hidden, heads, sequence, inner, entries;
  std::optional<bool> bias, norm, shared;
  std::int64_t repeat = 1;
  Location where;

  static constexpr auto count(std::string_view name, Count Layer::*member, std::string_view help) {
    return key<Layer>(name, member, help).between(1, 1000000000);
  }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("kind", &Layer::kind, "what it does").needed());
    visit(count("inputs", &Layer::inputs, "conv, dense: input channels or numbers"));
    visit(count("outputs", &Layer::outputs, "conv, dense, norm, pool: output channels or numbers"));
    visit(count("kernel", &Layer::kernel, "conv: width of the kernel"));
    visit(count("kernel_height", &Layer::kernel_height, "conv: its height; default: as the width"));
    visit(count("kernel_depth", &Layer::kernel_depth, "conv: its depth; default: 1"));
    visit(count("width", &Layer::width, "conv, norm, pool: width of the output; norm: default 1"));
    visit(count("height", &Layer::height, "its height; default: as the width"));
    visit(count("depth", &Layer::depth, "its depth; default: 1"));
    visit(count("groups", &Layer::groups, "conv: groups of channels apart; default: 1"));
    visit(
        count("hidden", &Layer::hidden, "attention, transformer, embedding: numbers of one token"));
    visit(
        count("heads", &Layer::heads,
              "attention, transformer: heads whose scores are kept for the backward pass; default: "
              "a fused attention, which keeps none"));
    visit(
        count("sequence", &Layer::sequence,
              "attention, transformer, embedding, dense, norm: tokens of one sample; default: 1"));
    visit(count("inner", &Layer::inner,
                "transformer: numbers between its dense layers; default: "
                "4 x hidden"));
    visit(count("entries", &Layer::entries, "embedding: entries of the table"));
    visit(key("bias", &Layer::bias,
              "conv, dense, attention, transformer: adds a number per output; default: true"));
    visit(
        key("norm", &Layer::norm, "conv, dense: a norm over its outputs follows; default: false"));
    visit(key("shared", &Layer::shared,
              "dense, embedding: another layer's weights, not counted again; default: false"));
    visit(key("repeat", &Layer::repeat, "how many layers like this").between(1, 1000000));
  }
};

/// What layers amount to, for one sample. In double, as hostile numbers may be large: exact up to
/// 9e15.
struct LayerCount {
  double parameters = 0;
  double multiply_adds = 0;  ///< forward
  double activations = 0;    ///< numbers that the forward pass keeps for the backward pass
  double depthwise_multiply_adds = 0;  ///< of these, by convolutions of each channel by itself
  double late_parameters = 0;          ///< of these, in embeddings, at which a backward pass ends
};

/// Whether it is a convolution of each channel by itself.
bool is_depthwise(const Layer& layer);

/// Parameters and multiply-adds of a layer by its definition. Activations are the outputs of every
/// step that has a gradient of its own: convolutions, dense layers, norms, pools; activation
/// functions work in place. Biases, norms and pools count no multiply-adds.
/// \param layer  with the keys that its kind needs
LayerCount count_layer(const Layer& layer);
LayerCount count_layers(const std::vector<Layer>& layers);

}  // namespace gpufeed
