// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What saving the state of the training takes. A checkpoint costs more than its pause where writes
/// hold back reads, and less where loaders catch up while GPUs stand still.
struct CheckpointUse {
  std::int64_t count = 0;
  double size_B = 0;
  double pause_s = 0;
  double write_s = 0;
  double cost_s = 0;
  double share = 0;
  double restart_s = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("count", &CheckpointUse::count, "of each job, in all its epochs"));
    visit(key("size_B", &CheckpointUse::size_B, "of one checkpoint of one job"));
    visit(key("pause_s", &CheckpointUse::pause_s,
              "how long GPUs stand still for one, mean; null, as times and share below, where "
              "training ends before the first")
              .as_time());
    visit(key("write_s", &CheckpointUse::write_s, "from the first byte written to the last, mean")
              .as_time());
    visit(key("cost_s", &CheckpointUse::cost_s, "by how much one lengthens the training, mean")
              .as_time()
              .or_negative());
    visit(key("share", &CheckpointUse::share, "of the training's time that they cost, 0 to 1")
              .or_negative());
    visit(key("restart_s", &CheckpointUse::restart_s,
              "reading one back by those who wrote it, and copying it to their GPUs")
              .as_time());
  }
};

}  // namespace gpufeed
