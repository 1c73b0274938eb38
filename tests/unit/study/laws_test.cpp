// SPDX-License-Identifier: Apache-2.0
// What is fitted: each law stands in physics.md, has two constants at most, which stand in the
// catalog, and no case that counts in a score sets one of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "reports/study/validate.h"
#include "sim/load/study/validation.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = GPUFEED_SOURCE_DIR;
const fs::path kFolder = kRoot / "tests/validation";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

Bars bars() { return load_bars(kFolder / "bars.toml", own_catalog()); }

/// "overlap" of "exchange.overlap".
const std::string& key_of(const KeyPath& path) { return path.steps.back().key; }

std::set<std::string> fitted_keys() {
  std::set<std::string> keys;
  for (const auto& law : bars().laws)
    for (const auto& constant : law.constants) keys.insert(key_of(constant.path));
  return keys;
}

/// Keys among these that a text of TOML sets, in tables of their own or within others; those of a
/// whole product, which a scenario describes with its source, are another matter.
std::set<std::string> keys_set_in(const std::string& text, const std::set<std::string>& keys) {
  std::set<std::string> found;
  for (const auto& key : keys)
    if (std::regex_search(text, std::regex("(^|[\n{,])[ ]*" + key + " *="))) found.insert(key);
  return found;
}

/// n of "..., 1024 times a step"; 1: gradients travel after every batch.
std::string batches_of_step(const std::string& title) {
  std::smatch match;
  return std::regex_search(title, match, std::regex(" ([0-9]+) times a step")) ? match[1].str()
                                                                               : "1";
}

bool counts(const Validation& file, const ValidationCase& one) {
  return std::ranges::any_of(one.measured, [&](const MeasuredRow& row) {
    return row.role.value_or(one.role.value_or(file.role)) == CaseRole::predict;
  });
}

}  // namespace

TEST_CASE("every fitted law has a line in physics.md, with its constants and a section") {
  const std::string physics = text_of(kRoot / "sim/physics.md");
  const auto laws = bars().laws;
  REQUIRE(laws.size() == 11);
  for (const auto& law : laws) {
    CAPTURE(law.name);
    CHECK(law.constants.size() >= 1);
    CHECK(law.constants.size() <= 2);
    const auto at = physics.find("\n| " + law.name + " | ");
    REQUIRE(at != std::string::npos);
    const std::string line = physics.substr(at + 1, physics.find('\n', at + 1) - at - 1);
    for (const auto& constant : law.constants)
      CHECK(line.find("`" + key_of(constant.path) + "`") != std::string::npos);
    const auto last = line.rfind(" | ");
    const std::string section = line.substr(last + 3, line.size() - last - 5);
    CHECK(physics.find("\n## " + section + "\n") != std::string::npos);
  }
}

TEST_CASE("every fitted constant stands in an entry of the catalog") {
  for (const auto& key : fitted_keys()) {
    bool found = false;
    for (const char* folder : {"hw_catalog", "workloads"})
      for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
        if (!found && entry.path().extension() == ".toml")
          found = text_of(entry.path()).find("\n" + key + " = ") != std::string::npos;
    CAPTURE(key);
    CHECK(found);
  }
}

TEST_CASE("no case that counts in a score sets a fitted constant") {
  const auto keys = fitted_keys();
  std::size_t counted = 0, accumulated = 0;
  for (const auto& path : case_files(kFolder)) {
    const Validation file = load_validation(path, own_catalog());
    for (const auto& one : file.cases) {
      if (!counts(file, one)) continue;
      ++counted;
      CAPTURE(path.filename().string());
      CAPTURE(one.title);
      for (const auto& set : one.set) {
        const std::string key = key_of(own_path(set.substr(0, end_of_path(set))));
        // Bulk-synchronous sums, by their definition, begin when all is computed.
        if (key == "overlap" && one.title.find("BSP-A2A") != std::string::npos) {
          CHECK(set == "exchange.overlap=0 %");
          continue;
        }
        CHECK(!keys.contains(key));
        if (key != "accumulate") continue;
        CHECK(set == fmt::format("workload.accumulate={}", batches_of_step(one.title)));
        ++accumulated;
      }
      const auto& named = one.scenario.path.empty() ? file.scenario.path : one.scenario.path;
      const std::string text = text_of(
          file.has_own_scenario && one.scenario.path.empty() ? path : path.parent_path() / named);
      CHECK(keys_set_in(text, keys) == std::set<std::string>{});
    }
  }
  CHECK(counted > 600);
  CHECK(accumulated == 19);
  CHECK(keys_set_in("a = 1\n overlap = \"3 %\"\nb = { clock = 2, own_part=3 }", keys) ==
        std::set<std::string>{"clock", "overlap", "own_part"});
}
