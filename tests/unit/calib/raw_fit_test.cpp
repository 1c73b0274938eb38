// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_fit.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/load/study/parameters.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

TEST_CASE("what is no file of raw measurements, or of parameters, is refused") {
  CHECK(refusal_of([] { fit_raw("{}", "raw.json", ""); }) ==
        "raw.json: error: this is no file of raw measurements of gpufeed calibrate\n");
  CHECK(refusal_of([] {
          fit_raw(R"({"gpufeed_raw": 1, "copies": [{"node": 0}]})", "raw.json", "");
        }) == "raw.json: error: a measurement is damaged: key 'threads' not found\n");
  const TemporaryFolder folder;
  const auto file = folder.write("p.toml", "title = \"a\"\nsource = \"b\"\ncatalog = \"gone\"\n");
  CHECK(refusal_of([&] { load_parameters(file); }).find("catalog: there is no folder") !=
        std::string::npos);
}

TEST_CASE("raw measurements of another form, or with values that cannot be, are refused") {
  const auto refused = [](const std::string& text) {
    return refusal_of([&] { fit_raw(text, "raw.json", ""); });
  };
  CHECK(refused(R"({"gpufeed_raw": 2})") ==
        "raw.json: error: gpufeed_raw is 2; this version reads files of form 1\n");
  CHECK(refused(R"({"gpufeed_raw": "x"})") ==
        "raw.json: error: gpufeed_raw is \"x\"; this version reads files of form 1\n");
  // Below zero, in GB/s instead of B/s, and a time in ms instead of s.
  CHECK(refused(R"({"gpufeed_raw": 1, "copies": [{"node": 0, "threads": 1, "traffic_Bps": -2e10}],
                    "cached_reads_Bps": [7.3],
                    "decode": [{"codec": "jpeg", "sample_s": 0.25, "sample_wall_s": 0.0005},
                               {"codec": "jpeg", "stored_B": -1}]})") ==
        "raw.json: error: cached_reads_Bps[0] must be from 100 kB/s to 1 PB/s, in bytes a second; "
        "found 7.3\n"
        "raw.json: error: copies[0].traffic_Bps must be from 100 kB/s to 1 PB/s, in bytes a "
        "second; found -20000000000\n"
        "raw.json: error: decode[0]: a core took 0.25 s for a sample, and the clock 0.0005 s; it "
        "cannot take longer\n"
        "raw.json: error: decode[1].stored_B must be 0 at least; found -1\n");
  // A step of no time would be an endless rate.
  CHECK(refused(R"({"gpufeed_raw": 1,
                    "gpu": {"copies": [{"gpu": 0, "bytes": 4096, "s": "0.1"}]},
                    "training": {"steps": [{"batch": 0, "s": 1}, {"batch": 8, "s": 0}]}})") ==
        "raw.json: error: gpu.copies[0].s must be a number above 0; found \"0.1\"\n"
        "raw.json: error: training.steps[0].batch must be a number above 0; found 0\n"
        "raw.json: error: training.steps[1].s must be a number above 0; found 0\n");
}

TEST_CASE("a tool that two probes used is named once") {
  const std::string found =
      fit_raw(
          R"({"gpufeed_raw": 1, "version": "1", "time": "t", "machine": "m", "tools": "fio-3, torch 2",
                  "training": {"tools": "torch 2, CUDA 13", "steps": [], "left_out": []}})",
          "raw", "none")
          .parameters;
  CHECK(found.find("on m; fio-3, torch 2, CUDA 13\"") != std::string::npos);
}

TEST_CASE(
    "every machine that was really measured: its raw measurements give its parameters again") {
  namespace fs = std::filesystem;
  const auto content = [](const fs::path& file) {
    std::ifstream in(file);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  int machines = 0;
  for (const auto& machine : fs::directory_iterator(GPUFEED_SOURCE_DIR "/calib/params")) {
    CAPTURE(machine.path());
    const Calibration found =
        fit_raw(content(machine.path() / "here.raw.json"), "raw", "here.catalog");
    CHECK(found.parameters == content(machine.path() / "here.toml"));
    for (const auto& [name, toml] : found.entries)
      CHECK(toml == content(machine.path() / "here.catalog" / (name + ".toml")));
    ++machines;
  }
  CHECK(machines > 0);
}
