// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/networks/families.h"

namespace gpufeed::networks {
namespace {

struct HearingBlock {
  Count hidden, inner, tokens;
};

/// Of whisper, whose keys have no bias.
void add_hearing(LayerList& out, Count hidden, Count queries, Count keys) {
  out.dense(hidden, hidden, queries);
  out.dense(hidden, hidden, keys, false);
  out.dense(hidden, hidden, keys);
  out.scores(queries, keys, hidden);
  out.dense(hidden, hidden, queries);
}

void add_dense_layers(LayerList& out, const HearingBlock& of) {
  out.norm(of.hidden, of.tokens);
  out.dense(of.hidden, of.inner, of.tokens);
  out.dense(of.inner, of.hidden, of.tokens);
}

bool made_for(const Reading& reading, std::string_view head) {
  return std::ranges::any_of(reading.keys.words("architectures"),
                             [&](const std::string& one) { return one.ends_with(head); });
}

}  // namespace

void read_whisper(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  const Count hidden = keys.needed("d_model"), bands = keys.whole("num_mel_bins", 80);
  const Count heard = keys.whole("max_source_positions", 1500);
  const Count words = keys.whole("max_target_positions", 448);
  const HearingBlock ear{hidden, keys.needed("encoder_ffn_dim"), heard};
  const HearingBlock pen{hidden, keys.needed("decoder_ffn_dim"),
                         std::min(words, reading.size.tokens.value_or(words))};
  const Count vocabulary = keys.whole("vocab_size", 51865);
  LayerList listen, write, all;
  listen.norm(hidden, heard);
  add_hearing(listen, hidden, heard, heard);
  add_dense_layers(listen, ear);
  for (const Count seen : {pen.tokens, heard}) {
    write.norm(hidden, pen.tokens);
    add_hearing(write, hidden, pen.tokens, seen);
  }
  add_dense_layers(write, pen);
  constexpr LayerList::Kernel kKernel{.size = 3, .flat = true};
  all.conv(bands, hidden, {2 * heard, 1}, kKernel);
  all.conv(hidden, hidden, {heard, 1}, kKernel);
  all.table(heard * hidden);  // positions
  all.repeat(keys.needed("encoder_layers"), listen);
  all.norm(hidden, heard);
  all.embedding(vocabulary, hidden, pen.tokens);
  all.table(words * hidden);
  all.repeat(keys.needed("decoder_layers"), write);
  all.norm(hidden, pen.tokens);
  LayerList head;
  head.dense(hidden, vocabulary, pen.tokens, false);
  Layer words_again = head.all().front();
  words_again.shared = true;  // the embedding's weights
  reading.out.layers = all.all();
  reading.out.layers.push_back(words_again);
  reading.out.takes = Content::audio;
  reading.out.input_numbers = bands * 2 * heard + pen.tokens;
  reading.out.sample = fmt::format("30 s of speech, {} tokens", pen.tokens);
}

void read_wav2vec2(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  constexpr Count kRate = 16000, kUsualSeconds = 15;
  const Count hidden = keys.whole("hidden_size", 768), layers = keys.whole("num_hidden_layers", 12);
  const auto channels = keys.wholes("conv_dim", {512, 512, 512, 512, 512, 512, 512});
  const auto kernels = keys.wholes("conv_kernel", {10, 3, 3, 3, 3, 2, 2});
  const auto strides = keys.wholes("conv_stride", {5, 2, 2, 2, 2, 2, 2});
  const bool each_normed = keys.word("feat_extract_norm", "group") == "layer";
  keys.only("add_adapter", !keys.truth("add_adapter", false), "false");
  if (kernels.size() != channels.size() || strides.size() != channels.size()) {
    keys.only("conv_kernel", kernels.size() == channels.size(), "as many as conv_dim");
    keys.only("conv_stride", strides.size() == channels.size(), "as many as conv_dim");
    return;
  }
  const Count seconds = reading.size.seconds.value_or(kUsualSeconds);
  Count width = kRate * seconds, inputs = 1;
  LayerList all, one;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    width = std::max<Count>(1, (width - kernels[i]) / strides[i] + 1);
    all.conv(inputs, channels[i], {width, 1},
             {.size = kernels[i], .bias = keys.truth("conv_bias", false), .flat = true});
    if (i == 0 || each_normed) all.norm(channels[i], width);
    inputs = channels[i];
  }
  const bool projection_norm = keys.truth("feat_proj_layer_norm", true);
  if (projection_norm) all.norm(inputs, width);
  all.dense(inputs, hidden, width);
  all.table(hidden);  // in the place of what is masked
  const Count near = keys.whole("num_conv_pos_embeddings", 128);
  all.conv(hidden, hidden, {width, 1},
           {.size = near, .groups = keys.whole("num_conv_pos_embedding_groups", 16), .flat = true});
  all.table(near);  // weights are normed along the kernel
  all.norm(hidden, width);
  one.norm(hidden, width);
  for (int i = 0; i < 3; ++i) one.dense(hidden, hidden, width);
  one.scores(width, width, hidden);
  one.dense(hidden, hidden, width);
  add_dense_layers(one, {hidden, keys.whole("intermediate_size", 3072), width});
  all.repeat(layers, one);
  if (made_for(reading, "ForCTC")) all.dense(hidden, keys.whole("vocab_size", 32), width);
  reading.out.layers = all.all();
  reading.out.blocks = layers;
  reading.out.block_numbers = static_cast<double>(hidden) * static_cast<double>(width);
  reading.out.takes = Content::audio;
  reading.out.input_numbers = kRate * seconds;
  reading.out.sample = fmt::format("{} s of speech", seconds);
}

}  // namespace gpufeed::networks
