// SPDX-License-Identifier: Apache-2.0
#include "sim/base/printable.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("control characters and bytes that are no UTF-8 are shown, the rest stays") {
  CHECK(printable("plain, 3 µs, ü, 😀") == "plain, 3 µs, ü, 😀");
  CHECK(printable("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\x7f\xc2\x9b[2J") == "\\x7f\\xc2\\x9b[2J");
  CHECK(printable("\x9b \xff \xc3") == "\\x9b \\xff \\xc3");
  CHECK(printable("two\nlines\t!") == "two\\x0alines\\x09!");
  CHECK(printable_lines("two\nlines\t!\r") == "two\nlines\t!\\x0d");
}
