// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/base/labels/label.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {

struct Scenario;
struct Store;

// The parts of a loaded scenario and its system; null where `part` is of another kind, or a key
// that was left out. Pointers hold as long as the scenario or system.

const Store* find_store(const Scenario& scenario, PartId part);
const Store* find_store(const Scenario& scenario, const PartRef& part);
const Volume* find_volume(const System& system, PartId part);
const Volume* find_volume(const System& system, const PartRef& part);
const Device<Drive>* find_drive(const System& system, PartId part);
const Device<Nic>* find_nic(const System& system, PartId part);
const Socket* find_socket(const System& system, PartId part);

/// Of a volume's drives, or the drive itself, the numbers in the system; none elsewhere.
std::vector<std::size_t> drives_of(const System& system, PartId place);
std::vector<std::size_t> drives_of(const System& system, const PartRef& place);
/// The same as parts.
std::vector<PartId> drives_at(const System& system, const PartRef& place);

/// The socket that a device hangs on, directly or through switches.
PartId socket_of(const System& system, const Attachment& device);

/// What the user calls a part.
Label label_of(const Scenario& scenario, PartId part);
std::vector<Label> labels_of(const Scenario& scenario, const std::vector<PartId>& parts);

/// Complains that the scenario's system has no way from one part to another.
/// \param where  of what wants it
void report_no_way(Diagnostics& out, const Location& where, const Scenario& scenario,
                   const Label& from, const Label& to);

}  // namespace gpufeed
