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

/// What is saved. torch: weights as the optimizer has them and its numbers (torch.save, DCP);
/// megatron: and the weights in 16 bits that are computed with; safetensors: these alone, from
/// which a model can be used, but its training not be taken up as it was.
enum class CheckpointForm { torch, megatron, safetensors };
template <>
struct EnumNames<CheckpointForm> {
  static constexpr std::array<std::string_view, 3> names{"torch", "megatron", "safetensors"};
};

/// Saving the state of the training again and again.
struct Checkpoint {
  std::int64_t interval_steps = 0;
  PartRef at;
  std::optional<Bytes> size;
  Defaulted<CheckpointForm> form{CheckpointForm::torch};
  CheckpointMode mode = CheckpointMode::synchronous;
  Defaulted<CheckpointWriters> writers{CheckpointWriters::one};
  bool sync = false;
  Ratio dirty_ratio{0.2};
  Ratio dirty_background_ratio{0.1};
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
              "of one; default: as form and workload.optimizer have it, with adam 12 bytes a "
              "parameter; with workload.lora of adapters of rank 16 alone")
              .between(1_kB, 1_PB));
    visit(key("form", &Checkpoint::form,
              "instead of size: torch, weights and the optimizer's numbers (DCP); megatron, also "
              "weights in 16 bits; safetensors, these alone"));
    visit(key("mode", &Checkpoint::mode,
              "whether GPUs wait until it is written, or only until it is copied to host "
              "memory"));
    visit(key("writers", &Checkpoint::writers,
              "who writes (and at a restart reads): a job's first GPU the whole, or each "
              "of its GPUs an equal part")
              .except("a model or optimizer that GPUs hold in parts: all"));
    visit(key("sync", &Checkpoint::sync,
              "whether writers wait until the drives hold all (fsync), as benchmarks do; false: "
              "what the page cache may hold is written in the background, as torch.save leaves "
              "it. Network stores take all before a file is closed"));
    visit(key("dirty_ratio", &Checkpoint::dirty_ratio,
              "not synced: share of the memory that is free or page cache which may wait to be "
              "written (vm.dirty_ratio)")
              .between(0_percent, 100_percent));
    visit(key("dirty_background_ratio", &Checkpoint::dirty_background_ratio,
              "not synced: the same, from which on the kernel writes (vm.dirty_background_ratio); "
              "half-way between both, writers wait for the drives")
              .between(0_percent, 100_percent));
  }
};

}  // namespace gpufeed
