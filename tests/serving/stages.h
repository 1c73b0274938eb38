// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/serving/engine.h"

// Published stages of vLLM 0.15 on H100, as tests/serving/data has them.
namespace gpufeed::serving {

struct Stage {
  std::map<std::string, std::string> said;  ///< by the names of the columns
  double e2e_s = 0, ttft_s = 0, itl_s = 0;  ///< means
};

/// Those in which no request failed.
inline std::vector<Stage> measured_stages() {
  std::ifstream file(kRoot / "tests/serving/data/vllm_h100.csv");
  std::string line;
  std::vector<std::string> names;
  std::vector<Stage> out;
  while (std::getline(file, line)) {
    const std::size_t quoted = line.rfind('"');
    std::istringstream fields(quoted == std::string::npos ? line : "-" + line.substr(quoted + 1));
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    if (names.empty()) {
      names = row;
      continue;
    }
    Stage stage;
    for (std::size_t i = 0; i < names.size(); ++i) stage.said[names[i]] = row[i];
    if (stage.said["workload"] == "reasoning") continue;  // overloaded: requests failed
    stage.e2e_s = std::stod(stage.said["e2e_mean"]) / 1000;
    stage.ttft_s = std::stod(stage.said["ttft_mean"]) / 1000;
    stage.itl_s = (stage.e2e_s - stage.ttft_s) / (std::stod(stage.said["out"]) - 1);
    out.push_back(std::move(stage));
  }
  return out;
}

inline Document document_of(Stage stage) {
  auto& said = stage.said;
  return engine_of(
      file_of(said["model"],
              std::string(kH100) +
                  fmt::format("tensor = {}\ntoken_budget = {}", said["tp"], said["budget"]),
              fmt::format("rate = '{} requests/s'\ncount = {}\nprompt = {}\nanswer = {}\n"
                          "prompts = 100\nshared = {}",
                          said["rate"], 2000, said["prompt"], said["out"], said["sysp"])));
}

}  // namespace gpufeed::serving
