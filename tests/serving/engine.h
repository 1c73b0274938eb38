// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "sim/load/serving/document.h"
#include "sim/serving/answer.h"
#include "sim/serving/make_case.h"

// What tests of serving build their engines from.
namespace gpufeed::serving {

inline const std::filesystem::path kRoot = GPUFEED_SOURCE_DIR;

inline Document engine_of(const std::string& text) {
  static const Catalog catalog{{kRoot / "hw_catalog", kRoot / "workloads"}};
  return parse_serving(text, "serving.toml", catalog);
}

/// A file of these lines: under [workload], [serving], [serving.requests], then tables.
inline std::string file_of(const std::string& model, const std::string& serving,
                           const std::string& requests, const std::string& tables = "") {
  return "[workload]\nkind = 'serving'\nmodel = '" + model + "'\n[serving]\n" + serving +
         "\n[serving.requests]\n" + requests + "\n" + tables;
}

inline constexpr const char* kH100 = "gpu = 'nvidia-h100-sxm5-80gb'\n";

}  // namespace gpufeed::serving
