// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/result/result.h"

/// What of a training job the screen and the report tell in the same words; texts are empty where
/// the job has none.
namespace gpufeed {

/// Of all groups.
std::int64_t gpus_of(const Result& result);

/// "665,300 a second, 5,198 per GPU".
std::string token_rate_text(const Result& result);

/// How many, how large, what each costs, and how long going back to one takes.
std::string checkpoints_text(const Result& result);

/// The way gradients take, their bytes and time; empty too where they stay in one machine whose
/// GPUs wait for one another.
std::string exchange_text(const Result& result);

/// Of a model given by its architecture: how it is split, what its step goes to, what GPUs hold.
std::string layout_text(const Result& result);
std::string step_parts_text(const Result& result);
std::string gpu_memory_text(const Result& result);

}  // namespace gpufeed
