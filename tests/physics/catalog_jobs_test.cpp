// SPDX-License-Identifier: Apache-2.0
// Jobs as users write them, on machines of the catalog.
#include <doctest/doctest.h>

#include <optional>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/catalog_job.h"
#include "tests/support/draws.h"
#include "tests/support/unheld.h"

using namespace gpufeed;

namespace {

/// Nothing where its parts do not fit together.
std::optional<Scenario> good_scenario(std::uint64_t seed) {
  const CatalogJob job = catalog_job(seed);
  try {
    return parse_scenario(job.text, "job.toml", own_catalog(), job.set);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

TEST_CASE("no job on a machine of the catalog is faster than its bound") {
  int jobs = 0, beside = 0;
  for (std::uint64_t seed = 1; seed <= draws(500u); ++seed) {
    const auto scenario = good_scenario(seed);
    if (!scenario) continue;
    CAPTURE(seed);
    ++jobs;
    const auto [result, unheld] = simulate_with_unheld(*scenario);
    check_unheld(result, unheld, scenario->run.precision);
    if (unheld.all.over > unheld.all.known_to) ++beside;
  }
  MESSAGE(jobs << " jobs, " << beside << " faster than they are known to be");
  CHECK(jobs >= draws(110));
  CHECK(beside <= jobs / 40);  // one in forty lies above its 95 % interval
}
