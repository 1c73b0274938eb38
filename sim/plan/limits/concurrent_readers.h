// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/drive_law.h"

namespace gpufeed {

/// Readers that each ask a drive for one request after the other.
struct ConcurrentReaders {
  double count = 1;
  Bytes request;
  Seconds beside;  ///< that a reader spends on something else between two requests
};

/// The wait of a request beside its share of the drive's rate, so that simulated readers get what
/// the drive's law gives as many requests: a drive whose roofs slow one another (sharpness 1) makes
/// a request wait for all others that are under way, not for those alone that move bytes.
///   T(n) = q x request / attained(q),  q = 1 + (n - 1) T(n-1) / (T(n-1) + beside)   (by the law)
///   wait = T(n) - s (1 + others that move bytes),  s = request / attained(all at once)
/// A request meets the others as n - 1 readers have them (mean value analysis); those that move
/// bytes are those of readers with the law's latency. At least that latency.
Seconds wait_among(const DriveLaw& law, const ConcurrentReaders& readers);

}  // namespace gpufeed
