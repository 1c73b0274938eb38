// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What storage must deliver to all nodes and jobs together so that no GPU waits for it: a figure
/// to ask a vendor for. What the page cache holds is not read.
struct StorageDemand {
  double read_first_epoch_Bps = 0;
  std::optional<double> read_later_epochs_Bps;
  double read_peak_Bps = 0;
  std::optional<double> checkpoint_write_Bps;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using D = StorageDemand;
    visit(key("read_first_epoch_Bps", &D::read_first_epoch_Bps,
              "cold: in the first epoch, at the rate of GPUs that never wait for data"));
    visit(key("read_later_epochs_Bps", &D::read_later_epochs_Bps,
              "warm: in a later epoch, mean; null where there is one only"));
    visit(key("read_peak_Bps", &D::read_peak_Bps,
              "while loaders fill up in the first epoch: as fast as their workers and cores take "
              "data in, but no less than read_first_epoch_Bps"));
    visit(key("checkpoint_write_Bps", &D::checkpoint_write_Bps,
              "while a checkpoint is written, as it is simulated, mean; null where none is"));
  }
};

}  // namespace gpufeed
