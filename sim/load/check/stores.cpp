// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/checks.h"
#include "sim/model/scenario.h"

namespace gpufeed {

void check_writable(const Scenario& scenario, const PartRef& place, std::string_view key,
                    Diagnostics& out) {
  const auto store = scenario.store.find(place.id);
  if (store == scenario.store.end() || !store->second.model) return;
  if (!store->second.model->write_bandwidth)
    out.error(place.where, "{}: what \"{}\" takes is not known; add write_bandwidth to {}", key,
              place.id, store->second.model.name);
}

}  // namespace gpufeed
