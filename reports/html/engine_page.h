// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/serving/answer.h"

namespace gpufeed::html {

/// What an engine that serves a language model did: percentiles, KV caches over time, tiers, what
/// more of something would give, and the screen in words.
std::string to_html(const serving::Answer& answer, const PageHead& head);

/// Of one with the chances of its what-ifs: each change, what it gives and costs, how sure that is.
std::string advice_html(const serving::Answer& answer, const PageHead& head);

}  // namespace gpufeed::html
