// SPDX-License-Identifier: Apache-2.0
#include "sim/base/fault.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/assert.h"

using namespace gpufeed;

namespace {

std::string fault_of(int value) {
  try {
    GPUFEED_ASSERT(value == 2, "a pair has two");
  } catch (const InternalFault& fault) {
    const std::string text = fault.what();
    return text.substr(0, text.rfind(':'));  // the line may change
  }
  return "none";
}

}  // namespace

TEST_CASE("where faults throw, a broken promise is told with its condition and place") {
  const FaultsThrow guard;
  CHECK(fault_of(2) == "none");
  CHECK(fault_of(3) == "a pair has two (value == 2, fault_test.cpp");
  { const FaultsThrow inner; }
  CHECK(fault_of(1) == "a pair has two (value == 2, fault_test.cpp");  // still
}
