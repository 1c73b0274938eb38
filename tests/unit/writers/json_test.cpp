// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "sim/base/diagnostics.h"
#include "tests/support/refusals.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

namespace {

std::string error_of(const std::string& json) {
  return refusal_of([&] { result_from_json(json); });
}

/// The JSON of a sample with the first `from` replaced by `to`.
std::string changed(const std::string& from, const std::string& to) {
  std::string json = to_json(sample_result());
  return json.replace(json.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a result reads back from its JSON exactly, infinity and awkward numbers included") {
  Result result = sample_result();
  result.step_s = 0.1 + 0.2;
  result.epoch_s = 5e-324;
  result.seed = INT64_MAX;
  result.title = "quotes \" and \\ and \x1B and \xE2\x82\xAC";
  const std::string json = to_json(result);
  const Result back = result_from_json(json);
  CHECK(to_json(back) == json);
  CHECK(back.step_s == 0.1 + 0.2);
  CHECK(back.epoch_s == 5e-324);
  CHECK(back.seed == INT64_MAX);
  CHECK(back.title == result.title);
  CHECK(std::isinf(back.stages.at(1).capacity_samples_per_s));
  CHECK(back.timeline.at(0).gpus.at(0).intervals.at(1).end_s == 0.7320000000000001);
}

TEST_CASE("the JSON of an empty result is every key in order, with two spaces a level") {
  CHECK(to_json(Result{}) == R"({
  "schema_version": 1,
  "title": "",
  "kind": "training",
  "engine": "",
  "seed": 0,
  "version": "",
  "scenario": "",
  "system": "",
  "nodes": 1,
  "workload": "",
  "storage": "",
  "job_samples_per_s": 0.0,
  "job_gpu_utilization": 0.0,
  "job_samples": 0,
  "job_tokens_per_s": null,
  "first_epoch_samples_per_s": 0.0,
  "later_epochs_samples_per_s": null,
  "throughput_samples_per_s": 0.0,
  "tokens_per_s": null,
  "steady_samples_per_s": null,
  "accelerator_utilization": 0.0,
  "step_s": 0.0,
  "epoch_s": 0.0,
  "first_epoch_s": 0.0,
  "staging": "",
  "staging_s": 0.0,
  "index_s": 0.0,
  "training_s": 0.0,
  "time_to_first_result_s": 0.0,
  "time_to_result_s": 0.0,
  "time_to_target_s": null,
  "bytes_per_gpu_second": 0.0,
  "storage_limit_bytes_per_gpu_second": 0.0,
  "storage_limit_first_epoch_bytes_per_gpu_second": 0.0,
  "storage_demand": null,
  "benchmark": null,
  "cache": {
    "memory_B": 0.0,
    "share_of_data": 0.0,
    "hit_rate": 0.0,
    "read_first_epoch_B": 0.0,
    "read_later_epoch_B": 0.0,
    "hit_rate_second_epoch": 0.0,
    "hit_rate_last_epoch": 0.0
  },
  "drive_cache": null,
  "checkpoint": null,
  "failures": null,
  "gpus": [],
  "exchange": null,
  "transformer": null,
  "stages": [],
  "io": [],
  "replay": null,
  "transfers": [],
  "copies": [],
  "collectives": [],
  "products": [],
  "checkpointing": null,
  "pipeline": null,
  "serving": null,
  "rented": false,
  "price_USD": null,
  "oldest_price_year": null,
  "newest_price_year": null,
  "without_price": "",
  "power_W": null,
  "without_power": "",
  "removed_power": "",
  "bill": [],
  "stores_of_servers": [],
  "running_cost": null,
  "resources": [],
  "bottleneck": {
    "resource": "",
    "why": "",
    "next": "",
    "distance": 0.0,
    "next_limited_by": "",
    "limiter": null,
    "evidence": [],
    "next_limiter": null,
    "next_limit": null
  },
  "bound": {
    "samples_per_s": 0.0,
    "cut": [],
    "limits": []
  },
  "topology": {
    "nodes": [],
    "edges": []
  },
  "timeline": [],
  "simulated": {
    "steps": 0,
    "extrapolated_steps": 0,
    "runs": 1,
    "step_rate_uncertainty": 0.0,
    "run_uncertainty": 0.0,
    "store_shares": false,
    "folded": {
      "simulated_nodes": 1,
      "why": ""
    }
  },
  "range": null,
  "prediction_intervals": [],
  "no_interval": null,
  "steps": [],
  "defaults": [],
  "default_values": [],
  "deciding_defaults": [],
  "assumptions": [],
  "assumption_codes": [],
  "estimates": [],
  "calibrated": [],
  "warnings": [],
  "warning_codes": []
}
)");
}

TEST_CASE("an unlimited stage has the capacity null") {
  CHECK(to_json(sample_result())
            .find("\"name\": \"network\",\n"
                  "      \"capacity_samples_per_s\": null,\n") != std::string::npos);
}

TEST_CASE("what GPUs decode themselves has a share of its own") {
  CHECK(to_json(sample_result())
            .find("      \"group\": \"gpu6, gpu7\",\n"
                  "      \"count\": 2,\n"
                  "      \"share\": {\n"
                  "        \"compute\": 0.8,\n"
                  "        \"gpu_decode\": 0.0,\n"
                  "        \"storage\": 0.15,\n"
                  "        \"decode\": 0.02,\n"
                  "        \"copy\": 0.01,\n"
                  "        \"exchange\": 0.01,\n"
                  "        \"barrier\": 0.01,\n"
                  "        \"checkpoint\": 0.0\n"
                  "      },\n") != std::string::npos);
}

TEST_CASE("several results are one array") {
  CHECK(to_json(std::vector<Result>{}) == "[]\n");
  const std::string two = to_json(std::vector<Result>(2));
  CHECK(two.starts_with("[\n  {\n    \"schema_version\": 1,\n"));
  CHECK(two.ends_with("  }\n]\n"));
}

TEST_CASE("a JSON text that is no result says every problem by its place") {
  CHECK(error_of("{") == "result: error: it is no JSON\n");
  CHECK(error_of("[]") == "result: error: it must be an object; found array\n");
  CHECK(error_of(changed("\"step_s\": 0.36845", "\"stepps\": 0.36845")) ==
        "result: error: step_s is missing\n"
        "result: error: unknown key \"stepps\"; did you mean \"step_s\"?\n");
  CHECK(error_of(changed("\"decode\": 0.02", "\"decode\": \"0.02\"")) ==
        "result: error: gpus[1].share.decode must be a number or null; found string\n");
  CHECK(error_of(changed("\"seed\": 7", "\"seed\": 18446744073709551615")) ==
        "result: error: seed must be a whole number; found number\n");
  CHECK(error_of(changed("\"schema_version\": 1", "\"schema_version\": 2")) ==
        "result: error: schema_version is 2; this gpufeed reads 1\n");
}
