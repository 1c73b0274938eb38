// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/load/read/catalog.h"

namespace gpufeed {
struct Chassis;
struct Gpu;
}  // namespace gpufeed

namespace gpufeed::ui {

/// Between the name of a chassis and that of the GPUs in it.
inline constexpr std::string_view kFilledWith = " + ";

/// Whether a chassis is one for these GPUs: where it has a board of modules, they are modules.
bool may_fill(const Chassis& chassis, const Gpu& gpu);

/// A scenario to go on from: the chassis with what it comes with, and where it comes without CPUs,
/// memory, GPUs or drives, ones that fit it and are of its time; trains ResNet-50 on ImageNet. Few
/// lines, all of which the window can change.
/// \param chassis  its name, or "CHASSIS + GPU"
std::string scenario_of_chassis(const std::string& chassis, const Catalog& catalog);

/// A server of a store in a chassis: what stands between the braces of its table. With what the
/// chassis comes with, and else CPUs, memory and as many drives as fit it; no GPUs, no cards.
std::string server_of_chassis(const std::string& chassis, const Catalog& catalog);

/// A scenario of a machine whose parts the catalog knows.
std::string scenario_of_system(const std::string& system, const Catalog& catalog);

/// The same of a machine that was discovered, written whole into the scenario; without GPUs it
/// loads data only. \param system  the text of a system
std::string scenario_of_found(const std::string& system, const Catalog& catalog);

/// Of the machine that this program runs on. \throws InputError  where it cannot be described
std::string scenario_of_this_machine(const Catalog& catalog);

}  // namespace gpufeed::ui
