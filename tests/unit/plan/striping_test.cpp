// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/striping.h"

#include <doctest/doctest.h>

using namespace gpufeed;
using namespace gpufeed::literals;

TEST_CASE("a volume's drives take copies, or parity, beside what is written in full stripes") {
  const auto per_byte = [](Layout layout, std::size_t drives) {
    Volume volume;
    volume.layout = layout;
    volume.stripe_unit = 512_kB;
    volume.drives.resize(drives);
    // As many bytes as its requests add up to, however long they are.
    for (const Bytes request : {256_kB, 5.12_MB, 1_GB}) {
      const DriveRequests parts = split_write(&volume, request, true);
      CHECK(parts.writes * (parts.size / request) == doctest::Approx(written_per_byte(&volume)));
    }
    return written_per_byte(&volume);
  };
  CHECK(per_byte(Layout::files, 4) == 1);
  CHECK(per_byte(Layout::raid0, 4) == 1);
  CHECK(per_byte(Layout::raid1, 3) == 3);
  CHECK(per_byte(Layout::raid10, 4) == 2);
  CHECK(per_byte(Layout::raid5, 5) == 1.25);
  CHECK(per_byte(Layout::raid6, 10) == 1.25);
  CHECK(written_per_byte(nullptr) == 1);
}
