// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed::serving {

/// What is simulated beside what the file says.
enum class Repeats { none, ranges, where_short, all };

/// What the engine does with what is asked; with outcomes of equal chance (outcomes.h), of which
/// its ranges and chances are, and with more of something, one by one. \param repeats  none:
/// neither; ranges: outcomes, without what-ifs; where_short: both, of runs that take little; of
/// others the two that ranges end at (ends_of) \throws InputError  where the weights, or all
/// requests, do not fit the GPUs
Answer answer_of(const Document& document, Repeats repeats = Repeats::where_short);

/// How far all that takes time may be off, measured over predicted.
struct Errors {
  double whole = 1;  ///< of steps, tiers and the interface
  double first = 1;  ///< of the time to the first token, beside that
};

/// What it does with the requests of this seed alone, without ranges and what-ifs.
Answer one_draw(const Document& document, const Errors& errors = {});

/// Leading blocks of a log's prompts that caches of some sizes would find, each LRU, touched from
/// the last block of a prompt to the first; all blocks named by the log count.
std::vector<Reuse> reuse_of(const std::vector<LoggedRequest>& log,
                            const std::vector<std::optional<std::int64_t>>& sizes,
                            double block_bytes);

/// The same scenario with more of something, one by one; `answer` is its own.
std::vector<WhatIf> what_ifs_of(const Document& document, const Answer& answer);

}  // namespace gpufeed::serving
