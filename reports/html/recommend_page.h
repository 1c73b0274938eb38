// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "reports/html/page.h"
#include "sim/model/result/result.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed::html {

/// The answer to a goal: what to choose, or the front with its picture and table; what stands in
/// the way; and what proves it.
/// \param best  what is chosen, simulated, for the first page; null: there is none, or several
/// \param titles  of products, by the catalog's names, which stand in the options alone
std::string to_html(const Recommendation& recommendation, const PageHead& head,
                    const Result* best = nullptr,
                    const std::map<std::string, std::string>& titles = {});

}  // namespace gpufeed::html
