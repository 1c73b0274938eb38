// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/beside.h"

#include <algorithm>

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

namespace gpufeed::serving {
namespace {

constexpr double kFair = 0.5;  // of a store that two ask for more than it has

double rate_of(const OwnStore& store) {
  return store.bandwidth ? store.bandwidth->value : (*store.model)->read_bandwidth.value;
}

Result trained(const Scenario& scenario, const std::string& store, double other_load) {
  Scenario one = scenario;
  one.run.once();
  one.store[store].other_load = Ratio{other_load};
  return simulate(one);
}

double demand_of(const Result& result) {
  if (!result.storage_demand) return 0;
  return result.storage_demand->read_later_epochs_Bps.value_or(
      result.storage_demand->read_first_epoch_Bps);
}

}  // namespace

Document with_training_beside(const Document& document) {
  Document out = document;
  for (auto& [name, store] : out.stores) {
    if (!store.trained || store.training_takes) continue;
    const double alone = demand_of(trained(*store.trained, name, 0));
    store.training_takes = Bandwidth{std::min(alone, kFair * rate_of(store))};
    store.others = Bandwidth{store.others.value + store.training_takes->value};
  }
  return out;
}

std::vector<Beside> beside_of(const Document& document, const Answer& answer) {
  std::vector<Beside> out;
  for (const auto& [name, store] : document.stores) {
    if (!store.trained) continue;
    Beside one;
    one.store = name;
    one.training = store.training->path;
    one.store_Bps = rate_of(store);
    for (const TierUse& tier : answer.tiers)
      if (tier.name == name)
        one.served_Bps =
            (tier.bytes_read_B + tier.bytes_written_B - tier.behind_B) / answer.duration_s;
    const Result alone = trained(*store.trained, name, 0);
    constexpr double kMost = 0.99;
    const Result here =
        trained(*store.trained, name, std::min(one.served_Bps / one.store_Bps, kMost));
    one.demand_Bps = demand_of(alone);
    one.alone_samples_per_s = alone.job_samples_per_s;
    one.samples_per_s = here.job_samples_per_s;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace gpufeed::serving
