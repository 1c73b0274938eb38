// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/system.h"
#include "sim/model/fields/store_servers.h"

namespace gpufeed {

/// What the parts of one server give, each by itself.
struct ServerParts {
  Bytes capacity;
  Bandwidth drive_reads, drive_writes;  ///< of drives, within their slots
  ServerPart reads_by = ServerPart::drives,
             writes_by = ServerPart::drives;  ///< these or their slots
  double drives = 0;
  Rate drive_read_rate;       ///< reads of 4 KiB, of all drives
  Seconds drive_latency;      ///< of the slowest drive
  Bandwidth sends, receives;  ///< of network cards, within their slots
  ServerPart sends_by = ServerPart::cards, receives_by = ServerPart::cards;
  Bandwidth memory;  ///< that real copies reach
  double cores = 0;
  bool tcp = false;  ///< whether a card reaches clients by sockets alone
};

/// \param server  a machine whose parts are joined (join_system)
ServerParts parts_of_server(const System& server);

}  // namespace gpufeed
