// SPDX-License-Identifier: Apache-2.0
#include "sim/base/assert.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sim/base/fault.h"

namespace gpufeed {
namespace {

thread_local bool faults_throw = false;

}  // namespace

FaultsThrow::FaultsThrow() : before_(faults_throw) { faults_throw = true; }
FaultsThrow::~FaultsThrow() { faults_throw = before_; }

void assertion_failed(const char* condition, const char* promise, const char* file, int line) {
  const std::string_view path = file;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (faults_throw)
    throw InternalFault(fmt::format("{} ({}, {}:{})", promise, condition, name, line));
  fmt::print(stderr, "{}:{}: internal error: {} ({})\n", file, line, promise, condition);
  std::abort();
}

}  // namespace gpufeed
