// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gpufeed {

/// What buyers call a key of a scenario, or a figure of a result: "loader.workers_per_gpu" is
/// "workers per GPU", "checkpoint.interval_steps" "checkpoint: interval steps",
/// "job_gpu_utilization" "GPU utilization". What is no key stays as it is.
std::string key_in_words(std::string_view key);

/// The same with a capital letter.
std::string key_as_title(std::string_view key);

/// "GPU utilization ≥ 90 %", of a condition on a result as a goal's file has it:
/// "job_gpu_utilization >= 90 %".
std::string condition_in_words(std::string_view condition);

/// "GPUs 2 x nvidia-l4", of a key and its value as TOML writes it.
std::string setting_in_words(std::string_view key, std::string_view value);

}  // namespace gpufeed
