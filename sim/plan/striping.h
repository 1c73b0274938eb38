// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/system.h"

namespace gpufeed {

/// What one request to a volume becomes on its drives. Counts may be fractions: a request of one
/// and a half stripe units reaches one and a half drives on average.
struct DriveRequests {
  Bytes size;            ///< of one request to a drive
  double reads = 0;      ///< of all drives together
  double writes = 0;     ///< likewise
  bool in_turn = false;  ///< the writes wait for the reads; else there is only one of both
};

/// A read: pieces of at most one stripe unit where files are striped, else whole.
/// \param volume  null: a single drive or a store
DriveRequests split_read(const Volume* volume, Bytes request);

/// A write. Every copy of RAID 1 and both of RAID 10 are written. RAID 5 and 6 (1 and 2 parities,
/// n drives): below a full stripe of n - parities units, old data and parity are read first and
/// both written; a full stripe writes n / (n - parities) times its bytes. Linux may read the other
/// units of a stripe instead where that is less; this is left out.
/// \param whole_stripes  the page cache collects neighbors until stripes are full
/// \source  P. M. Chen et al., RAID: High-Performance, Reliable Secondary Storage, ACM Computing
///          Surveys 26 (1994), section 3.2
DriveRequests split_write(const Volume* volume, Bytes request, bool whole_stripes);

/// Bytes that a volume's drives take for each byte of a long file, written in full stripes.
double written_per_byte(const Volume* volume);

/// Drives that hold the parity of a stripe: 0, 1 or 2.
int parities(const Volume* volume);

/// Drives that hold the same bytes.
int copies(const Volume* volume);

}  // namespace gpufeed
