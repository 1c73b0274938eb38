// SPDX-License-Identifier: Apache-2.0
#include "tests/support/malformed.h"

#include "sim/load/load.h"
#include "sim/model/scenario.h"

namespace gpufeed::malformed {

std::string error_of(const std::string& text, const std::vector<std::string>& sets) {
  return refusal_of([&] {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    parse_scenario(text, "bad.toml", own_catalog(), overrides);
  });
}

void check_refused(const std::vector<Case>& cases) {
  for (const auto& wrong : cases) {
    CAPTURE(wrong.name);
    CHECK(error_of(wrong.text) == wrong.message);
  }
}

}  // namespace gpufeed::malformed
