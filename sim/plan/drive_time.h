// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"

namespace gpufeed {

/// A drive that is read and written at once: both share its time, x/R + y/W <= 1 for x bytes read
/// and y written per second. As a link, of which a read byte takes `read_times` and a written one
/// `write_times`, whole numbers because an engine lists links by number.
struct DriveTime {
  int read_times = 1;
  int write_times = 1;
  Bandwidth capacity;

  bool operator==(const DriveTime&) const = default;
};

/// For rates of R and W alone; each alone is exact. Together they are within 1 % of the law while
/// the rates differ by less than 50 to 1.
DriveTime drive_time(Bandwidth read, Bandwidth write);

}  // namespace gpufeed
