// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/study/sweep_store.h"

namespace gpufeed {

/// All rows in the order of their points, a line of column names first. Fields are separated by
/// commas and, where they need it, quoted (RFC 4180, with LF); numbers read back exactly; what is
/// not known is empty, and a column that is so in every row is left out. Text is as `csv_text`
/// writes it.
std::string to_csv(SweepStore& store);

}  // namespace gpufeed
