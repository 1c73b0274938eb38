// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "sim/base/units.h"

namespace gpufeed {

struct ReplayPlan;
struct Scenario;

/// What a sample takes of a core to decode, with as many at it as a scenario has workers: reading
/// it is left out, placing it in a batch is not. It is that of the slowest of these, which paces
/// all others, for batches are taken in turn. Cores slow down and recover by a quarter within
/// seconds, each by itself, where a host's other guests share them.
struct DecoderNow {
  Seconds of_sample;
};

/// What `decoder_now` writes in files that are gone afterwards: nothing where the scenario decodes
/// nothing, its decoder was not calibrated, or the folder is there and cannot be written.
Bytes written_to_decode(const Scenario& scenario, const ReplayPlan& plan);

/// Decodes such files for a second, as `gpufeed calibrate --decode` does; nothing where none would
/// be written. \throws InputError  where they cannot be written or read, or when interrupted
std::optional<DecoderNow> decoder_now(const Scenario& scenario, const ReplayPlan& plan);

}  // namespace gpufeed
