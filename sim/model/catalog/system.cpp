// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/system.h"

namespace gpufeed {

System::System() = default;
System::System(const System&) = default;
System::System(System&&) noexcept = default;
System& System::operator=(const System&) = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

}  // namespace gpufeed
