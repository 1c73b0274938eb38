// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/sweep.h"

#include <doctest/doctest.h>

#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

Sweep sweep_of(const std::string& text) { return parse_sweep(text, "s.toml", own_catalog()); }

/// The values of the only axis, which is `keys` beside its path.
std::string values_of(const std::string& keys) {
  const Sweep sweep = sweep_of("scenario = 'a.toml'\n[[axis]]\npath = 'x'\n" + keys + "\n");
  std::string out;
  for (const Literal& value : sweep.axes.at(0).values)
    out += (out.empty() ? "" : ", ") + (value.is_text ? "'" + value.text + "'" : value.text);
  return out;
}

/// What is said about that axis; lines count from the first of `keys`.
std::string refused(const std::string& keys) {
  return refusal_of(
      [&] { sweep_of("scenario='a.toml'\naxis = [{ path = 'x', " + keys + " }]\n"); });
}

}  // namespace

TEST_CASE("an axis takes a list, a range by step or count, or what the catalog has") {
  CHECK(values_of("values = [1, 'a b', true]") == "1, 'a b', true");
  CHECK(values_of("range = { from = 8, to = 40, step = 16 }") == "8, 24, 40");
  CHECK(values_of("range = { from = '100 MB/s', to = '0.4e3 MB/s', step = '150 MB/s' }") ==
        "'100 MB/s', '250 MB/s', '400 MB/s'");
  CHECK(values_of("range = { from = '0 %', to = '0.3 %', count = 4 }") ==
        "'0 %', '0.1 %', '0.2 %', '0.3 %'");
  CHECK(values_of("range = { from = 1, to = 64, count = 4, spacing = 'geometric' }") ==
        "1, 4, 16, 64");
  // Seven values from 1 to 4 are 1, 1.5, 2, ...: rounded half to even, each once.
  CHECK(values_of("range = { from = 1, to = 4, count = 7 }") == "1, 2, 3, 4");
}

TEST_CASE("counts of a part are so many values of a list") {
  CHECK(values_of("values = ['2..4 x a', '7 x b', '1 .. 2 x c', '8..9x d']") ==
        "'2 x a', '3 x a', '4 x a', '7 x b', '1 x c', '2 x c', '8 x d', '9 x d'");
  CHECK(values_of("values = ['1..2', '3..4 GB']") == "'1..2', '3..4 GB'");  // of another kind
  for (const char* wrong : {"4..2 x a", "0..2 x a", "1..1001 x a", "1..99999999999 x a"}) {
    CAPTURE(wrong);
    CHECK(refused("values = ['" + std::string(wrong) + "']") ==
          "s.toml:2:33: error: axis x: \"" + std::string(wrong) +
              "\" has no counts from a smaller to a larger one, 1 at least and 1000 at most; write "
              "them as in \"1..24 x NAME\"\n");
  }
  CHECK(refused("values = ['1..3 x a', '2 x a']").find("x has 2 x a twice") != std::string::npos);
}

TEST_CASE("a catalog query finds the entries whose keys meet every condition") {
  CHECK(values_of(
            "catalog = { kind = 'drive', where = [\"medium = 'disk'\", 'capacity = 12 TB'] }") ==
        "'hdd-7200-12tb'");
  // 230 MB/s is the disk's; a key with its own source counts as its value; defaults count too.
  CHECK(values_of("catalog = { kind = 'drive', where = ['read_bandwidth < 0.25 GB/s', "
                  "\"medium != 'flash'\", 'capacity < 13 TB', 'capacity >= 12 TB'] }") ==
        "'hdd-7200-12tb'");
  const std::string all = values_of("catalog = { kind = 'drive' }");
  CHECK(all.find("'intel-p4510-8tb'") != std::string::npos);
  CHECK(all.find("'hdd-7200-12tb'") < all.find("'intel-d3-s4510-3.84tb'"));
}

TEST_CASE("what is wrong with an axis is told with its place") {
  CHECK(refused("values = []") ==
        "s.toml:2:9: error: axis x: give one of values, range and catalog\n");
  CHECK(refused("values = [1], catalog = { kind = 'drive' }") ==
        "s.toml:2:9: error: axis x: give one of values, range and catalog\n");
  CHECK(refused("values = [4, 8, 4]") == "s.toml:2:39: error: x has 4 twice\n");
  CHECK(refused("values = [1.5]") ==
        "s.toml:2:33: error: axis[0].values[0] must be a whole number, text in quotes, true or "
        "false; found 1.5\n");
  CHECK(refused("value = [1]") ==
        "s.toml:2:23: error: axis[0]: unknown key \"value\"; did you mean \"values\"?\n");
  CHECK(refused("range = { from = 1, to = '4 GB', step = 1 }") ==
        "s.toml:2:31: error: the range of x: from and to must be two whole numbers, or two numbers "
        "with the same unit\n");
  CHECK(refused("range = { from = 4, to = 1, step = 1 }") ==
        "s.toml:2:31: error: the range of x: from must be less than to\n");
  CHECK(refused("range = { from = 1, to = 4, step = 0 }") ==
        "s.toml:2:31: error: the range of x: step must be a number above 0 in the unit of from and "
        "to\n");
  CHECK(refused("range = { from = 0, to = 4, count = 3, spacing = 'geometric' }") ==
        "s.toml:2:31: error: the range of x: a geometric range must begin above 0\n");
  CHECK(refused("range = { from = 1, to = 4, step = 1, count = 2 }") ==
        "s.toml:2:31: error: the range of x: give a step or a count, not both\n");
  CHECK(refused("range = { from = 1, to = 4 }") ==
        "s.toml:2:31: error: the range of x: a full sweep needs its step or count; without them, "
        "take a random or latin-hypercube sample\n");
  CHECK(refused("range = { from = 1, to = 4, count = 2, spacing = 'log' }") ==
        "s.toml:2:72: error: axis[0].range.spacing must be one of \"linear\", \"geometric\"; found "
        "\"log\"\n");
}

