// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/serving/engine.h"

namespace gpufeed::serving {
namespace {

std::vector<std::map<std::string, std::string>> stages() {
  std::ifstream file(kRoot / "tests/serving/data/vllm_h100.csv");
  std::string line;
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> out;
  while (std::getline(file, line)) {
    const std::size_t quoted = line.rfind('"');
    std::istringstream fields(quoted == std::string::npos ? line : "-" + line.substr(quoted + 1));
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    if (names.empty()) {
      names = row;
      continue;
    }
    auto& stage = out.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) stage[names[i]] = row[i];
  }
  return out;
}

}  // namespace

TEST_CASE("20 measured stages of four models come out within 5 % end to end, 12 % to the first") {
  double e2e = 0, itl = 0, ttft = 0, count = 0;
  for (auto& stage : stages()) {
    if (stage["workload"] == "reasoning") continue;  // overloaded: requests failed
    const double answer = std::stod(stage["out"]);
    const Document document = engine_of(file_of(
        stage["model"],
        std::string(kH100) +
            fmt::format("tensor = {}\ntoken_budget = {}", stage["tp"], stage["budget"]),
        fmt::format("rate = '{} requests/s'\ncount = {}\nprompt = {}\nanswer = {}\nprompts = 100\n"
                    "shared = {}",
                    stage["rate"], 2000, stage["prompt"], stage["out"], stage["sysp"])));
    const Answer told = one_draw(document);
    const double e2e_s = std::stod(stage["e2e_mean"]) / 1000;
    const double ttft_s = std::stod(stage["ttft_mean"]) / 1000;
    const double itl_s = (e2e_s - ttft_s) / (answer - 1);
    const double off = told.e2e_s.mean / e2e_s - 1;
    CAPTURE(stage["exp"]);
    CAPTURE(stage["stage"]);
    CHECK(std::abs(off) < 0.15);
    e2e += std::abs(off);
    itl += std::abs(told.itl_s.mean / itl_s - 1);
    ttft += std::abs(told.ttft_s.mean / ttft_s - 1);
    ++count;
  }
  CHECK(count == 20);
  MESSAGE(
      fmt::format("E2E {:.4f}, ITL {:.4f}, TTFT {:.4f}", e2e / count, itl / count, ttft / count));
  CHECK(e2e / count <= 0.05);
  CHECK(itl / count <= 0.05);
  CHECK(ttft / count <= 0.12);
}

}  // namespace gpufeed::serving
