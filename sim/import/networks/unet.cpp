// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/networks/families.h"

namespace gpufeed::networks {
namespace {

constexpr Count kMostInRow = 16;

/// One number for each block, where one stands for all.
std::vector<Count> each(std::vector<Count> values, std::size_t blocks) {
  if (values.size() == 1) values.resize(blocks, values.front());
  return values;
}

class UNet {
 public:
  explicit UNet(const Reading& reading) : keys_(reading.keys), out_(reading.out) {
    channels_ = keys_.wholes("block_out_channels", {320, 640, 1280, 1280});
    layers_ = keys_.whole("layers_per_block", 2, kMostInRow);
    context_ = keys_.wholes("cross_attention_dim", {1280}).front();
    depths_ = each(keys_.wholes("transformer_layers_per_block", {1}), channels_.size());
    side_ = reading.size.image ? std::max<Count>(1, *reading.size.image / kPixelsOfLatent)
                               : keys_.whole("sample_size", 64);
    tokens_ = reading.size.tokens.value_or(77);
    time_ = 4 * channels_.front();
    refuse_others();
  }

  void read() {
    if (attends_.size() != channels_.size() || depths_.size() != channels_.size()) return;
    const Count in = keys_.whole("in_channels", 4);
    out_.input_numbers = in * places() + tokens_ * context_;
    out_.sample =
        fmt::format("latents of {} x {} pixels", side_ * kPixelsOfLatent, side_ * kPixelsOfLatent);
    add_conditions();
    all_.conv(in, channels_.front(), {side_, side_}, {3});
    go_down();
    go_up();
    all_.norm(channels_.front(), places());
    all_.conv(channels_.front(), keys_.whole("out_channels", 4), {side_, side_}, {3});
    out_.layers = all_.all();
    out_.takes = Content::images;
  }

 private:
  Count places() const { return side_ * side_; }

  void refuse_others() {
    const auto down = keys_.words("down_block_types");
    if (!keys_.has("down_block_types")) keys_.missing("down_block_types", "the kind of each block");
    for (const std::string& one : down) attends_.push_back(one == "CrossAttnDownBlock2D");
    const bool known = std::ranges::all_of(down, [](const std::string& one) {
      return one == "CrossAttnDownBlock2D" || one == "DownBlock2D";
    });
    keys_.only(
        "down_block_types", known && down.size() == channels_.size() && down.size() <= kMostInRow,
        "one of CrossAttnDownBlock2D and DownBlock2D for each of block_out_channels, at most 16");
    keys_.only("transformer_layers_per_block", depths_.size() == channels_.size(),
               "one number, or one for each of block_out_channels");
    auto up = keys_.words("up_block_types");
    std::ranges::reverse(up);
    bool mirrored = up.size() == down.size();
    for (std::size_t i = 0; mirrored && i < up.size(); ++i)
      mirrored = up[i] == (attends_[i] ? "CrossAttnUpBlock2D" : "UpBlock2D");
    keys_.only("up_block_types", mirrored, "the blocks of down_block_types, upwards");
    keys_.only("mid_block_type",
               keys_.word("mid_block_type", "UNetMidBlock2DCrossAttn") == "UNetMidBlock2DCrossAttn",
               "UNetMidBlock2DCrossAttn");
    keys_.only("class_embed_type", false, "null");
    keys_.only("encoder_hid_dim_type", false, "null");
    keys_.only("addition_embed_type", keys_.word("addition_embed_type", "") == "text_time",
               "text_time, or null");
    keys_.only("dual_cross_attention", !keys_.truth("dual_cross_attention", false), "false");
  }

  /// Time, and of XL what it is told of the picture and its text as a whole.
  void add_conditions() {
    all_.dense(channels_.front(), time_, 1);
    all_.dense(time_, time_, 1);
    if (!keys_.has("addition_embed_type")) return;
    all_.dense(keys_.needed("projection_class_embeddings_input_dim"), time_, 1);
    all_.dense(time_, time_, 1);
  }

  /// Two convolutions, with time between them.
  void add_residual(Count inputs, Count outputs) {
    const LayerList::Place at{side_, side_};
    all_.norm(inputs, places());
    all_.conv(inputs, outputs, at, {3});
    all_.dense(time_, outputs, 1);
    all_.norm(outputs, places());
    all_.conv(outputs, outputs, at, {3});
    if (inputs != outputs) all_.conv(inputs, outputs, at, {1});
  }

  /// Attention within the picture, attention to the text, and two dense layers, of which the first
  /// makes factors for half of what it makes.
  void add_transformer(Count hidden, Count depth) {
    constexpr Count kFactor = 4;
    const Count tokens = places();
    LayerList one;
    one.norm(hidden, tokens);
    for (int i = 0; i < 3; ++i) one.dense(hidden, hidden, tokens, false);
    one.scores(tokens, tokens, hidden);
    one.dense(hidden, hidden, tokens);
    one.norm(hidden, tokens);
    one.dense(hidden, hidden, tokens, false);
    for (int i = 0; i < 2; ++i) one.dense(context_, hidden, tokens_, false);
    one.scores(tokens, tokens_, hidden);
    one.dense(hidden, hidden, tokens);
    one.norm(hidden, tokens);
    one.dense(hidden, 2 * kFactor * hidden, tokens);
    one.pass(kFactor * hidden, tokens);
    one.dense(kFactor * hidden, hidden, tokens);
    all_.norm(hidden, tokens);
    all_.dense(hidden, hidden, tokens);
    all_.repeat(depth, one);
    all_.dense(hidden, hidden, tokens);
  }

  void go_down() {
    kept_ = {channels_.front()};
    Count inputs = channels_.front();
    for (std::size_t block = 0; block < channels_.size(); ++block) {
      const Count outputs = channels_[block];
      for (Count i = 0; i < layers_; ++i) {
        add_residual(inputs, outputs);
        inputs = outputs;
        if (attends_[block]) add_transformer(outputs, depths_[block]);
        kept_.push_back(outputs);
      }
      if (block + 1 == channels_.size()) break;
      side_ = (side_ + 1) / 2;
      all_.conv(outputs, outputs, {side_, side_}, {3});
      kept_.push_back(outputs);
    }
    add_residual(inputs, inputs);
    add_transformer(inputs, depths_.back());
    add_residual(inputs, inputs);
  }

  /// Each residual block also takes what was kept on the way down.
  void go_up() {
    Count inputs = channels_.back();
    for (std::size_t block = channels_.size(); block-- > 0;) {
      const Count outputs = channels_[block];
      for (Count i = 0; i <= layers_; ++i) {
        add_residual(inputs + kept_.back(), outputs);
        kept_.pop_back();
        inputs = outputs;
        if (attends_[block]) add_transformer(outputs, depths_[block]);
      }
      if (block == 0) break;
      side_ *= 2;
      all_.conv(outputs, outputs, {side_, side_}, {3});
    }
  }

  ConfigKeys& keys_;
  NetworkConfig& out_;
  std::vector<Count> channels_, depths_, kept_;
  std::vector<bool> attends_;
  Count layers_ = 2, context_ = 1, side_ = 64, tokens_ = 77, time_ = 1;
  LayerList all_;
};

}  // namespace

void read_unet(const Reading& reading) { UNet(reading).read(); }

}  // namespace gpufeed::networks
