// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/setting_rows.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace gpufeed::ui {
namespace {

const std::string kText =
    "title = \"7\"\nnodes = 2\n[workload]\nmodel = \"resnet-50\"\n[fabric]\nlatency = \"3 us\"\n"
    "[store.nas]\nmodel = \"x\"\n";

SettingRow row_of(const std::string& path, const std::string& text = kText) {
  const auto rows = setting_rows(text);
  const auto found = std::ranges::find(rows, path, &SettingRow::path);
  REQUIRE(found != rows.end());
  return *found;
}

}  // namespace

TEST_CASE("every key has a row with what the text says, as it can be typed in") {
  CHECK(row_of("nodes").value == "2");
  CHECK(row_of("workload.model").value == "resnet-50");
  CHECK(row_of("fabric.latency").value == "3 us");
  CHECK(row_of("title").value == "\"7\"");  // 7 would be a number
  CHECK(row_of("loader.workers_per_gpu").value.empty());
  CHECK(row_of("loader.workers_per_gpu").standard.starts_with("8"));
  CHECK(row_of("store").in_tables);
  CHECK(row_of("nodes", "nodes = [").value.empty());
}

TEST_CASE("the workload's keys are those of its kind") {
  const auto has = [](const std::string& text, const std::string& path) {
    const auto rows = setting_rows(text);
    return std::ranges::count(rows, path, &SettingRow::path) == 1;
  };
  CHECK(has(kText, "workload.batch_per_gpu"));
  CHECK(!has("workload = { kind = \"io\" }\n", "workload.batch_per_gpu"));
}

TEST_CASE("rows are found by words, problems by their key") {
  const auto rows = setting_rows(kText);
  const auto found = found_in(rows, "Fabric LATENCY");
  REQUIRE(found.size() == 1);
  CHECK(found.front()->path == "fabric.latency");
  Problem wrong{{"x.toml", 2, 9}};
  wrong.code = ProblemCode::out_of_range;
  wrong.subject = "nodes";
  wrong.expected = "a whole number from 1 to 4096";
  wrong.found = "5000";
  CHECK(problem_of("nodes", {wrong}) ==
        "Machines must be a whole number from 1 to 4096; found 5000");
  CHECK(problem_of("node", {wrong}).empty());
}

}  // namespace gpufeed::ui
