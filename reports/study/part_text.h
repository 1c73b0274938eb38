// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/scenario_source.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// What `--set` takes to have other parts in a scenario's machine: of one that is made of a chassis
/// and parts the chassis' own keys, of any other `[[replace]]` with those that are there already.
class PartText {
 public:
  PartText(const Scenario& scenario, const ScenarioSource& source);

  /// `count` of product `name` in the place of the parts `ids`.
  /// \param key  of the chassis: "drives", "nics", "cpu", "gpu"
  /// \return empty where that cannot be said in one line
  std::vector<std::string> counted(const std::string& key, const std::vector<std::string>& ids,
                                   const std::string& name, std::int64_t count) const;
  /// `times` as much memory in every socket.
  std::vector<std::string> memory(double times) const;
  /// A drive somewhere else. \param kind  of part, as the parts list calls it: "drive"
  std::string placed(const std::string& kind, const std::string& id,
                     const std::string& place) const;
  /// What is to say of more parts in a machine whose slots are not known; else empty.
  std::string caution() const;
  /// Whether the machine's slots and bays are known, so that loading it refuses what does not fit.
  bool knows_slots() const { return chassis_; }

 private:
  std::string pattern_of(const std::vector<std::string>& ids) const;

  const Scenario& scenario_;
  bool chassis_;  ///< whether it is made of one
};

}  // namespace gpufeed
