// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/scenario.h"
#include "sim/plan/rates.h"

namespace gpufeed {

/// What it takes to read data at one place and to write, at the same time, some to the same or
/// another place: streams that move the bytes read.
/// - Drives: one stream over all drives of the volume, each on an equal part, through the memory of
///   the drive's socket. What a volume writes besides (copies, parity) as in striping.h, full
///   stripes.
/// - Stores: one stream through each NIC of `via` and the memory of its socket; a faster one moves
///   more. Between a store and drives: one stream, over the NIC nearest to each drive's memory, as
///   data.staging copies.
/// - Reads and writes of one drive or store share its time: 1 / (x/R + (1-x)/W) in all, of a
///   share x of reads.
class PipelineWays {
 public:
  PipelineWays(const Scenario& scenario, const Graph& graph);

  /// \param written  bytes written to `to` for each byte read at `from`; 0: nothing is
  std::vector<Stream> between(PartId from, PartId to, double written);

  /// Complains about every way that was missing. \throws InputError
  void throw_if_any() const { missing_.throw_if_any(); }

 private:
  struct Lane {
    std::optional<PartId> port;  ///< the NIC of a store that is read; none: the nearest
    PartId source;               ///< drive or store
    PartId socket;               ///< whose memory it passes
    double share;                ///< of the bytes of its stream
  };
  std::vector<Lane> lanes(PartId from, PartId to) const;
  void read(Stream& stream, const Lane& lane);
  void write(Stream& stream, const Lane& lane, PartId to, double written);
  void onto_drives(Stream& stream, const Lane& lane, PartId to, double written);
  void take_writes(Stream& stream, const std::optional<Route>& route, double share, PartId from,
                   PartId to);
  std::optional<Route> from_store(const Lane& lane) const;
  std::optional<Route> into_store(const Lane& lane, PartId store) const;
  void report(PartId from, PartId to);

  const Scenario& scenario_;
  const System& system_;
  const Graph& graph_;
  Diagnostics missing_;
};

}  // namespace gpufeed
