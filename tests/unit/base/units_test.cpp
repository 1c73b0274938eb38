// SPDX-License-Identifier: Apache-2.0
#include "sim/base/units.h"

#include <doctest/doctest.h>

#include "tests/support/approx.h"

using namespace gpufeed;
using namespace gpufeed::literals;

TEST_CASE("decimal, binary and bit units each have their own factor") {
  CHECK(parse_quantity<BytesUnit>("200 kB") == 200_kB);
  CHECK(parse_quantity<BytesUnit>("1GiB")->value == 1073741824.0);
  CHECK(parse_quantity<BandwidthUnit>("25 Gb/s")->value == approx(25e9 / 8));
  CHECK(parse_quantity<BandwidthUnit>("1 MiB/s")->value == 1048576.0);
  CHECK(parse_quantity<RateUnit>("1.5 MIOPS") == Rate{1.5e6});
  CHECK(parse_quantity<RatioUnit>("0.5 %")->value == approx(0.005));
  CHECK(parse_quantity<SecondsUnit>("90 us")->value == approx(90e-6));
  CHECK(parse_quantity<FlopRateUnit>("15.7 TFLOP/s")->value == approx(15.7e12));
  CHECK(text(FlopRate{0.989e15}, 3) == "989 TFLOP/s");
}

TEST_CASE("a number without a unit, a unit without a number, and nonsense are refused") {
  for (const char* text : {"", "12", "GB", "12 gb", "12 GB/h", "12 GB ", "1e999 GB", "nan GB",
                           "inf GB", "0x10 B", "1,5 GB", "- 1 GB"})
    CHECK_MESSAGE(!parse_quantity<BytesUnit>(text), text);
}

TEST_CASE("a quantity is shown in the unit that leaves one to three digits before the point") {
  CHECK(text(Bytes{0}) == "0 B");
  CHECK(text(Bytes{999}) == "999 B");
  CHECK(text(Bytes{602112}, 3) == "602 kB");
  CHECK(text(Bytes{999.6e6}, 3) == "1 GB");
  CHECK(text(Bytes{38.55e6}, 3) == "38.6 MB");
  CHECK(text(Bytes{1e18}, 3) == "1000 PB");
  CHECK(text(Seconds{0.0031}) == "3.1 ms");
  CHECK(text(Ratio{1e-5}) == "0.001 %");
  CHECK(text(Bandwidth{14.5e9}) == "14.5 GB/s");
}

TEST_CASE("what is shown with twelve digits reads back as the same number") {
  for (const double value : {1.0, 114660.0, 1e12 / 3, 38535168.0, 9.876543210987e14})
    CHECK(parse_quantity<BytesUnit>(text(Bytes{value}, 12))->value == approx(value).epsilon(1e-11));
}

TEST_CASE("numbers are rounded to significant digits, with thousands apart") {
  CHECK(text_number(0) == "0");
  CHECK(text_number(1541.6) == "1,542");
  CHECK(text_number(19441234) == "19,440,000");
  CHECK(text_number(0.0123456, 3) == "0.0123");
  CHECK(text_number(999.96) == "1,000");
  CHECK(text_number(-1234567, 15) == "-1,234,567");
  CHECK(text_number(1e300 * 1e300) == "unlimited");
}

TEST_CASE("numbers too small or too large to compute with are refused; 0 is not") {
  CHECK(!parse_quantity<PowerUnit>("5e-324 W"));
  CHECK(!parse_quantity<SecondsUnit>("3e-308 ns"));
  CHECK(!parse_quantity<BytesUnit>("1e300 PB"));
  CHECK(!parse_quantity<RatioUnit>("nan %"));
  CHECK(parse_quantity<SecondsUnit>("0 s")->value == 0);
  CHECK(!parse_quantity<RatioUnit>("1e-300 %"));
  CHECK(parse_quantity<RatioUnit>("1e-90 %")->value == doctest::Approx(1e-92));
}
