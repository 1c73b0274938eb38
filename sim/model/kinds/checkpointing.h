// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// The states that the checkpointing of MLPerf Storage saves.
enum class CheckpointedModel { llama3_8b, llama3_70b, llama3_405b, llama3_1t };
template <>
struct EnumNames<CheckpointedModel> {
  static constexpr std::array<std::string_view, 4> names{"llama3-8b", "llama3-70b", "llama3-405b",
                                                         "llama3-1t"};
};

namespace kind {

/// What the checkpointing of MLPerf Storage does: ranks without GPUs save a state onto a store ten
/// times, each with fsync, then load it ten times.
struct Checkpointing {
  static constexpr std::string_view kName = "checkpointing";
  static constexpr std::array<std::string_view, 4> kTakes{"nodes", "fabric", "data.at", "store"};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  CheckpointedModel model = CheckpointedModel::llama3_8b;
  Ratio redundancy{1.0};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("model", &Checkpointing::model, "whose state is saved: it sets ranks and bytes"));
    visit(key("redundancy", &Checkpointing::redundancy,
              "bytes that the store's drives write for each byte saved (2 copies: 200 %; "
              "8 + 2: 125 %); 100 %: its write_bandwidth is what clients get")
              .between(100_percent, 1000_percent));
  }
};

}  // namespace kind
}  // namespace gpufeed
