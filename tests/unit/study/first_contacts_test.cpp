// SPDX-License-Identifier: Apache-2.0
// The ledger of first contacts: tests/validation/README.md says what it is.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "reports/study/validate.h"
#include "sim/load/csv/csv.h"
#include "sim/load/study/validation.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

const std::filesystem::path kFolder = GPUFEED_SOURCE_DIR "/tests/validation";

}  // namespace

TEST_CASE("each row of the ledger has a source, a mechanism, two rates and a version") {
  std::ifstream in(kFolder / "first.csv");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CsvLines lines(text);
  REQUIRE(lines.next());
  const auto heading = lines.fields();
  REQUIRE(heading.size() == 11);
  CHECK(heading[4].text == "measured");
  CHECK(heading[5].text == "predicted");
  int rows = 0;
  for (; lines.next(); ++rows) {
    const auto& row = lines.fields();
    CAPTURE(lines.line());
    REQUIRE(row.size() == heading.size());
    for (const std::size_t named : {0U, 1U, 2U, 6U, 7U}) CHECK(!row[named].text.empty());
    CHECK(std::stod(std::string(row[4].text)) > 0);
    CHECK(std::stod(std::string(row[5].text)) > 0);
    CHECK(std::stod(std::string(row[8].text)) >= 1);
  }
  CHECK(rows >= 541);  // appended, never taken out
}

TEST_CASE("the cases of first contacts can be read, and their scenarios are there") {
  const auto files = case_files(kFolder / "first");
  CHECK(files.size() >= 34);
  for (const auto& path : files) {
    CAPTURE(path);
    const Validation file = load_validation(path, own_catalog());
    CHECK(!file.source.empty());
    CHECK(!file.cases.empty());
  }
}
