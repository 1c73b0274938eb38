// SPDX-License-Identifier: Apache-2.0
#include "sim/model/result/result.h"

namespace gpufeed {

Result::Result() = default;
Result::Result(const Result&) = default;
Result::Result(Result&&) noexcept = default;
Result& Result::operator=(const Result&) = default;
Result& Result::operator=(Result&&) noexcept = default;
Result::~Result() = default;

}  // namespace gpufeed
