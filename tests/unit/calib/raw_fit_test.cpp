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
        }).starts_with("raw.json: error: a measurement is damaged: "));
  const TemporaryFolder folder;
  const auto file = folder.write("p.toml", "title = \"a\"\nsource = \"b\"\ncatalog = \"gone\"\n");
  CHECK(refusal_of([&] { load_parameters(file); }).find("catalog: there is no folder") !=
        std::string::npos);
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