TEST_CASE("what is wrong with a catalog query is told with the nearest name") {
  CHECK(refused("catalog = { kind = 'drives' }") ==
        "s.toml:2:33: error: the catalog has no kind \"drives\"; did you mean \"drive\"?\n");
  CHECK(refused("catalog = { kind = 'drive', where = ['read_bandwith > 1 GB/s'] }") ==
        "s.toml:2:60: error: \"read_bandwith > 1 GB/s\": there is no \"read_bandwith\" here; did "
        "you mean \"read_bandwidth\"?\n");
  CHECK(refused("catalog = { kind = 'drive', where = ['read_bandwidth > 1 TB/s'] }") ==
        "s.toml:2:33: error: no drive of the catalog meets these conditions\n");
  CHECK(refused("catalog = { kind = 'drive', where = ['read_bandwidth > 3 GB'] }") ==
        "s.toml:2:60: error: \"read_bandwidth > 3 GB\": a bandwidth cannot be compared with a "
        "size\n");
  CHECK(refused("catalog = { kind = 'drive', where = ['read_bandwidth'] }") ==
        "s.toml:2:60: error: axis[0].catalog.where[0] must be a comparison in quotes, such as "
        "\"drives * 2 <= cores\"; found \"read_bandwidth\": there is no <=, >=, <, >, = or !=\n");
}

TEST_CASE("what is wrong with a whole sweep is told, all at once") {
  CHECK(refusal_of([] {
          sweep_of(
              "filter = ['a < b * 2']\n"
              "sample = { kind = 'random' }\n"
              "scenario = 'a.toml'\n"
              "[[axis]]\nname = 'a'\npath = 'x'\nvalues = [1]\n"
              "[[axis]]\nname = 'a'\npath = 'y'\nvalues = [1]\n"
              "[[axis]]\npath = 'y'\nvalues = [1]\n");
        }) ==
        "s.toml:1:11: error: \"a < b * 2\": there is no \"b\" here; known: a, a, y\n"
        "s.toml:2:10: error: sample: a random sample needs a count\n"
        "s.toml:8:1: error: two axes are called a\n"
        "s.toml:12:1: error: two axes vary y\n");
  CHECK(refusal_of([] { sweep_of("scenario = 'a.toml'\naxis = []\n"); }) ==
        "s.toml:1:1: error: at least one [[axis]] is needed\n");
  CHECK(refusal_of([] { sweep_of("schema = 2\n"); }) ==
        "s.toml:1:1: error: \"axis\" is missing; it must be an array of tables\n"
        "s.toml:1:1: error: \"scenario\" is missing; it must be the path of a file, in quotes\n"
        "s.toml:1:10: error: schema must be a whole number from 1 to 1; found 2\n");
  CHECK(refusal_of([] {
          sweep_of(
              "scenario = 'a.toml'\nsample.count = 3\n"
              "axis = [{ path = 'x', range = { from = 1, to = 100_000, step = 1 } },\n"
              "        { path = 'y', range = { from = 1, to = 1_000, step = 1 } }]\n");
        }) ==
        "s.toml:1:1: error: 100,000,000 points are too many (at most 10,000,000); draw a sample of "
        "them\n"
        "s.toml:2:1: error: sample: a full sweep takes no count\n");
}

TEST_CASE("what is wrong with a condition is told") {
  const auto refused_filter = [](const std::string& filter) {
    return refusal_of([&] {
      sweep_of("filter = [\"" + filter +
               "\"]\nscenario = 'a'\naxis = [{ path = 'x', values = [1] }]\n");
    });
  };
  const std::string start =
      "s.toml:1:11: error: filter[0] must be a comparison in quotes, such as \"drives * 2 <= "
      "cores\"; found ";
  CHECK(refused_filter("x <") == start + "\"x <\": a side of the comparison is missing\n");
  CHECK(refused_filter("x = GB/s") ==
        start +
            "\"x = GB/s\": \"GB/s\" is no name and no number with a unit; text stands in single "
            "quotes\n");
  CHECK(refused_filter("2 GB * 3 s < x") ==
        start + "\"2 GB * 3 s < x\": two units cannot be multiplied\n");
  CHECK(refused_filter("x = '<='") == "accepted");
}
