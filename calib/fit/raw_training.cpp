// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_training.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "calib/fit/findings.h"

namespace gpufeed {

void tell_training(const nlohmann::ordered_json& training, Findings& findings) {
  constexpr double kBatchOfHost = 2;  ///< of one or two samples, computing is no matter
  constexpr double kHosts = 1.35;     ///< times what the host takes: hosts are not that steady
  std::map<std::string, double> of_host;
  for (const auto& step : training.at("steps")) {
    const std::string network = step.at("network");
    const std::string precision = step.at("precision");
    const double batch = step.at("batch");
    const double seconds = step.at("s");
    const std::string kind = fmt::format("{} in {}", network, precision);
    if (batch <= kBatchOfHost) of_host[kind] = seconds;
    const auto host = of_host.find(kind);
    const bool hosts = host != of_host.end() && seconds < kHosts * host->second;
    findings.tell(fmt::format("{}: batch = {}, rate = \"{:.4g} samples/s\"{}", kind, batch,
                              batch / seconds, hosts ? "; the host's rate, not the GPU's" : ""));
  }
  for (const auto& one : training.at("left_out"))
    findings.refuse(fmt::format("{} in {} at batch {}", one.at("network").get<std::string>(),
                                one.at("precision").get<std::string>(), one.at("batch").get<int>()),
                    one.at("why"));
}

}  // namespace gpufeed
