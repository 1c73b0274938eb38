// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/cluster/foreign.h"
#include "sim/model/cluster/answer.h"
#include "sim/model/cluster/document.h"

namespace gpufeed::cluster {

/// Lets the schedulers of a document work on its jobs. The first is the answer, the others stand in
/// its `policies`. Where jobs end together, a part in 10^9 can change who waits; so each is
/// repeated with lengths that differ by 0.1 % at most.
/// \param only  the one that is wanted, by its name
/// \param foreign  another's scheduler in the place of all of them; called for each run anew
Answer answer_of(const Document& document, const std::optional<std::string>& only = {},
                 const std::function<Talk()>& foreign = {});

/// What else could be: a node more of each group, a tenth more of each store and link, twice each
/// store, and other schedulers. Each is held against the first scheduler with the same draws, so
/// that what differs is the change; ranges are over the draws.
std::vector<ClusterChange> changes_of(const Document& document);

/// The names of its schedulers, the first first.
std::vector<std::string> schedulers_of(const Document& document);

}  // namespace gpufeed::cluster
