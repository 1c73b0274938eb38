// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/model/run.h"
#include "sim/topology/routes.h"

namespace gpufeed {

/// Something that streams share: a resource of the graph, or cores that move their bytes.
struct Limit {
  Label label;
  std::string kind;  ///< "drive", "bus", "cpu"...
  Bandwidth capacity;
  Provenance provenance;
  std::optional<ResourceKey> key = {};  ///< none: cores
};
using LimitIndex = Index<Limit>;
template <class T>
using ByLimit = Indexed<LimitIndex, T>;
using Limits = ByLimit<Limit>;

/// How much of a limit a stream takes for each byte that it moves.
struct Take {
  LimitIndex limit;
  double share;
};

/// `count` streams that never end and are alike.
struct Stream {
  std::vector<Take> takes;  ///< at most one of each limit
  std::int64_t count = 1;
  Bandwidth cap = kUncapped;  ///< of one of them, alone or not
};

/// What the streams attain while all of them run.
struct SteadyRates {
  std::vector<Bandwidth> of_one;  ///< of each stream: one of its `count`
  /// Of each stream: the limit that binds it; none: its own cap.
  std::vector<std::optional<LimitIndex>> limited_by;
  ByLimit<double> load;  ///< 0 to 1
};

/// Load from which a limit counts as full: what rounding leaves of 1.
inline constexpr double kFull = 1 - 1e-6;

/// All limits that are full, of the kind of limit `like`.
std::vector<LimitIndex> full_like(const Limits& limits, const SteadyRates& rates, LimitIndex like);

/// The limits of a graph, at the positions of its resources.
Limits limits_of(const Graph& graph);
/// That of a resource of the graph.
LimitIndex limit_of(ResourceIndex resource);

/// A stream over a route.
Stream stream_over(const Route& route, std::int64_t count = 1);

/// Adds `share` of a limit, or of that of a resource, to what a stream takes of it.
void take_more(Stream& stream, LimitIndex limit, double share);
void take_more(Stream& stream, ResourceIndex resource, double share);

/// The rate of a stream that runs alone.
Bandwidth solo_rate(const Limits& limits, const Stream& stream);

/// Max-min fair rates of all streams together, as an engine gives them: it runs every stream for
/// a while and counts the bytes. A stream takes at least one limit. Shares of one limit that are
/// no multiples of a common part down to 1/5040 of the least are rounded to it.
SteadyRates steady_rates(const Limits& limits, const std::vector<Stream>& streams,
                         EngineKind engine);

}  // namespace gpufeed
