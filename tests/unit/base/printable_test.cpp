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

TEST_CASE("what shows nothing or orders text anew is shown by its number") {
  CHECK(printable("price \u202e5 DSU") == "price <U+202E>5 DSU");
  for (const char* unseen : {"\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2028", "\u2029",
                             "\u202a", "\u202b", "\u202c", "\u202d", "\u2060", "\u2066", "\u2067",
                             "\u2068", "\u2069", "\u3164", "\ufeff", "\U000e0001"}) {
    const std::string said = printable(std::string("a") + unseen + "b");
    CAPTURE(said);
    CHECK(said.starts_with("a<U+"));
    CHECK(said.ends_with(">b"));
    CHECK(printable_lines(std::string("a") + unseen + "b") == said);
    CHECK(!has_controls(unseen));
  }
}

TEST_CASE("joiners and variations stay where scripts and pictures need them, and nowhere else") {
  const std::string persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645";
  const std::string family = "\U0001f468\u200d\U0001f469";
  const std::string heart = "\u2764\ufe0f";
  for (const auto& text : {persian, family, heart}) CHECK(printable(text) == text);
  CHECK(printable("gpu\u200d0") == "gpu<U+200D>0");
  CHECK(printable("\u200c0") == "<U+200C>0");
  CHECK(printable("\u0645\u202e\u200d") == "\u0645<U+202E><U+200D>");
}

TEST_CASE("JSON and TOML escape them to the same text") {
  CHECK(escaped_in(Notation::json, "a\u202e\U000e0041\x7f\u0085\n") ==
        "a\\u202e\\udb40\\udc41\\u007f\\u0085\n");
  CHECK(escaped_in(Notation::toml, "a\u202e\U000e0041") == "a\\u202e\\U000e0041");
}
