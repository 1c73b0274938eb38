// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/sighting_text.h"

#include <algorithm>
#include <iterator>

#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

struct ObservedKey {
  std::string_view name;
  std::string_view label;
};
constexpr ObservedKey kWords[]{{"gpu_utilization", term::kGpuUtilization},
                               {"samples_per_s", "samples/s"},
                               {"read_bandwidth", "read bandwidth"},
                               {"read_rate", "read requests"},
                               {"network_bandwidth", "network, a node"},
                               {"cores_busy", "cores busy, a node"},
                               {"memory_bandwidth", "memory, a node"},
                               {"save_bandwidth", "saving"},
                               {"load_bandwidth", "loading"}};

}  // namespace

std::string label_of_sighting(std::string_view name) {
  const auto* const found = std::ranges::find(kWords, name, &ObservedKey::name);
  return std::string(found == std::end(kWords) ? name : found->label);
}

std::string sighting_text(const Sighting& sighting, double value) {
  if (sighting.name == "gpu_utilization") return percent(value);
  if (sighting.unit == "B/s") return text(Bandwidth{value}, 3);
  return text_number(value, 3) + (sighting.unit == "1/s" ? "/s" : "");
}

}  // namespace gpufeed
