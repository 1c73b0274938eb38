// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"
#include "sim/plan/exchange/traffic.h"
#include "sim/plan/nodes.h"

namespace gpufeed {

/// What travels between the GPUs of a step, in phases that follow one another. S are the bytes of
/// the gradients, N ranks, g of them on each of n nodes:
/// - ring: every rank sends 2 (N-1)/N S to the next in 2 (N-1) rounds; on one node by the
///   rings that `exchange.rings` asks for, on several by one ring for each network card;
/// - tree: half of S up and down each of two binary trees of nodes, in which no node has children
///   twice, and a chain of the GPUs within each; a tree for each network card;
/// - hierarchical: a chain of each node brings S to one GPU, these make a ring of 2 (n-1)/n S, and
///   the sums go back along the chain; each network card takes its part of S;
/// - torus of rows of w: every row scatters its sum, (w-1)/w S, every column sums what its GPUs
///   hold, 2 (h-1)/h S/w, every row gathers;
/// - parameter-server: all of S from each GPU to the servers' memories, in equal parts, where cores
///   add it up, then all of it back.
/// Gradients leave in the waves of `gradient_waves`; the last bucket, when all have computed.
/// Models split over t x p ranks (tensor, then pipeline, then replicas, counted along the ranks):
/// S/(t p) in a ring of the replicas, then, as computing hides neither, four all-reduces of every
/// block's output and micro-batch among t ranks (six where blocks are computed anew), and each
/// boundary of two stages crossed forth and back.
/// \source  rings and trees: NCCL; torus: Cho et al., IBM DDL; tensor and pipeline traffic:
///          Narayanan et al., SC 2021, section 3
/// \param few     of a plan that shows one node of each kind: what these exchange
/// \param chosen  the fastest of those that may be chosen, where it is known already
void plan_exchange(const Scenario& scenario, const Nodes& nodes, Plan& plan, Diagnostics& missing,
                   const Traffic* few = nullptr, std::optional<Algorithm> chosen = {});

/// Whether several algorithms may sum the gradients of all nodes, of which the fastest will.
/// \param plan  of the first node
bool has_choice(const Scenario& scenario, const Plan& plan);

/// What kinds of nodes there are, in each of the ways in which the gradients may be summed; where
/// GPUs exchange each by itself, a ring of nodes, or nothing where no part of all stands for them.
/// \param plan  of the first node, before any exchange
std::optional<Traffic> exchange_traffic(const Scenario& scenario, const Nodes& nodes, Plan& plan,
                                        Diagnostics& missing);

/// Share of a pipeline's time that its stages wait for the first and last micro-batch: (p-1)/m more
/// than the work. \source  Narayanan et al., SC 2021, section 2.2
double pipeline_stretch(const Scenario& scenario);

/// What each of `ranks` on a square grid receives to multiply two matrices of so many bytes by
/// SUMMA: a row of tiles of the one and a column of the other. \source  van de Geijn, Watts, 1997
Bytes summa_traffic(Bytes left, Bytes right, std::int64_t ranks);

}  // namespace gpufeed
