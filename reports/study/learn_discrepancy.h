// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/fields/discrepancy.h"
#include "sim/model/study/first_contact.h"

namespace gpufeed {

/// What first contacts teach of how far off predictions are: of every mechanism an entry, also of
/// those that nothing was seen of, which take what is common to all. Lines whose error counts more
/// than once are of sources that had taught what predicts them: they stand for a mechanism until
/// five sources that had not have shown it. Where the law that a source met was replaced since,
/// they stand for the same measurements (source and value), predicted by the new law without what
/// the source had taught.
///
/// Scales by `fit_scales`. Quantiles by five folds of whole sources: z = e / sigma of those that
/// were left out. c is the 80 % quantile of |z|, q_m that of a mechanism with K sources;
///   c_m = exp((K ln q_m + 6 ln c) / (K + 6)), at most 2.5 c,
///   lower, upper = (K q + 8 c_m) / (K + 8), at least 0.35 c_m,
/// with q the 90 % quantile of -z and of z.
/// shared = 1 - Var(z_i - z_j) / (2 Var z) over pairs of one source, drawn toward that of all
/// mechanisms as if four sources had shown it.
Discrepancies learn_discrepancies(const std::vector<FirstContact>& contacts);

/// The text of its file in a catalog.
std::string to_toml(const Discrepancy& discrepancy);

}  // namespace gpufeed
