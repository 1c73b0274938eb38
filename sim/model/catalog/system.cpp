// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/system.h"

#include <algorithm>

namespace gpufeed {

System::System() = default;
System::System(const System&) = default;
System::System(System&&) noexcept = default;
System& System::operator=(const System&) = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

bool System::lets_gpus_reach() const {
  return peer_to_peer && std::ranges::all_of(gpus, [](const Device<Gpu>& gpu) {
           return !gpu.model || gpu.model->peer_to_peer;
         });
}

}  // namespace gpufeed
