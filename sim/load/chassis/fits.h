// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/chassis/slots.h"

namespace gpufeed {

/// Whether a part fits a slot, as far as it says what it fits: what it does not say is no ground to
/// refuse it.
bool fits(const Slot& slot, const Gpu& gpu);
bool fits(const Slot& slot, const Nic& nic);
bool fits(const Slot& slot, const Drive& drive);

/// What a part leaves open that decides whether it fits; empty where it leaves nothing open.
std::string unsaid(const Slot& slot, const Gpu& gpu);
std::string unsaid(const Slot& slot, const Nic& nic);
std::string unsaid(const Slot& slot, const Drive& drive);

/// Why none of a chassis' slots takes the part, as in "is a card for a PCIe slot, and NAME has
/// modules on a board of kind sxm5".
std::string misfit(const Chassis& chassis, const Gpu& gpu);
std::string misfit(const Chassis& chassis, const Nic& nic);
std::string misfit(const Chassis& chassis, const Drive& drive);

/// Whether two links are of one family, so that the slower decides: pcie-4.0 and pcie-5.0.
bool of_one_family(const Ref<Link>& one, const Ref<Link>& other);

}  // namespace gpufeed
