// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/system.h"

namespace gpufeed {

/// synchronous: GPUs wait until the state is on the storage. asynchronous: they wait only while it
/// is copied to host memory; a checkpoint that comes while the one before is still being written
/// waits for it.
enum class CheckpointMode { synchronous, asynchronous };
template <>
struct EnumNames<CheckpointMode> {
  static constexpr std::array<std::string_view, 2> names{"synchronous", "asynchronous"};
};

/// one: the first GPU of a job writes the whole state; all: each of its GPUs an equal part.
enum class CheckpointWriters { one, all };
template <>
struct EnumNames<CheckpointWriters> {
  static constexpr std::array<std::string_view, 2> names{"one", "all"};
};

/// Saving the state of the training again and again. Written is what the storage holds (fsync):
/// what would only lie in the page cache is left out.
struct Checkpoint {
  std::int64_t interval_steps = 0;
  PartRef at;
  std::optional<Bytes> size;
  CheckpointMode mode = CheckpointMode::synchronous;
  CheckpointWriters writers = CheckpointWriters::one;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("interval_steps", &Checkpoint::interval_steps,
              "steps from one checkpoint to the next; one that falls on the last step "
              "is taken, too")
              .needed()
              .between(1, 1000000000000));
    visit(key("at", &Checkpoint::at,
              "where they are written: a volume, a drive or a store; default: data.at"));
    visit(key("size", &Checkpoint::size,
              "of one; default: 12 bytes a parameter, the weights and both moments of "
              "Adam in FP32")
              .between(1_kB, 1_PB));
    visit(key("mode", &Checkpoint::mode,
              "whether GPUs wait until it is written, or only until it is copied to host "
              "memory"));
    visit(key("writers", &Checkpoint::writers,
              "who writes (and at a restart reads): a job's first GPU the whole, or each "
              "of its GPUs an equal part"));
  }
};

}  // namespace gpufeed
