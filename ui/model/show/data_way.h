// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// A station of the data on their way from where they lie to the GPUs.
struct WayStation {
  std::string name;                   ///< "drives"
  double capacity_samples_per_s = 0;  ///< what it could deliver if nothing else limited it
  double load = 0;                    ///< how much of that the job takes, 0 to 1
  double rate_Bps = 0;                ///< bytes of samples that pass it; 0: none do
  std::string limit;                  ///< what sets the capacity
  std::string copies;  ///< what software copies there, or spares; empty: nothing is told
  bool holds = false;  ///< it is the bottleneck
};

/// Those that a training job uses, in the order of travel; none of other work. Rates in bytes are
/// those of the epochs after the first, without what the page cache spares storage, network and
/// PCIe.
std::vector<WayStation> data_way(const Result& result, const Scenario& scenario);

/// How often software copies a sample in host memory before the GPU has it, in words.
std::string copies_in_words(const Scenario& scenario);

}  // namespace gpufeed::ui
