// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

/// Wrong scenarios, and what a user reads of each, to the letter.
namespace gpufeed::malformed {

inline const std::string kSystem = "system = \"nvidia-dgx1-p100\"\n";
inline const std::string kWorkload =
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

inline std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return refusal_of([&] {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    parse_scenario(text, "bad.toml", own_catalog(), overrides);
  });
}

struct Case {
  const char* name;
  std::string text;
  std::string message;
};

inline void check_refused(const std::vector<Case>& cases) {
  for (const auto& wrong : cases) {
    CAPTURE(wrong.name);
    CHECK(error_of(wrong.text) == wrong.message);
  }
}

}  // namespace gpufeed::malformed
