// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed::serving {

enum class WhatIfs { none, where_short, all };

/// What the engine does with what is asked.
/// \param what_ifs  where_short: of runs that take little, each of them again with more of
///                  something
/// \throws InputError  where the weights, or all requests, do not fit the GPUs
Answer answer_of(const Document& document, WhatIfs what_ifs = WhatIfs::where_short);

/// Leading blocks of a log's prompts that caches of some sizes would find, each LRU, touched from
/// the last block of a prompt to the first; all blocks named by the log count.
std::vector<Reuse> reuse_of(const std::vector<LoggedRequest>& log,
                            const std::vector<std::optional<std::int64_t>>& sizes,
                            double block_bytes);

/// The same scenario with more of something, one by one; `answer` is its own.
std::vector<WhatIf> what_ifs_of(const Document& document, const Answer& answer);

}  // namespace gpufeed::serving
