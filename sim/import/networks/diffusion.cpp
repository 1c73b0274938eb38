// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/networks/families.h"

namespace gpufeed::networks {
namespace {

constexpr Count kMostBlocks = 1000;
constexpr Count kFrequencies = 256;  // in which time is told
constexpr Count kInner = 4;          // of the dense layers, over the hidden size

/// A number of each sample, through two dense layers.
void add_embedder(LayerList& out, Count inputs, Count hidden) {
  out.dense(inputs, hidden, 1);
  out.dense(hidden, hidden, 1);
}

void add_feed_forward(LayerList& out, Count hidden, Count tokens) {
  out.dense(hidden, kInner * hidden, tokens);
  out.dense(kInner * hidden, hidden, tokens);
}

/// Norm of each head's queries and keys.
void add_query_norms(LayerList& out, Count head, Count hidden, Count tokens) {
  out.table(2 * head);
  out.pass(2 * hidden, tokens);
}

Count hidden_of(ConfigKeys& keys, Count heads, Count head) {
  return keys.whole("num_attention_heads", heads) * keys.whole("attention_head_dim", head);
}

struct Latents {
  Count pixels, side, tokens;
};

/// Latents of the picture in patches of so many on each side.
Latents latents_of(const Reading& reading, Count usual_side, Count patch) {
  const Count side = reading.size.image ? *reading.size.image / kPixelsOfLatent : usual_side;
  const Count patches = std::max<Count>(1, side / patch);
  return {side * kPixelsOfLatent, side, patches * patches};
}

void say_latents(NetworkConfig& out, const Latents& of, Count channels, Count text_numbers) {
  out.takes = Content::images;
  out.input_numbers = channels * of.side * of.side + text_numbers;
  out.sample = fmt::format("latents of {} x {} pixels", of.pixels, of.pixels);
}

/// Picture and text, each with weights of its own, which attend to one another.
struct Joint {
  Count hidden, head, picture, text;
  Count tokens() const { return picture + text; }
};

/// Factors and sums of each channel by time and text (adaLN), then the norm that they follow.
void add_modulated_norm(LayerList& out, Count hidden, Count numbers, Count tokens) {
  out.dense(hidden, numbers * hidden, 1);
  out.pass(hidden, tokens);
}

}  // namespace

void read_flux(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  const Count hidden = hidden_of(keys, 24, 128), head = keys.whole("attention_head_dim", 128);
  const Count channels = keys.whole("in_channels", 64);
  const Count joint = keys.whole("joint_attention_dim", 4096);
  const Count pooled = keys.whole("pooled_projection_dim", 768);
  const Latents latents = latents_of(reading, 128, 2);
  const Joint of{hidden, head, latents.tokens, reading.size.tokens.value_or(512)};
  LayerList both, single, all;
  for (const Count tokens : {of.picture, of.text}) {
    add_modulated_norm(both, hidden, 6, tokens);
    for (int i = 0; i < 4; ++i) both.dense(hidden, hidden, tokens);
    add_query_norms(both, head, hidden, tokens);
    both.pass(hidden, tokens);
    add_feed_forward(both, hidden, tokens);
  }
  both.scores(of.tokens(), of.tokens(), hidden);
  add_modulated_norm(single, hidden, 3, of.tokens());
  for (int i = 0; i < 3; ++i) single.dense(hidden, hidden, of.tokens());
  add_query_norms(single, head, hidden, of.tokens());
  single.scores(of.tokens(), of.tokens(), hidden);
  single.dense(hidden, kInner * hidden, of.tokens());
  single.dense((kInner + 1) * hidden, hidden, of.tokens());
  all.dense(channels, hidden, of.picture);
  all.dense(joint, hidden, of.text);
  add_embedder(all, kFrequencies, hidden);
  if (keys.truth("guidance_embeds", false)) add_embedder(all, kFrequencies, hidden);
  add_embedder(all, pooled, hidden);
  all.repeat(keys.whole("num_layers", 19), both);
  all.repeat(keys.whole("num_single_layers", 38), single);
  add_modulated_norm(all, hidden, 2, of.picture);
  all.dense(hidden, channels, of.picture);
  reading.out.layers = all.all();
  constexpr Count kOfPatch = 4;  // latents
  say_latents(reading.out, latents, channels / kOfPatch, of.text * joint + pooled);
}

void read_sd3(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  const Count hidden = hidden_of(keys, 18, 64), head = keys.whole("attention_head_dim", 64);
  const Count channels = keys.whole("in_channels", 16), patch = keys.whole("patch_size", 2);
  const Count joint = keys.whole("joint_attention_dim", 4096);
  const Count pooled = keys.whole("pooled_projection_dim", 2048);
  const Count layers = keys.whole("num_layers", 18, kMostBlocks);
  const Latents latents = latents_of(reading, keys.whole("sample_size", 128), patch);
  const Joint of{hidden, head, latents.tokens, reading.size.tokens.value_or(333)};
  const bool norms = keys.word("qk_norm", "none") == "rms_norm";
  keys.only("qk_norm", norms, "rms_norm, or null");
  keys.only("caption_projection_dim", keys.whole("caption_projection_dim", hidden) == hidden,
            fmt::format("the hidden size, {}", hidden));
  const auto twice = keys.entries("dual_attention_layers").value_or(0);
  const auto add_queries = [&](LayerList& to, Count tokens, int projections) {
    for (int i = 0; i < projections; ++i) to.dense(hidden, hidden, tokens);
    if (norms) add_query_norms(to, head, hidden, tokens);
  };
  const auto add_block = [&](LayerList& to, bool last, bool attends_twice) {
    add_modulated_norm(to, hidden, attends_twice ? 9 : 6, of.picture);
    add_queries(to, of.picture, 4);
    if (attends_twice) {
      add_queries(to, of.picture, 4);
      to.pass(hidden, of.picture);
      to.scores(of.picture, of.picture, hidden);
    }
    to.pass(hidden, of.picture);
    add_feed_forward(to, hidden, of.picture);
    add_modulated_norm(to, hidden, last ? 2 : 6, of.text);
    add_queries(to, of.text, last ? 3 : 4);  // nothing follows the last one's text
    to.scores(of.tokens(), of.tokens(), hidden);
    if (last) return;
    to.pass(hidden, of.text);
    add_feed_forward(to, hidden, of.text);
  };
  LayerList all;
  const Count side = std::max<Count>(1, latents.side / patch);
  all.conv(channels, hidden, {side, side}, {patch});
  add_embedder(all, kFrequencies, hidden);
  add_embedder(all, pooled, hidden);
  all.dense(joint, hidden, of.text);
  for (Count i = 0; i < layers; ++i) add_block(all, i + 1 == layers, i < static_cast<Count>(twice));
  add_modulated_norm(all, hidden, 2, of.picture);
  all.dense(hidden, patch * patch * keys.whole("out_channels", 16), of.picture);
  reading.out.layers = all.all();
  say_latents(reading.out, latents, channels, of.text * joint + pooled);
}

void read_pixart(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  const Count hidden = hidden_of(keys, 16, 72), layers = keys.whole("num_layers", 28);
  const Count channels = keys.whole("in_channels", 4), patch = keys.whole("patch_size", 2);
  const Count caption = keys.needed("caption_channels");
  const Latents latents = latents_of(reading, keys.whole("sample_size", 128), patch);
  const Count tokens = latents.tokens, text = reading.size.tokens.value_or(120);
  keys.only("cross_attention_dim", keys.whole("cross_attention_dim", hidden) == hidden,
            fmt::format("the hidden size, {}", hidden));
  constexpr Count kFactors = 6;
  LayerList one, all;
  one.table(kFactors * hidden);
  for (const Count seen : {tokens, text}) {
    one.pass(hidden, tokens);
    for (const Count of : {tokens, seen, seen}) one.dense(hidden, hidden, of);
    one.scores(tokens, seen, hidden);
    one.dense(hidden, hidden, tokens);
  }
  add_feed_forward(one, hidden, tokens);
  const Count side = std::max<Count>(1, latents.side / patch);
  all.conv(channels, hidden, {side, side}, {patch});
  add_embedder(all, kFrequencies, hidden);
  constexpr Count kUsualSide = 128;  // from which on it is told resolution and aspect
  const bool told =
      keys.truth("use_additional_conditions", keys.whole("sample_size", kUsualSide) == kUsualSide);
  constexpr Count kParts = 3;
  for (int i = 0; told && i < 2; ++i) add_embedder(all, kFrequencies, hidden / kParts);
  all.dense(hidden, kFactors * hidden, 1);
  all.dense(caption, hidden, text);
  all.dense(hidden, hidden, text);
  all.repeat(layers, one);
  all.table(2 * hidden);
  all.pass(hidden, tokens);
  all.dense(hidden, patch * patch * keys.whole("out_channels", 8), tokens);
  reading.out.layers = all.all();
  reading.out.blocks = layers;
  reading.out.block_numbers = static_cast<double>(hidden) * static_cast<double>(tokens);
  say_latents(reading.out, latents, channels, text * caption);
}

}  // namespace gpufeed::networks
