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
/// \source  load_threads: MLPerf Storage v3.0, streaming_checkpoint.py and its four readers a file.
///          file_start: the same steps in Python 3.11 (forkserver, shared memory) on a Xeon, 0.12
///          to 0.14 s
struct Checkpointing {
  static constexpr std::string_view kName = "checkpointing";
  static constexpr std::array<std::string_view, 6> kTakes{
      "nodes", "fabric.nodes_per_switch", "fabric.uplink_bandwidth", "fabric.rails", "data.at",
      "store"};
  static constexpr std::array<std::string_view, 1> kLeaves{"store.metadata"};

  CheckpointedModel model = CheckpointedModel::llama3_8b;
  std::int64_t load_threads = 4;
  Seconds file_start{0.12};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("model", &Checkpointing::model, "whose state is saved: it sets ranks and files"));
    visit(key("load_threads", &Checkpointing::load_threads,
              "threads of a rank that read a file at the same time (torch.load: 1)")
              .between(1, 64));
    visit(key("file_start", &Checkpointing::file_start,
              "until a rank's writer takes the first bytes of a file: a process of its own and 128 "
              "MiB of fresh buffers (torch.save: none)")
              .between(0_s, 60_s));
  }
};

}  // namespace kind
}  // namespace gpufeed
