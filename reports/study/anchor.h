// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reports/study/open_numbers.h"
#include "sim/load/scenario_source.h"
#include "sim/model/study/anchor.h"

namespace gpufeed {

struct AnchorOptions {
  std::optional<KeyPath> key;  ///< the path of the number to set; default: the run tells
  unsigned jobs = 1;
  std::function<void(std::int64_t, std::int64_t)> progress = [](auto, auto) {};
};

struct Anchored {
  Anchor report;
  OpenNumber number;  ///< that is set,
  double factor = 1;  ///< to so many times what is stated
};

/// Sets the one number of a scenario that a measured run determines, everything else as it is.
///
/// Looked at are all that nobody measured (open_numbers.h). Those that move nothing of what was
/// observed are told by groups of them, halved. Of the others each is fitted alone (anchor_fit.h).
/// Eligible is what then explains everything that it moves, within its plausible bounds, and leaves
/// a misfit within 4 of the least. Of these that one is set to which the run owes most:
///   (elasticity of what was observed, from the stated to the fitted value) x (stated deviation)
/// which is also the one that has to move by the fewest of its own deviations. Another within a
/// factor of 1.5 of it is a tie.
/// \throws InputError  where nothing that was observed is in the scenario; where `key` is no number
///                     of it; where the run sets none: it is bound by something that is known, no
///                     plausible value shows what was seen, or observations contradict each other
Anchored anchor(const ScenarioSource& source, const Observed& observed,
                const AnchorOptions& options);

/// The text of a scenario's file with the number in it: at its place, or as [[own]] value of the
/// product. Comments and all else stay. \param source  where the value is from, for the file
/// \throws InputError  where the file cannot say it
std::string anchored_text(std::string_view text, const OpenNumber& number, double factor,
                          const std::string& source);

}  // namespace gpufeed
