// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/plan/rates.h"

namespace gpufeed {

/// What binds rates.
struct Binding {
  std::optional<LimitIndex> limit;  ///< none: a cap of the streams themselves
  Limiter limiter;

  bool operator==(const Binding&) const = default;
};

/// How many rates each limit binds.
class Blame {
 public:
  struct Times {
    Binding by;
    int times = 0;
  };

  void add(const Binding& by, int times = 1);
  void add(const Blame& other);
  /// Those that bind most rates first; of equal ones in the order of the machine's limits, caps
  /// last.
  std::vector<Times> sorted() const;
  int all() const;

 private:
  std::vector<Times> times_;
};

/// Steady rates of transfers over a machine, one set of streams after another.
class RateMeter {
 public:
  RateMeter(const Graph& graph, EngineKind engine) : limits_(limits_of(graph)), engine_(engine) {}

  SteadyRates measure(const std::vector<Stream>& streams);

  /// Those of the graph; more may be added at the end.
  Limits& limits() { return limits_; }
  /// What binds a rate. \param cap  where that is the stream's own
  Binding binding(std::optional<LimitIndex> limit, const std::optional<Limiter>& cap = {}) const;
  /// The highest load of each in all measurements, 0 to 1.
  ByLimit<double> loads() const;

 private:
  Limits limits_;
  const EngineKind engine_;
  ByLimit<double> loads_;
};

}  // namespace gpufeed
