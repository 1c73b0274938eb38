// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cluster/case.h"
#include "sim/model/cluster/document.h"

namespace gpufeed::cluster {

/// A checked document in numbers, under its scheduler. Stores and users are numbered in the order
/// of the file (users that only jobs name come behind), types in the order of the nodes.
Case make_case(const Document& document);

}  // namespace gpufeed::cluster
