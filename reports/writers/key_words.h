// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/base/key_path.h"
#include "sim/base/units.h"
#include "sim/model/fields/default_value.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed {

/// What buyers call a key of a scenario, or a figure of a result: "loader.workers_per_gpu" is
/// "workers per GPU", "checkpoint.interval_steps" "checkpoint: interval steps",
/// "job_gpu_utilization" "GPU utilization". What is no key stays as it is.
std::string key_in_words(const KeyPath& key);
std::string key_in_words(std::string_view key);

/// The same of a figure that is no key of a result, without the unit that its name ends in.
/// \param units  those of its values; null: none
std::string figure_in_words(std::string_view name, const UnitTable* units);

/// With a capital letter.
std::string as_title(std::string words);
std::string key_as_title(std::string_view key);

/// "GPU utilization ≥ 90 %", of a condition on a result as a goal's file has it:
/// "job_gpu_utilization >= 90 %".
std::string condition_in_words(std::string_view condition);

/// "GPUs 2 x nvidia-l4", of a key and its value as TOML writes it.
std::string setting_in_words(std::string_view key, std::string_view value);

/// A key's value: without quotes, and a table of simple values key by key, "GPUs that share a
/// matrix 4, stages of the pipeline 2" of `parallel = { tensor = 4, pipeline = 2 }`.
std::string value_in_words(std::string_view key, std::string_view value);

/// "2 x NVIDIA L4" of "2 x nvidia-l4". \param titles  of products, by their names
std::string products_by_title(const std::string& value,
                              const std::map<std::string, std::string>& titles);

/// On what default an answer rests, and what it were with another value; without the option.
std::string in_plain_words(const DecidingDefault& one);

/// The answer to a goal with what its choices take, its constraints and what is in the way in
/// words; paths of keys stay for the options.
Recommendation in_plain_words(Recommendation one);

}  // namespace gpufeed
