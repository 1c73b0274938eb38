// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/facts/limiters.h"
#include "sim/model/kinds/transfers.h"
#include "sim/plan/rates.h"

namespace gpufeed {

/// A copy as streams: what it takes, and what caps one of them, where no link does.
struct CopyStream {
  Stream stream;
  std::optional<Limiter> cap = {};
};

/// What one of `workload.copy` takes:
/// - socket to socket: a core reads there and writes here (read; write-allocate and write), at most
///   `core_copy_bandwidth` a stream, all together at most `remote_core_read` of the source's CPU;
/// - socket to GPU and back: the copy engine of the GPU, one memory pass;
/// - GPU to GPU: routes.h, `peer_route` with NVLink; `via`: `forwarded_route`;
/// - drives and stores: into memory; into a GPU through the memory of its socket, or past it where
///   `data.path` is gpudirect; onto another drive or store through the memory nearest to it. A
///   volume's drives take equal parts; copies and parity are written as in striping.h, full
///   stripes;
/// - not `overlapped`: 1 / (1/a + 1/b), of what each half of the way through host memory attains.
class CopyStreams {
 public:
  /// \param limits  those of the graph
  CopyStreams(const Scenario& scenario, const Graph& graph, const Limits& limits);

  CopyStream of(const Copy& copy);

  /// Complains about every way that was missing. \throws InputError
  void throw_if_any() const { missing_.throw_if_any(); }

 private:
  struct End;
  End end(const PartRef& ref) const;
  PartId socket_near(const End& end) const;
  void read(Stream& stream, const End& from, VertexIndex target, const NicUser& user);
  void write(Stream& stream, VertexIndex source, const End& onto, const NicUser& user);
  void leg(Stream& stream, const std::optional<Route>& route, double share, const Label& from,
           const Label& to);
  CopyStream between_sockets(PartId from, PartId to);
  CopyStream between_gpus(const Copy& copy, std::size_t from, std::size_t to);
  void join(CopyStream& copy, const Stream& second, const Copy& of);
  void cap_reader(CopyStream& copy, PartId socket) const;
  VertexIndex memory(PartId socket) const { return graph_.memory_of(socket); }
  const Cpu& cpu_of(PartId socket) const;
  Label label(PartId part) const;

  const Scenario& scenario_;
  const System& system_;
  const Graph& graph_;
  const Limits& limits_;
  NicTurns turns_;
  Diagnostics missing_;
};

}  // namespace gpufeed
