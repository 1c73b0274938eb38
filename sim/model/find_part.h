// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/system.h"

namespace gpufeed {

struct Scenario;
struct Store;

// What a scenario and its system call by an id; null where there is none of that kind. Pointers
// hold as long as the scenario or system.

const Store* find_store(const Scenario& scenario, const std::string& id);
const Volume* find_volume(const System& system, std::string_view id);
const Device<Drive>* find_drive(const System& system, std::string_view id);
const Device<Nic>* find_nic(const System& system, std::string_view id);
const Socket* find_socket(const System& system, std::string_view id);

/// Of a volume's drives, or the drive itself; none where `id` is neither.
std::vector<std::string> drive_ids(const System& system, const std::string& id);

}  // namespace gpufeed
