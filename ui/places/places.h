// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/load/read/catalog.h"

namespace gpufeed {

/// From here on, what came with the program is looked for there first: for programs of others that
/// are linked to it.
void use_data_folder(std::filesystem::path folder);

/// The folders of `--catalog`, then the user's own, then those that came with the program; with the
/// prices of `--prices`.
/// \throws InputError  where a folder of `--catalog` is none of kinds of entries, or the prices are
/// wrong
Catalog catalog_with(const std::vector<std::string>& folders,
                     const std::optional<std::string>& prices = {});

/// Whether it lies in a catalog that came with the program: nobody's own to change.
bool came_with_program(const std::filesystem::path& file);

/// Names of what lies in `folder` and is `wanted`, sorted; none where it cannot be listed.
Names names_in(const std::filesystem::path& folder,
               const std::function<bool(const std::filesystem::path&)>& wanted);

/// Where the window keeps what it remembers; empty where no home is known.
std::filesystem::path state_folder();

/// The examples that came with the program; may be missing.
std::filesystem::path examples_folder();

/// The measurements that came with the program; may be missing.
std::filesystem::path validation_folder();

/// What the words on the screen mean; may be missing.
std::filesystem::path glossary_file();

}  // namespace gpufeed
