// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/serving/case.h"

namespace gpufeed::serving {

/// What a file says, in plain numbers; requests are drawn, or those of the log.
/// \throws InputError  where the weights, or one request, do not fit the GPUs
Case make_case(const Document& document);

/// Names of blocks and lengths, into `out`; the law and the pool are there.
void add_requests(Case& out, const Document& document);

}  // namespace gpufeed::serving
