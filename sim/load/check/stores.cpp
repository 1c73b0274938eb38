// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/checks.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {

void check_writable(const Scenario& scenario, const PartRef& place, std::string_view key,
                    Diagnostics& out) {
  const Store* store = find_store(scenario, place);
  if (!store || !store->model) return;
  if (!store->model->write_bandwidth)
    out.error(place.where, "{}: what \"{}\" takes is not known; add write_bandwidth to {}", key,
              place.id, store->model.name);
}

}  // namespace gpufeed
