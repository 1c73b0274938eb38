// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/store.h"
#include "sim/topology/graph.h"

namespace gpufeed {

/// What a part attains, and where that is known from.
struct Capacity {
  Bandwidth rate;
  Provenance provenance;
  std::optional<StorageLimit> limit = {};  ///< which of several it is
};

/// The provenance of the product of two keys of one entry.
Provenance weaker_of(const Entry& entry, std::string_view key, std::string_view other);

Capacity lesser(const Capacity& a, const Capacity& b);

/// One direction of `lanes` lanes of a link.
Capacity toward_device(const Link& link, std::int64_t lanes);
Capacity from_device(const Link& link, std::int64_t lanes);

/// One direction of NVLink. Copies alone run on copy engines; in all other work kernels move what
/// GPUs send one another.
Capacity between_gpus(const Scenario& scenario, const Link& link, std::int64_t lanes);

/// What a drive attains as it is asked (drive_law.h). Reads and writes together share its time.
struct DriveCapacities {
  Capacity read, write;
};
DriveCapacities drive_capacities(const Drive& drive, const StorageAccess& access);

/// How many times the array that its figures hold for: by blades.
double size_of(const Store& store);
/// A request as its protocol passes it on.
Bytes request_to(const Store& store, Bytes request);
/// What one file attains on the storage targets that it is striped over; nothing where that does
/// not limit it.
std::optional<Bandwidth> stripes_bandwidth(const Store& store);

/// What a store's reads attain: its limits (bandwidth, requests, files opened) joined as in the
/// drive law, less what others use.
Capacity store_capacity(const Store& store, const StorageAccess& access);
/// What its writes attain: write_bandwidth / write_redundancy x blades up to the front end, less
/// what others use. \param store  one whose write_bandwidth is known
Capacity store_write_capacity(const Store& store);

/// Raw rates of the ports that lead to a store, of which its clients reach shares.
struct StorePorts {
  Bandwidth in, out;
};
StorePorts ports_to(const System& system, const Store& store);
/// What a machine's client of a store reads at most (store_client.h), joined with what its readers
/// would reach alone; nothing without a limit. \param store  one with a protocol
std::optional<Capacity> client_capacity(const System& system, const Store& store,
                                        const StorageAccess& access);

}  // namespace gpufeed
