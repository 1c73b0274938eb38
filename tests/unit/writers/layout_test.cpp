// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/layout.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace gpufeed;

TEST_CASE("a time is written in the unit that suits it, or that of the time beside it") {
  CHECK(time_text(6480) == "1.80 h");
  CHECK(time_text(738) == "12.3 min");
  CHECK(time_text(4.2) == "4.2 s");
  CHECK(time_text(0.085) == "85 ms");
  CHECK(time_text(0.00042) == "420 us");
  CHECK(time_text(59.99) == "1.0 min");
  CHECK(time_text(3599) == "1.00 h");
  CHECK(time_text(1234567) == "342.9 h");
  CHECK(time_text(std::numeric_limits<double>::infinity()) == "forever");
  CHECK(time_text(3240, 9720) == "0.90 h");
  CHECK(time_text(30, 9720) == "30 s");
  CHECK(time_text(0.41, 1) == "0.4 s");
}

TEST_CASE("a share is 0 % or 100 % only where it is exactly that") {
  CHECK(percent(0) == "0 %");
  CHECK(percent(0.0004) == "<0.1 %");
  CHECK(percent(0.999) == "99.9 %");
  CHECK(percent(0.9996) == ">99.9 %");
  CHECK(percent(1) == "100 %");
  CHECK(percent(1.25) == "125.0 %");
}

TEST_CASE("never more GPUs stand still than there are, and all only where none computes") {
  CHECK(idle_text(8, 0.901) == "0.79 of 8");
  CHECK(idle_text(8, 0.001) == "more than 7.9 of 8");
  CHECK(idle_text(1, 0.2) == "0.8 of 1");
  CHECK(idle_text(1, 0.001) == "more than 0.99 of 1");
  CHECK(idle_text(128, 0.013) == "126 of 128");
  CHECK(idle_text(128, 0.0015) == "more than 127 of 128");
  CHECK(idle_text(128, 0) == "128 of 128");
  CHECK(idle_text(8000, 0.003) == "7,976 of 8,000");
  CHECK(idle_text(32768, 0.008) == "32,506 of 32,768");
  CHECK(idle_text(32768, 0.5) == "16,000 of 32,768");
  for (const int gpus : {1, 2, 9, 10, 12, 96, 100, 105, 1049, 32768})
    for (int busy = 1; busy < 2000; ++busy) {
      const std::string idle = idle_text(gpus, busy / 2000.0);
      const auto of = idle.find(" of ");
      CHECK_MESSAGE(idle.substr(0, of) != idle.substr(of + 4), idle);
      if (idle.front() == 'm') continue;
      std::string digits = idle.substr(0, of);
      std::erase(digits, ',');
      CHECK_MESSAGE(std::stod(digits) < gpus, idle);
    }
}

TEST_CASE("a bar of several shares fills its 20 places by their sum") {
  CHECK(bar({0.5}, "#") == "[##########..........]");
  CHECK(bar({0.5, 0.02, 0.02, 0.46}, "#abc") == "[##########bccccccccc]");
  CHECK(bar({1.3}, "#") == "[####################]");
  CHECK(bar({}, "") == "[....................]");
}

TEST_CASE("lines break at spaces, keep a number with its unit and split only what is too long") {
  using Lines = std::vector<std::string>;
  CHECK(lines_of("waiting for storage 5.0 % of it", 22) ==
        Lines{"waiting for storage", "5.0 % of it"});
  CHECK(lines_of("", 10) == Lines{""});
  CHECK(lines_of("one\n two\x1B[31m", 80) == Lines{"one two [31m"});
  CHECK(lines_of("abcdefgh ij", 3) == Lines{"abc", "def", "gh", "ij"});
  CHECK(lines_of("\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4", 3) ==
        Lines{"\xC3\xA4\xC3\xB6\xC3\xBC", "\xC3\xA4"});
  CHECK(clipped("abcdefgh", 8) == "abcdefgh");
  CHECK(clipped("abcdefghi", 8) == "abcde...");
}
