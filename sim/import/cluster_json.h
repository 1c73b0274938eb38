// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/model/cluster/document.h"

namespace gpufeed {

/// A cluster with its jobs that JSON describes.
struct ImportedCluster {
  cluster::Document document;
  Names not_modeled;  ///< keys of the file that gpufeed does not know
};

/// Takes an object with `nodes`, `stores`, `jobs`, `failures`, `users`, and `policy` or, by name,
/// `policies`; keys are those of the tables of a cluster's file, numbers seconds, bytes and bytes
/// per second, null as if left out. A policy that does not say so is fifo, without backfill, and
/// puts jobs first.
/// \throws InputError  with every problem found, by the place in the JSON
ImportedCluster parse_cluster_json(std::string_view text, const std::string& name);
ImportedCluster load_cluster_json(const std::filesystem::path& file);

}  // namespace gpufeed
