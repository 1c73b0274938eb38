// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/striping.h"

#include <algorithm>
#include <utility>

#include "sim/plan/reading.h"

namespace gpufeed {
namespace {

/// Stripe units that a request covers, and what it asks of each.
DriveRequests pieces_of(const Volume* volume, Bytes request) {
  if (!volume || !is_striped(*volume)) return {.size = request, .reads = 1};
  return {.size = std::min(request, volume->stripe_unit),
          .reads = std::max(1.0, request / volume->stripe_unit)};
}

}  // namespace

DriveRequests split_read(const Volume* volume, Bytes request) { return pieces_of(volume, request); }

DriveRequests split_write(const Volume* volume, Bytes request, bool whole_stripes) {
  DriveRequests out = pieces_of(volume, request);
  const double pieces = std::exchange(out.reads, 0);
  const int parity = parities(volume);
  if (parity == 0) {
    out.writes = pieces * copies(volume);
    return out;
  }
  const double drives = static_cast<double>(volume->drives.size());
  const bool full = whole_stripes || pieces >= drives - parity;
  if (full) {
    out.writes = pieces * drives / (drives - parity);
    return out;
  }
  out.reads = out.writes = pieces + parity;
  out.in_turn = true;
  return out;
}

double written_per_byte(const Volume* volume) {
  const int parity = parities(volume);
  if (parity == 0) return copies(volume);
  const double drives = static_cast<double>(volume->drives.size());
  return drives / (drives - parity);
}

int parities(const Volume* volume) {
  if (!volume || !is_striped(*volume)) return 0;
  if (volume->layout == Layout::raid5) return 1;
  return volume->layout == Layout::raid6 ? 2 : 0;
}

int copies(const Volume* volume) {
  if (!volume || volume->drives.size() < 2) return 1;
  if (volume->layout == Layout::raid1) return static_cast<int>(volume->drives.size());
  return volume->layout == Layout::raid10 ? 2 : 1;
}

}  // namespace gpufeed
