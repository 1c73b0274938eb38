// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/colors.h"

#include <doctest/doctest.h>

#include <regex>

#include "reports/writers/text.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

TEST_CASE("bars have a color for each of their letters, dots have none") {
  CHECK(colored("  gpu0 [##########ss........] 50 %\n") ==
        "  gpu0 [\x1b[38;5;32m##########\x1b[38;5;166mss\x1b[0m........] 50 %\n");
  CHECK(colored("[####################]") == "[\x1b[38;5;32m####################\x1b[0m]");
}

TEST_CASE("what is no bar stays as it is") {
  for (const char* text : {"", "\n", "[##]", "[abcdefghijklmnopqrst]", "system.drive[*]", "a\n\nb"})
    CHECK(colored(text) == text);
}

TEST_CASE("a screen without its control sequences is the same text") {
  const std::string text = to_text(sample_result());
  const std::string shown = colored(text);
  CHECK(shown.find("\x1b[1mBottleneck\x1b[0m ") != std::string::npos);
  CHECK(shown.find("\x1b[1mWarning\x1b[0m ") != std::string::npos);
  CHECK(std::regex_replace(shown, std::regex("\x1b\\[[0-9;]*m"), "") == text);
}
