// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/chassis.h"

namespace gpufeed {

Chassis::Chassis() = default;
Chassis::Chassis(const Chassis&) = default;
Chassis::Chassis(Chassis&&) noexcept = default;
Chassis& Chassis::operator=(const Chassis&) = default;
Chassis& Chassis::operator=(Chassis&&) noexcept = default;
Chassis::~Chassis() = default;

}  // namespace gpufeed
