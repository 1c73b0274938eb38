// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed {

/// What is wrong with a page of ours, a line each: tags that are not closed in order, attributes
/// without quotation marks, ids given twice, and anything that a browser would fetch or run.
std::string faults_of_page(const std::string& page);

}  // namespace gpufeed
