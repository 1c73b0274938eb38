// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "calib/discover/pcie.h"

namespace gpufeed {

/// What a system file says of the slot a product is in.
struct SlotFound {
  int generation = 0;       ///< 0: as the product
  std::int64_t lanes = 0;   ///< 0: as the product
  bool looks_idle = false;  ///< the link was found slower, at a rate idle devices fall to
};

/// The slot of a product of `product` whose connection was found to run at `found`. A GPU lowers
/// its link's rate, not its width, while it has nothing to do: where the rate is that of the
/// product's lanes in an older generation, the product's own is taken, unless both ends'
/// capabilities were read.
SlotFound slot_of(const PcieLink& found, const PcieLink& product, bool is_gpu);

/// "PCIe 3.0 x16"; "an unknown link".
std::string link_in_words(const PcieLink& link);

}  // namespace gpufeed
