// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/full_cache_now.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "calib/replay/as_replayed.h"
#include "calib/replay/machine_now.h"
#include "calib/replay/replay_plan.h"
#include "sim/base/diagnostics.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

constexpr double kFill = 4e9;
constexpr double kEvict = 12e9;  // one after the other: 3e9

Scenario with_rates(Basis basis, bool evicting = true) {
  std::vector<Override> sets{parse_override("system.socket[*].model.cache_fill_bandwidth=4 GB/s"),
                             parse_override("system.socket[*].model.core_copy_bandwidth=4 GB/s")};
  if (evicting)
    sets.push_back(parse_override("system.socket[*].model.cache_evict_bandwidth=12 GB/s"));
  for (Override& set : sets) set.provenance = Provenance{"measured here", basis};
  return parse_scenario(
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
      "\"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[workload]\nkind = \"emulated\"\njob = "
      "\"mlperf-unet3d-h100\"\n[data]\nat = \"ssd0\"\n",
      "one.toml", own_catalog(), sets);
}

const Cpu& cpu_of(const Scenario& scenario) { return *scenario.system->sockets.front().model; }

ReplayPlan half_cached(const std::filesystem::path& folder) {
  ReplayPlan plan;
  plan.folder = folder;
  plan.files = 64;
  plan.file_size = {262144};
  plan.batch = 8;
  plan.workers = 2;
  plan.epochs = 3;
  plan.cache_memory = plan.file_size * 32;
  return plan;
}

}  // namespace

TEST_CASE("pages of later epochs lie between how they lay at their beginnings and ends") {
  CHECK(apart_later({0.9}).value == 0.9);
  CHECK(apart_later({0.9, 0.3}).value == doctest::Approx(0.6));
  CHECK(apart_later({0.9, 0.3, 0.7}).value == doctest::Approx((0.6 + 0.5) / 2));
  CHECK(apart_later({0.7, 0.7, 0.7, 0.7}).value == doctest::Approx(0.7));
}

TEST_CASE("what missed bytes took of a core is what remains beside copying all of them out") {
  constexpr Bytes kSize{1000};
  std::vector<ReplayEpoch> epochs(3);
  for (ReplayEpoch& epoch : epochs) epoch.samples = 100;
  epochs[0].of_core_read = {77};  // filled an empty cache
  epochs[0].read = {100000};
  // 100 us to copy 100 samples at 1 GB/s each epoch; then 60,000 and 40,000 bytes at 0.5 GB/s
  epochs[1].of_core_read = {100e-6 + 120e-6};
  epochs[1].read = {60000};
  epochs[2].of_core_read = {100e-6 + 80e-6};
  epochs[2].read = {40000};
  const auto rate = refill_rate(epochs, kSize, {1e9});
  REQUIRE(rate);
  CHECK(rate->value == doctest::Approx(5e8));
  CHECK_FALSE(refill_rate(epochs, kSize, {1e8}));  // copying takes more than there was
  epochs.resize(1);
  CHECK_FALSE(refill_rate(epochs, kSize, {1e9}));
}

TEST_CASE("filling and evicting go with what both took, and a case says so") {
  for (const bool evicting : {true, false}) {
    const Scenario scenario = with_rates(Basis::calibrated, evicting);
    const MachineNow machine{{}, {}, {}, {{}, RefillNow{{2e9}, {evicting ? 3e9 : 4e9}}}};
    const Scenario replayed = as_replayed(scenario, {}, machine);
    std::vector<Override> sets;
    for (const std::string& set : replayed_sets(scenario, {}, machine))
      if (set.starts_with("system.")) sets.push_back(parse_override(set));
    CHECK(sets.size() == (evicting ? 2 : 1));
    const double factor = evicting ? 2.0 / 3 : 0.5;
    CHECK(cpu_of(replayed).cache_fill_bandwidth->value == doctest::Approx(kFill * factor));
    CHECK(sets.front().value.starts_with(evicting ? "2.66667e+09" : "2e+09"));
    CHECK(cpu_of(replayed).cache_evict_bandwidth.has_value() == evicting);
    if (evicting)
      CHECK(cpu_of(replayed).cache_evict_bandwidth->value == doctest::Approx(kEvict * factor));
  }
}

TEST_CASE("a page cache that holds the set, and a data sheet's CPU, are left as they are") {
  const TemporaryFolder folder;  // without a set: whoever read it would fail
  ReplayPlan plan = half_cached(folder / "set");
  const std::optional<CopyNow> copy = CopyNow{{4e9}, {4e9}};
  const auto nothing = [&](const Scenario& scenario, const std::optional<CopyNow>& copies) {
    const FullCacheNow now = full_cache_now(scenario, plan, copies);
    return !now.pages && !now.refill;
  };
  CHECK(nothing(with_rates(Basis::estimate), copy));
  CHECK(nothing(with_rates(Basis::calibrated), {}));
  plan.cache_memory = plan.file_size * 64;
  CHECK(nothing(with_rates(Basis::calibrated), copy));
  plan.cache_memory.reset();
  CHECK(nothing(with_rates(Basis::calibrated), copy));
}

TEST_CASE("what a full page cache takes of a core is measured by the replay's own workers") {
  const TemporaryFolder folder;
  const ReplayPlan plan = half_cached(folder / "set");
  make_dataset(plan);
  try {
    // as if copying took nothing: what remains is all of the read calls
    const FullCacheNow now =
        full_cache_now(with_rates(Basis::calibrated), plan, CopyNow{{1e15}, {4e9}});
    CHECK_FALSE(now.pages);  // flash does not look pages up
    if (!now.refill) {
      MESSAGE("skipped: the folder for temporary files lies on no local storage");
      return;
    }
    CHECK(now.refill->calibrated.value == doctest::Approx(3e9));
    CHECK(now.refill->now.value > 1e7);
    CHECK(now.refill->now.value < 1e11);
  } catch (const InputError& error) {
    MESSAGE("skipped: " << error.what());
  }
}
