// SPDX-License-Identifier: Apache-2.0
#include "reports/study/whatif_rows.h"

#include <doctest/doctest.h>

#include "tests/support/what_if.h"

using namespace gpufeed;

TEST_CASE("prices of two years are named, of what replaces a part, not of what is added") {
  const auto line = [](const char* kind, const char* name, double count, std::int64_t year) {
    BillLine one;
    one.kind = kind;
    one.name = name;
    one.count = count;
    one.price_USD = 100;
    one.price_year = year;
    return one;
  };
  Result now;
  now.job_samples_per_s = now.throughput_samples_per_s = 1;
  now.bill = {line("drive", "old", 4, 2026), line("nic", "card", 2, 2020)};
  Result after = now;
  after.bill[0] = line("drive", "new", 4, 2025);
  const WhatIfRow row = row_of({}, now, after);
  CHECK(row.price_year_before == 2026);
  CHECK(row.price_year_after == 2025);
  CHECK(row.why == "; mind: its price is of 2025, that of what it replaces of 2026");
  after.bill[0].price_year = 2026;
  CHECK(!row_of({}, now, after).price_year_after);
  after = now;
  after.bill[0].count = 6;
  after.bill.push_back(line("memory", "module", 8, 2025));
  CHECK(!row_of({}, now, after).price_year_after);
  after = now;
  after.bill[0] = line("memory", "module", 8, 2025);  // another kind: it takes nobody's place
  CHECK(!row_of({}, now, after).price_year_after);
}

TEST_CASE("what costs less by a price of another year is no saving") {
  const WhatIf report = tried(source_of(kExamples + "02_one_root_or_two/scenario.toml"));
  CHECK(!report.savings.empty());
  for (const WhatIfRow& row : report.savings) CHECK(!row.price_year_after);
}
