// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpufeed::serving {

enum class Software { vllm, sglang, dynamo, lmcache };

/// How the value of such a word becomes that of the key.
enum class WordForm {
  same,
  opposite,     ///< true where the key is false
  gigabytes,    ///< a number of 10^9 bytes, or a size
  gibibytes,    ///< a number of 2^30 bytes, or a size
  of_each_rank  ///< gigabytes of each of the GPUs that share a model
};

/// What a program that serves language models calls a key of a file of kind "serving". Options of
/// command lines are the same with "-" for "_".
struct EngineWord {
  std::string_view table;  ///< "serving" or "tier", below it
  std::string_view word;
  std::string_view key;
  Software of;
  WordForm form = WordForm::same;
};
std::span<const EngineWord> engine_words();

/// "max_num_seqs of vLLM, max_running_requests of SGLang"; empty: no other word is known.
std::string other_words_for(std::string_view table, std::string_view key);

}  // namespace gpufeed::serving
