// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpufeed {

class Findings;

/// What decoding costs in workers, as entries of a catalog: decoder/calibrated-jpeg and so on.
/// \param points  measurements, as `DecodePoint` has them
/// \param prefix  of the codec in names: "", "pytorch-"
/// \param where   in words: "on this machine"
/// \param name    stands for the file of raw measurements in messages
void fit_decoders(const nlohmann::ordered_json& points, const std::string& prefix,
                  const std::string& where, const std::string& name, Findings& findings);

}  // namespace gpufeed
