// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/catalog/system.h"

namespace gpufeed {

/// A part of a request that goes to one drive.
struct Piece {
  std::size_t drive = 0;  ///< its number within the volume
  double bytes = 0;
};

/// How a volume spreads what is at `offset` of a file over its `drives`.
/// - whole files: by the number of the file.
/// - striped: unit after unit, beginning at the drive of the file's number; of a request that is
///   longer than a stripe each drive gets an equal part.
/// - mirrored (RAID 1, the pairs of RAID 10): reads take the copies in turn, writes go to all.
/// - RAID 5 and 6: writes move n / (n - parities) times their bytes, as full stripes do; what a
///   short write reads first is left out.
/// \param volume  null: one drive or store
/// \param turn    number of the request
void split_over_drives(const Volume* volume, std::size_t drives, std::int64_t offset,
                       std::int64_t bytes, std::int32_t file, bool write, std::size_t turn,
                       std::vector<Piece>& out);

}  // namespace gpufeed
