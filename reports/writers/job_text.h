// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/model/result/result.h"

/// What of a training job the screen and the report tell in the same words; texts are empty where
/// the job has none.
namespace gpufeed {

/// Of all groups.
std::int64_t gpus_of(const Result& result);

/// "665,300 a second, 5,198 per GPU".
std::string token_rate_text(const Result& result);

/// That samples have other lengths than the model takes, on which its tokens a second rest; null
/// where they do not.
const Warning* other_length(const Result& result);

/// A line of the answer: its label, and what it says.
using TextRow = std::pair<std::string_view, std::string>;

/// What there is of: the way of gradients with their bytes and time (where they leave the machine,
/// or nobody waits for them); of a model given by its architecture how it is split, what its step
/// goes to, what of its exchange nothing hides, what a
/// trillion tokens take, and what its GPUs hold; the checkpoints' number, size and cost.
std::vector<TextRow> training_rows(const Result& result);

}  // namespace gpufeed
