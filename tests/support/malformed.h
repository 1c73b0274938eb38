// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

/// Wrong scenarios, and what a user reads of each, to the letter.
namespace gpufeed::malformed {

inline const std::string kSystem = "system = \"nvidia-dgx1-p100\"\n";
inline const std::string kWorkload =
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

std::string error_of(const std::string& text, const std::vector<std::string>& sets = {});

struct Case {
  const char* name;
  std::string text;
  std::string message;
};

void check_refused(const std::vector<Case>& cases);

}  // namespace gpufeed::malformed
