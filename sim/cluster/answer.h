// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/cluster/answer.h"
#include "sim/model/cluster/document.h"

namespace gpufeed::cluster {

/// Lets the schedulers of a document work on its jobs. The first is the answer, the others stand in
/// its `policies`. Where jobs end together, a part in 10^9 can change who waits; so each is
/// repeated with lengths that differ by 0.1 % at most.
/// \param only  the one that is wanted, by its name
Answer answer_of(const Document& document, const std::optional<std::string>& only = {});

/// The names of its schedulers, the first first.
std::vector<std::string> schedulers_of(const Document& document);

}  // namespace gpufeed::cluster
