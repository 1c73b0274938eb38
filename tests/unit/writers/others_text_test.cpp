// SPDX-License-Identifier: Apache-2.0
// Titles, ids and file names come from others: on no page, picture or terminal do they act.
#include <doctest/doctest.h>

#include "reports/html/validation_page.h"
#include "reports/writers/json.h"
#include "reports/writers/validation.h"
#include "sim/load/read/toml_text.h"

using namespace gpufeed;

namespace {

constexpr const char* kHostile = "<b>|[x](y)`\x1b[2J\x7f\xc2\x9b";

ValidationReport report() {
  ValidationReport out;
  out.failures.push_back({kHostile, kHostile, false});
  MechanismScore score;
  score.name = kHostile;
  score.score = "relative";
  score.cases = 1;
  out.mechanisms.push_back(score);
  ValidationRow row;
  row.title = row.mechanism = row.unit = row.cause = kHostile;
  row.score = "relative";
  row.role = "predict";
  row.measured = 1;
  row.predicted = row.error = 2;
  out.rows.push_back(row);
  return out;
}

bool has_controls(const std::string& text) {
  return text.find_first_of("\x1b\x7f") != std::string::npos ||
         text.find("\xc2\x9b") != std::string::npos;
}

}  // namespace

TEST_CASE("a page and a picture show text of others as it stands") {
  for (const std::string& text :
       {html::to_html(report(), {"t", "c", "1"}), html::to_svg(report())}) {
    CHECK(text.find("&lt;b&gt;|[x](y)`\\x1b[2J\\x7f\\xc2\\x9b") != std::string::npos);
    CHECK(text.find("<b>|") == std::string::npos);
    CHECK(!has_controls(text));
  }
}

TEST_CASE("in Markdown it makes no cell, link, code or tag") {
  const std::string text = to_board(report(), "board.svg");
  CHECK(text.find("| &lt;b>\\|\\[x\\](y)\\`\\\\x1b\\[2J\\\\x7f\\\\xc2\\\\x9b |") !=
        std::string::npos);
  CHECK(text.find("FAILED: &lt;b>\\|\\[x\\](y)\\`") != std::string::npos);
  CHECK(!has_controls(text));
}

TEST_CASE("JSON and TOML escape it") {
  Result result;
  result.title = kHostile;
  CHECK(to_json(result).find(R"("<b>|[x](y)`\u001b[2J\u007f\u009b")") != std::string::npos);
  CHECK(result_from_json(to_json(result)).title == kHostile);
  CHECK(toml_string(kHostile) == R"("<b>|[x](y)`\u001b[2J\u007f\u009b")");
}
