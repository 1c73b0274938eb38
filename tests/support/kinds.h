// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/workload.h"

namespace gpufeed::systems {

template <class Keys, class K>
void carry_over(const Workload& from, K& to) {
  if constexpr (std::derived_from<K, Keys>)
    if (const auto* keys = from.find<Keys>()) static_cast<Keys&>(to) = *keys;
}

/// Makes `workload` one of kind `K`, which keeps what the two kinds have in common.
template <class K>
K& become(Workload& workload) {
  K keys;
  carry_over<ReadsDataset>(workload, keys);
  carry_over<FeedsGpus>(workload, keys);
  carry_over<RunsEpochs>(workload, keys);
  workload.of_kind = std::move(keys);
  return workload.get<K>();
}

extern template kind::Training& become(Workload&);
extern template kind::Emulated& become(Workload&);
extern template kind::Loader& become(Workload&);
extern template kind::Io& become(Workload&);

}  // namespace gpufeed::systems
