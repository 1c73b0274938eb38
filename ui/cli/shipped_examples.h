// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "sim/base/nearest.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

bool is_toml(const std::filesystem::path& path);

/// The folders of the examples that came with the program: "01_local_or_shared".
Names example_names();

/// The one of `known` that is `wanted`, as it is or with .toml behind it, or the only one that
/// begins with it. \throws UsageError
std::string choose(const std::string& wanted, const Names& known, const std::string& what,
                   const Options& options);

/// The example that `wanted` is the name or number of, or how its name begins. \throws UsageError
std::string choose_example(const std::string& wanted, const Options& options);

}  // namespace gpufeed::cli
