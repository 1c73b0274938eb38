// SPDX-License-Identifier: Apache-2.0
#include "sim/model/failures/machine.h"

#include <algorithm>

#include "sim/model/catalog/system.h"

namespace gpufeed {
namespace {

template <class Product>
void add(const Device<Product>& device, double weight, FailureRate& out) {
  if (!device.model) return;
  if (device.model->mtbf)
    out.rate += weight / device.model->mtbf->value;
  else if (std::ranges::count(out.unknown, device.model->title) == 0)
    out.unknown.push_back(device.model->title);
}

}  // namespace

FailureRate failures_per_second(const System& system, std::int64_t gpus_in_use) {
  FailureRate out;
  if (system.mtbf) {
    out.rate = 1 / system.mtbf->value;
    return out;
  }
  const auto all = static_cast<double>(std::max<std::size_t>(1, system.gpus.size()));
  for (const auto& gpu : system.gpus) add(gpu, static_cast<double>(gpus_in_use) / all, out);
  for (const auto& nic : system.nics) add(nic, 1, out);
  return out;
}

}  // namespace gpufeed
