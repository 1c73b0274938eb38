// SPDX-License-Identifier: Apache-2.0
// Clusters with the one right answer under each scheduler, which another program worked out.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/cluster/answer.h"
#include "sim/import/cluster_json.h"
#include "sim/load/cluster/document.h"
#include "tests/support/catalog.h"

using namespace gpufeed;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

Json json_of(const fs::path& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

/// The whole way that a user's JSON goes: a file of the project's form, and that read again.
cluster::Document through_toml(const Json& json) {
  const ImportedCluster made = parse_cluster_json(json.dump(), "a.json");
  return parse_cluster(to_toml(made.document), "a.toml", own_catalog());
}

bool same(double one, double other) {
  return std::abs(one - other) <= 1e-9 * std::abs(other) + 1e-6;
}

void check_totals(const cluster::Answer& answer, const Json& expected) {
  cluster::Totals::fields([&](const auto& field) {
    const auto got = static_cast<double>(answer.totals.*field.member);
    CHECK_MESSAGE(same(got, expected.at(std::string(field.name))), answer.name, ": ", field.name,
                  " is ", got);
  });
}

}  // namespace

TEST_CASE("every scheduler's answer is the right one, to the last start and end") {
  int policies = 0;
  for (const auto& entry : fs::directory_iterator(GPUFEED_SOURCE_DIR "/tests/cluster/scenarios")) {
    CAPTURE(entry.path().string());
    Json json = json_of(entry.path());
    const Json expected = json["expected"];
    json.erase("expected");
    cluster::Document document = through_toml(json);
    document.cluster.repeats = 0;
    for (const auto& [name, right] : expected.items()) {
      ++policies;
      const cluster::Answer answer = cluster::answer_of(document, name);
      check_totals(answer, right["totals"]);
      if (!right.contains("jobs")) continue;
      for (std::size_t i = 0; i < answer.jobs.size(); ++i) {
        CHECK(same(*answer.jobs[i].start_s, right["jobs"][i][0]));
        CHECK(same(*answer.jobs[i].end_s, right["jobs"][i][1]));
      }
    }
  }
  CHECK(policies == 31);
}

TEST_CASE("a thousand jobs on a thousand GPUs come out as elsewhere") {
  const fs::path root = GPUFEED_SOURCE_DIR "/../shared/reference/cluster_scenarios";
  if (!exists(root)) {
    MESSAGE("skipped: there is no ", root.string());
    return;
  }
  cluster::Document document = through_toml(json_of(root / "scenarios/big_1000.json"));
  document.cluster.repeats = 0;
  check_totals(cluster::answer_of(document), json_of(root / "expected/big_1000.json")["totals"]);
}
