// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_memory.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "calib/fit/raw_fit.h"
#include "sim/load/study/parameters.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// Made up: what a drive of 2 GB/s, 90 us and 50 kIOPS would have given.
std::string made_raw(const std::string& copies) {
  return fmt::format(R"({{"gpufeed_raw": 1, "version": "0", "time": "2026-01-01T00:00:00Z",
    "machine": "made up", "tools": "none", "drive": "vda", "fio": [], "copies": [{}],
    "cached_reads_Bps": [4.0e9, 4.1e9, 4.2e9]}})",
                     copies);
}

}  // namespace

TEST_CASE("the page cache: what cores spend on filling it and on throwing pages out") {
  // Made up: copies of 0.1 ns a byte, into batches of 0.125 ns, filling of 0.3 ns, throwing out of
  // 0.5 ns; a set of 1 GB of which 40 % are missed.
  const double cached = 1e8 * 0.1e-9;
  const double epoch = 1e9 * (0.1e-9 + 0.4 * (0.3e-9 + 0.5e-9));
  std::string filling;
  std::string epochs = R"({"epoch": 0, "fetched": 1, "s": 1, "core_s": 99})";
  for (const double noise : {0.99, 1.0, 1.01}) {
    filling += fmt::format(
        R"({}{{"read_B": 1e8, "missed_core_s": {}, "cached_core_s": {}, "again_core_s": {}}})",
        filling.empty() ? "" : ",", cached + noise * 1e8 * 0.3e-9, cached, 1e8 * 0.125e-9);
    epochs += fmt::format(R"(,{{"epoch": 1, "fetched": 0.4, "s": 1, "core_s": {}}})", epoch);
  }
  const Calibration found =
      fit_raw(R"({"gpufeed_raw": 1, "filling": [)" + filling +
                  R"(], "page_cache_share": 0.5, "page_cache_files_B": 1e9, "page_cache": [)" +
                  epochs + "]}",
              "raw", "none");
  const TemporaryFolder folder;
  const auto file = load_parameters(folder.write("params.toml", found.parameters));
  REQUIRE(file.parameters.size() == 3);
  CHECK(file.parameters[0].path == "system.socket[*].model.core_copy_bandwidth");
  CHECK(file.parameters[0].value == "8 GB/s");
  CHECK(file.parameters[1].path == "system.socket[*].model.cache_fill_bandwidth");
  CHECK(file.parameters[1].value == "3.333 GB/s");
  CHECK(file.parameters[2].path == "system.socket[*].model.cache_evict_bandwidth");
  CHECK(file.parameters[2].value == "2 GB/s");
}

TEST_CASE("the page cache's filling is refused where missed files take hardly longer") {
  const auto found = [](double longer) {  // than cached ones, which take a second
    std::string filling;
    for (const double noise : {0.0, 0.01, -0.01})
      filling += fmt::format(
          R"({}{{"read_B": 5e9, "missed_core_s": {}, "cached_core_s": 1, "again_core_s": 1}})",
          filling.empty() ? "" : ",", 1 + longer + noise);
    return fit_raw(R"({"gpufeed_raw": 1, "filling": [)" + filling + "]}", "raw", "none");
  };
  CHECK(found(0.02).refused ==
        std::vector<std::string>{
            "system.socket[*].model.cache_fill_bandwidth: missed files took 2.0 % longer than "
            "cached ones, which may be chance, or lie in memory both"});
  CHECK(found(0.5).refused.empty());
}

TEST_CASE("the page cache: bytes from storage are told, and why they may be more than there are") {
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "page_cache_share": 0.5, "page_cache_files_B": 2e8, "page_cache": [
      {"epoch": 0, "fetched": 1.016, "s": 1}, {"epoch": 1, "fetched": 0.5, "s": 1}]})",
      "raw", "none");
  CHECK(found.told == std::vector<std::string>{
                          "page cache with room for 50 %: epoch 1 read 203.2 MB of 200 MB from "
                          "storage, with metadata and what was read ahead more than once",
                          "page cache with room for 50 %: epoch 2 read 100 MB of 200 MB from "
                          "storage"});
}

TEST_CASE("repeated measurements give their middle and its deviation; single ones are refused") {
  const std::string thrice =
      R"({"node": 0, "threads": 2, "traffic_Bps": 19e9}, {"node": 0, "threads": 2,
      "traffic_Bps": 20e9}, {"node": 0, "threads": 2, "traffic_Bps": 21e9},
      {"node": 0, "threads": 1, "traffic_Bps": 12e9})";
  const TemporaryFolder folder;
  const Calibration found = fit_raw(made_raw(thrice), "raw", "none");
  const auto file = load_parameters(folder.write("params.toml", found.parameters));
  REQUIRE(file.parameters.size() == 3);
  CHECK(file.parameters[0].path == "system.socket[cpu0].model.memory_bandwidth");
  CHECK(file.parameters[0].value == "20 GB/s");
  // 5 % off twice: sqrt((0.05^2 + 0.05^2) / 2 / 3)
  CHECK(file.parameters[0].deviation.value == doctest::Approx(0.0289).epsilon(0.02));
  CHECK(file.parameters[2].value == "4.1 GB/s");
  const Calibration single =
      fit_raw(made_raw(R"({"node": 0, "threads": 1, "traffic_Bps": 12e9})"), "raw", "none");
  CHECK(single.refused ==
        std::vector<std::string>{"system.socket[cpu0].model.memory_bandwidth: measured less than "
                                 "three times"});
}

TEST_CASE(
    "pages of a full cache: how many lie apart, of epochs after the first, where it was told") {
  const auto epoch = [](int number, double apart) {
    return fmt::format(
        R"({{"job": 0, "epoch": {}, "fetched": 0.8, "s": 1, "core_s": 0.1, "pages_apart": {}}})",
        number, apart);
  };
  const auto fit = [&](double first, double a, double b, double c) {
    return fit_raw(
               R"({"gpufeed_raw": 1, "page_cache_share": 0.5, "page_cache_files_B": 1e8, "page_cache": [)" +
                   epoch(0, first) + "," + epoch(1, a) + "," + epoch(2, b) + "," + epoch(3, c) +
                   "]}",
               "raw", "none")
        .parameters;
  };
  CHECK(fit(0.9, 0.22, 0.24, 0.26).find("path = \"system.pages_apart\"\nvalue = \"24 %\"") !=
        std::string::npos);
  CHECK(fit(-1, -1, -1, -1).find("pages_apart") == std::string::npos);  // told to root alone
}
