// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/plan/rates.h"

namespace gpufeed {

/// How many rates each limit binds, by its name.
class Blame {
 public:
  void add(const std::string& name, int times = 1) { times_[name] += times; }
  void add(const Blame& other) {
    for (const auto& [name, times] : other.times_) add(name, times);
  }
  /// Names, those that bind most rates first; of equal ones by name.
  std::vector<std::string> names() const;
  int of(const std::string& name) const { return times_.at(name); }
  int all() const;

 private:
  std::map<std::string, int> times_;
};

/// Steady rates of transfers over a machine, one set of streams after another.
class RateMeter {
 public:
  RateMeter(const Graph& graph, EngineKind engine) : limits_(limits_of(graph)), engine_(engine) {}

  SteadyRates measure(const std::vector<Stream>& streams);

  /// Those of the graph; more may be added at the end.
  Limits& limits() { return limits_; }
  /// What binds a rate. \param cap_name  where that is the stream's own cap
  const std::string& name_of(std::optional<LimitIndex> limit, const Label& cap_name) const;
  /// The highest load of each in all measurements, 0 to 1.
  ByLimit<double> loads() const;

 private:
  Limits limits_;
  const EngineKind engine_;
  ByLimit<double> loads_;
};

}  // namespace gpufeed
