// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/range_text.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("a range is told with what it rests on and what would narrow it") {
  Range range;
  range.job_samples_per_s = {900, 1100};
  range.job_gpu_utilization = {0.72, 0.88};
  range.time_to_result_s = {3600, 4320};
  range.causes = {{"decode_time of mine", "estimate", 0.0953, 0.9, "measure it"},
                  {"how data are read", "", 0.02, 0.1, "read them"}};
  CHECK(range_rows(range) ==
        "P10 to P90 (80 %)     900 to 1,100 samples/s; GPU utilization 72.0 % to 88.0 %; result in "
        "1.00 "
        "h to\n                      1.20 h\n"
        "Main uncertainty      decode_time of mine (±10 %, estimate; 90.0 % of the "
        "variance); how data are\n"
        "                      read (±2 %, the model; 10.0 % of the variance)\n"
        "To narrow it          measure it\n");
}

TEST_CASE("what nothing leaves open is told in one row") {
  Range range;
  range.job_samples_per_s = {1000, 1000};
  range.job_gpu_utilization = {1, 1};
  range.time_to_result_s = {60, 60};
  CHECK(range_rows(range) ==
        "P10 to P90 (80 %)     1,000 samples/s; GPU utilization 100 %; result in 1.0 min\n");
}

TEST_CASE("a deviation of more than half is told as a factor") {
  CHECK(deviation_text(0.0953) == "±10 %");
  CHECK(deviation_text(0.405) == "±50 %");
  CHECK(deviation_text(0.6831) == "within a factor of 2");
  CHECK(deviation_text(1.335) == "within a factor of 3.8");
}

TEST_CASE("ends more than a factor of four apart tell the order of magnitude") {
  CHECK_FALSE(order_of_magnitude({1000, 4000}));
  CHECK(order_of_magnitude({1000, 4001}));
}

TEST_CASE("buyers read what a parameter is and whose, not its key") {
  RangeCause cause{"decode_time of imagenet-1k", "estimate", 0.1, 1, "measure it"};
  CHECK(parameter_in_words(cause) == "decode_time of imagenet-1k");  // no key's value
  cause.of_key = "decode_time", cause.kind = "dataset", cause.owner = "ImageNet-1k";
  CHECK(parameter_in_words(cause) == "decode time of ImageNet-1k");
}
