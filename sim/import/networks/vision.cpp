// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/networks/families.h"

namespace gpufeed::networks {
namespace {

constexpr Count kChannels = 3;
constexpr Count kUsualLabels = 2;  // of transformers, where a classifier has no id2label

struct Patches {
  Count image, patch, channels;
  Count side() const { return std::max<Count>(1, image / patch); }
  Count tokens() const { return side() * side() + 1; }  // and one of the class
};

Patches patches_of(const Reading& reading, Count usual_image, Count usual_patch) {
  ConfigKeys& keys = reading.keys;
  return {keys.whole("image_size", usual_image), keys.whole("patch_size", usual_patch),
          keys.whole("num_channels", kChannels)};
}

bool classifies(const Reading& reading) {
  const auto made_for = reading.keys.words("architectures");
  return std::ranges::any_of(
      made_for, [](const std::string& one) { return one.ends_with("ForImageClassification"); });
}

Count labels(const Reading& reading) {
  if (const auto named = reading.keys.entries("id2label")) return static_cast<Count>(*named);
  return reading.keys.whole("num_labels", kUsualLabels);
}

void say_sample(const Reading& reading, const Patches& patches, Count image) {
  reading.out.takes = Content::images;
  reading.out.input_numbers = patches.channels * image * image;
  reading.out.sample = fmt::format("{} x {} pixels", image, image);
}

struct SeeingBlock {
  Count hidden, inner, tokens;
  bool query_bias = true;
};

void add_seeing(LayerList& out, const SeeingBlock& of) {
  for (int i = 0; i < 3; ++i) out.dense(of.hidden, of.hidden, of.tokens, of.query_bias);
  out.scores(of.tokens, of.tokens, of.hidden);
  out.dense(of.hidden, of.hidden, of.tokens);
}

void note_blocks(NetworkConfig& out, Count layers, const SeeingBlock& of) {
  out.blocks = layers;
  out.block_numbers = static_cast<double>(of.hidden) * static_cast<double>(of.tokens);
}

}  // namespace

void read_vit(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  const Count hidden = keys.whole("hidden_size", 768), layers = keys.whole("num_hidden_layers", 12);
  const Patches patches = patches_of(reading, 224, 16);
  const SeeingBlock block{hidden, keys.whole("intermediate_size", 3072), patches.tokens(),
                          keys.truth("qkv_bias", true)};
  LayerList one, all;
  one.norm(hidden, block.tokens);
  add_seeing(one, block);
  one.norm(hidden, block.tokens);
  one.dense(hidden, block.inner, block.tokens);
  one.dense(block.inner, hidden, block.tokens);
  all.conv(patches.channels, hidden, {patches.side(), patches.side()}, {patches.patch});
  all.table((patches.tokens() + 1) * hidden);  // positions, and the token of the class
  all.repeat(layers, one);
  all.norm(hidden, block.tokens);
  all.dense(hidden, classifies(reading) ? labels(reading) : hidden, 1);  // or a pooler
  reading.out.layers = all.all();
  note_blocks(reading.out, layers, block);
  say_sample(reading, patches, patches.image);
}

void read_dinov2(const Reading& reading) {
  ConfigKeys& keys = reading.keys;
  const Count hidden = keys.whole("hidden_size", 768), layers = keys.whole("num_hidden_layers", 12);
  const Count times = keys.whole("mlp_ratio", 4);
  const bool gated = keys.truth("use_swiglu_ffn", false);
  const Patches made = patches_of(reading, 224, 14);
  Patches seen = made;
  seen.image = reading.size.image.value_or(224);
  const SeeingBlock block{hidden, hidden * times, seen.tokens(), keys.truth("qkv_bias", true)};
  LayerList one, all;
  one.norm(hidden, block.tokens);
  add_seeing(one, block);
  one.table(2 * hidden);  // factors of what each half adds
  one.norm(hidden, block.tokens);
  if (gated) {
    constexpr Count kStep = 8;
    const Count inner = (block.inner * 2 / 3 + kStep - 1) / kStep * kStep;
    one.dense(hidden, 2 * inner, block.tokens);
    one.pass(inner, block.tokens);
    one.dense(inner, hidden, block.tokens);
  } else {
    one.dense(hidden, block.inner, block.tokens);
    one.dense(block.inner, hidden, block.tokens);
  }
  all.conv(seen.channels, hidden, {seen.side(), seen.side()}, {seen.patch});
  all.table((made.tokens() + 2) * hidden);  // positions, the class and what is masked
  all.repeat(layers, one);
  all.norm(hidden, block.tokens);
  if (classifies(reading)) all.dense(2 * hidden, labels(reading), 1);
  reading.out.layers = all.all();
  note_blocks(reading.out, layers, block);
  say_sample(reading, seen, seen.image);
}

namespace {

/// Of CLIP, whose pictures and texts differ by what comes before and after.
void add_tower(LayerList& out, ConfigKeys& keys, Count tokens, Count usual_hidden) {
  const Count hidden = keys.whole("hidden_size", usual_hidden);
  const Count inner = keys.whole("intermediate_size", 4 * usual_hidden);
  LayerList one;
  one.norm(hidden, tokens);
  add_seeing(one, {hidden, inner, tokens});
  one.norm(hidden, tokens);
  one.dense(hidden, inner, tokens);
  one.dense(inner, hidden, tokens);
  out.repeat(keys.whole("num_hidden_layers", 12), one);
}

}  // namespace

void read_clip(const Reading& reading) {
  ConfigKeys sees = reading.keys.within("vision_config"),
             reads = reading.keys.within("text_config");
  const Count shared = reading.keys.whole("projection_dim", 512);
  const Patches patches = patches_of({sees, reading.size, reading.out}, 224, 32);
  const Count seen = sees.whole("hidden_size", 768), read = reads.whole("hidden_size", 512);
  const Count words = reads.whole("max_position_embeddings", 77);
  LayerList all;
  all.conv(patches.channels, seen, {patches.side(), patches.side()},
           {.size = patches.patch, .bias = false});
  all.table((patches.tokens() + 1) * seen);  // positions, and the token of the class
  all.norm(seen, patches.tokens());
  add_tower(all, sees, patches.tokens(), 768);
  all.norm(seen, 1);
  all.dense(seen, shared, 1, false);
  all.embedding(reads.whole("vocab_size", 49408, 10'000'000), read, words);
  all.table(words * read);
  add_tower(all, reads, words, 512);
  all.norm(read, words);
  all.dense(read, shared, 1, false);
  all.table(1);  // by which scores are multiplied
  reading.out.layers = all.all();
  say_sample(reading, patches, patches.image);
  reading.out.input_numbers += words;
  reading.out.sample += fmt::format(" and {} tokens", words);
}

}  // namespace gpufeed::networks
