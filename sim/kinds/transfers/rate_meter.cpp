// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/transfers/rate_meter.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace gpufeed {

void Blame::add(const Binding& by, int times) {
  const auto known = std::ranges::find(times_, by, &Times::by);
  if (known == times_.end())
    times_.push_back({by, times});
  else
    known->times += times;
}

void Blame::add(const Blame& other) {
  for (const Times& one : other.times_) add(one.by, one.times);
}

std::vector<Blame::Times> Blame::sorted() const {
  std::vector<Times> out = times_;
  std::ranges::stable_sort(out, [](const Times& a, const Times& b) {
    if (a.times != b.times) return a.times > b.times;
    return a.by.limit && (!b.by.limit || *a.by.limit < *b.by.limit);
  });
  return out;
}

int Blame::all() const {
  int all = 0;
  for (const Times& one : times_) all += one.times;
  return all;
}

SteadyRates RateMeter::measure(const std::vector<Stream>& streams) {
  SteadyRates rates = steady_rates(limits_, streams, engine_);
  loads_.resize(limits_.size());
  for (const LimitIndex i : limits_.indices()) loads_[i] = std::max(loads_[i], rates.load[i]);
  return rates;
}

Binding RateMeter::binding(std::optional<LimitIndex> limit,
                           const std::optional<Limiter>& cap) const {
  if (limit) return {limit, fact<LimiterCode::parts>(std::vector{limits_[*limit].label})};
  GPUFEED_ASSERT(cap, "what no limit binds has a cap of its own");
  return {{}, *cap};
}

ByLimit<double> RateMeter::loads() const {
  ByLimit<double> loads = loads_;
  loads.resize(limits_.size());
  return loads;
}

}  // namespace gpufeed
