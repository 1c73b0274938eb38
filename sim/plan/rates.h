// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/model/scenario.h"
#include "sim/topology/routes.h"

namespace gpufeed {

/// Something that streams share: a resource of the graph, or cores that move their bytes.
struct Limit {
  std::string id;
  std::string kind;  ///< "drive", "bus", "cpu"...
  Bandwidth capacity;
  Provenance provenance;
};

/// How much of a limit a stream takes for each byte that it moves.
struct Take {
  int limit;
  double share;
};

/// `count` streams that never end and are alike.
struct Stream {
  std::vector<Take> takes;  ///< at most one of each limit
  std::int64_t count = 1;
  Bandwidth cap = kUncapped;  ///< of one of them, alone or not
};

inline constexpr int kOwnCap = -1;

/// What the streams attain while all of them run.
struct SteadyRates {
  std::vector<Bandwidth> of_one;  ///< of each stream: one of its `count`
  std::vector<int> limited_by;    ///< of each stream: the limit that binds it, or kOwnCap
  std::vector<double> load;       ///< of each limit, 0 to 1
};

/// Load from which a limit counts as full: what rounding leaves of 1.
inline constexpr double kFull = 1 - 1e-6;

/// All limits that are full, of the kind of limit `like`.
std::vector<int> full_like(const std::vector<Limit>& limits, const SteadyRates& rates, int like);

/// The limits of a graph, at the positions of its resources.
std::vector<Limit> limits_of(const Graph& graph);

/// A stream over a route.
Stream stream_over(const Route& route, std::int64_t count = 1);

/// Adds `share` of a limit, or of that of a resource (limits_of), to what a stream takes of it.
void take_more(Stream& stream, int limit, double share);
void take_more(Stream& stream, ResourceIndex resource, double share);

/// The rate of a stream that runs alone.
Bandwidth solo_rate(const std::vector<Limit>& limits, const Stream& stream);

/// Max-min fair rates of all streams together, as an engine gives them: it runs every stream for
/// a while and counts the bytes. A stream takes at least one limit. Shares of one limit that are
/// no multiples of a common part down to 1/5040 of the least are rounded to it.
SteadyRates steady_rates(const std::vector<Limit>& limits, const std::vector<Stream>& streams,
                         EngineKind engine);

}  // namespace gpufeed
