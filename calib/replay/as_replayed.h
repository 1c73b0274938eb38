// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed {

struct CopyNow;
struct DecoderNow;
struct DriveNow;
struct MachineNow;
struct PagesNow;
struct RefillNow;
struct ReplayLoader;
struct Scenario;

/// The scenario with the drive as it is now.
Scenario with_drive(Scenario scenario, const DriveNow& now);
/// The scenario with all its CPUs as they are now.
Scenario with_copy(Scenario scenario, const CopyNow& copy);
/// The scenario with its decoder as it is now.
Scenario with_decoder(Scenario scenario, const DecoderNow& decoder);
/// The scenario with its machine's page cache as it is now.
Scenario with_pages(Scenario scenario, const PagesNow& pages);
/// The scenario with what all its CPUs spend on missed bytes as the first one does now: filling and
/// evicting by the same factor.
Scenario with_refill(Scenario scenario, const RefillNow& refill);

/// The scenario of which a replay is to be predicted: the process in the GPU's place starts the
/// workers and takes batches over itself, between two steps, and has opened every file before, so
/// that no inode is read.
Scenario as_replayed(Scenario scenario, const ReplayLoader& loader, const MachineNow& machine);
/// What changes the scenario so, as `--set` has it.
std::vector<std::string> replayed_sets(const Scenario& scenario, const ReplayLoader& loader,
                                       const MachineNow& machine);

}  // namespace gpufeed
