// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed::html {

/// The answer to a goal: what to choose, or the front with its picture and table; what stands in
/// the way; and what proves it.
std::string to_html(const Recommendation& recommendation, const PageHead& head);

}  // namespace gpufeed::html
