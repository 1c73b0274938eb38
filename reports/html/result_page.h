// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/html/page.h"
#include "reports/picture/picture.h"
#include "sim/model/result/result.h"

namespace gpufeed::html {

/// A Result and its machine as drawn.
struct PicturedResult {
  Result result;
  Picture picture;
};

/// Results with pictures of them: one, or several with a table of all before them.
std::string to_html(const std::vector<PicturedResult>& results, const PageHead& head);

}  // namespace gpufeed::html
