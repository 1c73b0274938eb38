// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/html/page.h"
#include "reports/picture/picture.h"
#include "sim/model/result/elasticity.h"
#include "sim/model/result/result.h"
#include "sim/model/study/whatif.h"

namespace gpufeed::html {

/// A Result and its machine as drawn; where it was asked for, what holds it back, by trying.
struct PicturedResult {
  Result result;
  Picture picture;
  std::optional<Elasticity> elasticity = {};
  std::vector<WhatIfRow> settings = {};  ///< that help and cost nothing
  std::vector<WhatIfRow> changes = {};   ///< that help, settings and parts, where they were tried
};

/// Results with pictures of them: one, or several with a table of all before them.
std::string to_html(const std::vector<PicturedResult>& results, const PageHead& head);

}  // namespace gpufeed::html
