// SPDX-License-Identifier: Apache-2.0
// What the screen says of a language model.
#include <doctest/doctest.h>

#include <algorithm>

#include "reports/writers/text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

std::string screen_of(const std::string& tokens) {
  return to_text(simulate(parse_scenario(
      "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"llama-3.1-8b\"\nprecision = \"bf16\"\n"
      "batch_per_gpu = 1\nrecompute = \"full\"\n[workload.dataset]\ntitle = \"short\"\nsource = "
      "\"t\"\nbasis = \"estimate\"\nsamples = 4000\nsample_size = \"16 kB\"\ntokens = " +
          tokens +
          "\ndecode_time = \"0 s\"\n[parallel]\nshard = \"parameters\"\n[loader]\ndecode = "
          "\"none\"\n",
      "s.toml", own_catalog())));
}

std::ptrdiff_t line_with(const std::string& screen, const std::string& words) {
  const std::size_t at = screen.find(words);
  REQUIRE(at != std::string::npos);
  return std::count(screen.begin(), screen.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
}

}  // namespace

TEST_CASE("samples shorter than the model takes are told in the first ten lines, and once") {
  const std::string screen = screen_of("512");
  const std::string words = "samples of workload.dataset have";
  CHECK(line_with(screen, "Mind ") <= 10);
  CHECK(line_with(screen, words) <= 10);
  CHECK(screen.find(words, screen.find(words) + 1) == std::string::npos);
}

TEST_CASE(
    "a language model's answer tells exposed exchange, the convention of MFU and a trillion") {
  const std::string screen = screen_of("8192");
  CHECK(screen.find("Mind ") == std::string::npos);
  line_with(screen, "Exchange exposed");
  line_with(screen, "A trillion tokens");
  line_with(screen, "causal attention");
}
