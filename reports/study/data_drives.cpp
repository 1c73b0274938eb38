// SPDX-License-Identifier: Apache-2.0
#include "reports/study/data_drives.h"

#include "sim/model/find_part.h"

namespace gpufeed {

std::vector<const Device<Drive>*> data_drives(const Scenario& scenario) {
  std::vector<const Device<Drive>*> found;
  for (const PartId drive : drives_at(*scenario.system, scenario.data.at)) {
    found.push_back(find_drive(*scenario.system, drive));
    if (found.back()->model.name != found.front()->model.name) return {};
  }
  return found;
}

LinkFamily wiring_of(const Drive& drive) {
  return drive.link ? drive.link->kind() : LinkFamily::other;
}

bool fits_bay(const Drive& other, const Drive& now) {
  const bool in_frame = other.form == DriveForm::sff && now.form == DriveForm::lff;
  return (other.form == now.form || in_frame) && wiring_of(other) == wiring_of(now);
}

}  // namespace gpufeed
