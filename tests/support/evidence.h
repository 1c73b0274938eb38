// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sim/model/result/result.h"

/// The clause of a result's evidence with this code; null: it has none.
inline const gpufeed::Evidence* shown(const gpufeed::Result& result, gpufeed::EvidenceCode code) {
  const auto& all = result.bottleneck.evidence;
  const auto found = std::ranges::find_if(
      all, [&](const gpufeed::Evidence& one) { return one.shows.code == code; });
  return found == all.end() ? nullptr : &*found;
}

/// The stage of this code; null: the path has none.
inline const gpufeed::Stage* stage_of(const gpufeed::Result& result, gpufeed::LimiterCode code) {
  const auto found = std::ranges::find_if(
      result.stages, [&](const gpufeed::Stage& one) { return one.stage.code == code; });
  return found == result.stages.end() ? nullptr : &*found;
}

/// A part, or several, that limit.
inline gpufeed::Limiter parts(std::vector<std::string> names) {
  return gpufeed::fact<gpufeed::LimiterCode::parts>(std::move(names));
}
