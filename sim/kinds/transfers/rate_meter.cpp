// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/transfers/rate_meter.h"

#include <algorithm>
#include <utility>

#include "sim/base/labels/label_text.h"

namespace gpufeed {

std::vector<std::string> Blame::names() const {
  std::vector<std::pair<int, std::string>> order;
  order.reserve(times_.size());
  for (const auto& [name, times] : times_) order.emplace_back(-times, name);
  std::ranges::sort(order);
  std::vector<std::string> out;
  out.reserve(order.size());
  for (const auto& [times, name] : order) out.push_back(name);
  return out;
}

int Blame::all() const {
  int all = 0;
  for (const auto& [name, times] : times_) all += times;
  return all;
}

SteadyRates RateMeter::measure(const std::vector<Stream>& streams) {
  SteadyRates rates = steady_rates(limits_, streams, engine_);
  loads_.resize(limits_.size());
  for (const LimitIndex i : limits_.indices()) loads_[i] = std::max(loads_[i], rates.load[i]);
  return rates;
}

const std::string& RateMeter::name_of(std::optional<LimitIndex> limit,
                                      const Label& cap_name) const {
  return text_of(limit ? limits_[*limit].label : cap_name);
}

ByLimit<double> RateMeter::loads() const {
  ByLimit<double> loads = loads_;
  loads.resize(limits_.size());
  return loads;
}

}  // namespace gpufeed
