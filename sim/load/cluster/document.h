// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/cluster/document.h"

namespace gpufeed {

/// Reads a cluster with its jobs, those of its log included, and checks that it holds together.
/// \throws InputError  with every problem found, those of the log by their lines
cluster::Document load_cluster(const std::filesystem::path& file, const Catalog& catalog,
                               const std::vector<Override>& overrides = {});
/// The same from text; `name` stands for the file in messages, and paths are relative to it.
cluster::Document parse_cluster(std::string_view text, const std::string& name,
                                const Catalog& catalog,
                                const std::vector<Override>& overrides = {});

/// The document as a file: what is at its default is left out, and jobs are rows. Of what is known
/// by numbers alone, as imports are: streams are not written.
std::string to_toml(const cluster::Document& document);

}  // namespace gpufeed
