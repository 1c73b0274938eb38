// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/rates.h"

#include <algorithm>
#include <cmath>

#include "sim/base/assert.h"
#include "sim/plan/chosen_engine.h"

namespace gpufeed {
namespace {

constexpr double kSame = 1e-6;  ///< what the engine's rates are known to, relative

/// The largest size of which all shares are whole multiples: the engine lists links by number.
double common_part(const std::vector<double>& shares) {
  constexpr int kFinest = 5040;  // has every number to 10 as a divisor
  const double least = *std::ranges::min_element(shares);
  for (int parts = 1; parts < kFinest; ++parts) {
    const bool whole = std::ranges::all_of(shares, [&](double share) {
      const double times = share * parts / least;
      return std::abs(times - std::round(times)) <= 1e-9 * times;
    });
    if (whole) return least / parts;
  }
  return least / kFinest;
}

class Measurement {
 public:
  Measurement(const Limits& limits, const std::vector<Stream>& streams, EngineKind engine)
      : limits_(limits), streams_(streams), engine_(make_engine(engine)) {
    find_parts();
    add_links();
    add_routes();
  }

  SteadyRates run() {
    engine_->after(length_, callback<&Measurement::read>(*this, 0));
    for (std::size_t i = 0; i < streams_.size(); ++i)
      for (std::int64_t n = 0; n < streams_[i].count; ++n)
        engine_->start_flow(routes_[i], size_of(streams_[i]),
                            callback<&Measurement::nothing>(*this, 0));
    engine_->run();
    find_loads();
    for (const auto& stream : streams_) rates_.limited_by.push_back(limit_of(stream));
    return std::move(rates_);
  }

 private:
  void find_parts() {
    ByLimit<std::vector<double>> shares(limits_.size());
    for (const auto& stream : streams_)
      for (const auto& take : stream.takes) shares[take.limit].push_back(take.share);
    for (const auto& of_one : shares) parts_.add(of_one.empty() ? 0 : common_part(of_one));
  }

  void add_links() {
    for (const LimitIndex i : limits_.indices())
      links_.add(parts_[i] > 0
                     ? engine_->add_link(limits_[i].label, limits_[i].capacity / parts_[i])
                     : LinkId{});
  }

  void add_routes() {
    double fastest = 0;
    for (const auto& stream : streams_) {
      std::vector<LinkId> way;
      for (const auto& take : stream.takes)
        way.insert(way.end(),
                   static_cast<std::size_t>(std::lround(take.share / parts_[take.limit])),
                   links_[take.limit]);
      routes_.push_back(engine_->add_route(way, stream.cap));
      fastest = std::max(fastest, solo_rate(limits_, stream).value);
    }
    constexpr double kLargestFlow = 1e14;  // the engine counts bytes exactly up to 1 PiB a flow
    length_ = {kLargestFlow / 2 / fastest};
  }

  /// Twice what it can move until its rate is read: no stream ends before.
  Bytes size_of(const Stream& stream) const { return solo_rate(limits_, stream) * length_ * 2.0; }

  void read(std::uint64_t) {
    for (std::size_t i = 0; i < streams_.size(); ++i)
      rates_.of_one.push_back(engine_->moved(routes_[i]) / static_cast<double>(streams_[i].count) /
                              length_);
  }
  void nothing(std::uint64_t) {}

  void find_loads() {
    rates_.load = ByLimit<double>(limits_.size(), 0);
    for (std::size_t i = 0; i < streams_.size(); ++i)
      for (const auto& take : streams_[i].takes)
        rates_.load[take.limit] += rates_.of_one[i].value * static_cast<double>(streams_[i].count) *
                                   take.share / limits_[take.limit].capacity.value;
  }

  /// Max-min fairness: a full limit on which nobody is faster.
  std::optional<LimitIndex> limit_of(const Stream& stream) const {
    const double rate = rate_of(stream);
    if (rate >= stream.cap.value * (1 - kSame)) return {};
    for (const auto& take : stream.takes)
      if (rates_.load[take.limit] >= kFull && rate >= fastest_on(take.limit) * (1 - kSame))
        return take.limit;
    GPUFEED_ASSERT(false, "something binds every stream");
    return {};
  }

  double rate_of(const Stream& stream) const {
    return rates_.of_one[static_cast<std::size_t>(&stream - streams_.data())].value;
  }

  double fastest_on(LimitIndex limit) const {
    double fastest = 0;
    for (const auto& stream : streams_)
      if (std::ranges::count(stream.takes, limit, &Take::limit) > 0)
        fastest = std::max(fastest, rate_of(stream));
    return fastest;
  }

  const Limits& limits_;
  const std::vector<Stream>& streams_;
  std::unique_ptr<Engine> engine_;
  ByLimit<double> parts_;  ///< 0: nobody takes it
  ByLimit<LinkId> links_;
  std::vector<RouteId> routes_;
  Seconds length_;
  SteadyRates rates_;
};

}  // namespace

std::vector<LimitIndex> full_like(const Limits& limits, const SteadyRates& rates, LimitIndex like) {
  std::vector<LimitIndex> full;
  for (const LimitIndex i : limits.indices())
    if (rates.load[i] >= kFull && limits[i].kind == limits[like].kind) full.push_back(i);
  return full;
}

LimitIndex limit_of(ResourceIndex resource) { return LimitIndex(resource.position()); }

Limits limits_of(const Graph& graph) {
  Limits limits;
  for (const auto& resource : graph.resources)
    limits.add({resource.label, std::string(name_of(resource.kind)), resource.capacity,
                resource.provenance, resource.key});
  return limits;
}

Stream stream_over(const Route& route, std::int64_t count) {
  Stream stream{.takes = {}, .count = count, .cap = route.cap.value_or(kUncapped)};
  for (const ResourceIndex resource : route.resources) take_more(stream, resource, 1);
  return stream;
}

void take_more(Stream& stream, ResourceIndex resource, double share) {
  take_more(stream, limit_of(resource), share);
}

void take_more(Stream& stream, LimitIndex limit, double share) {
  if (share <= 0) return;
  const auto it = std::ranges::find(stream.takes, limit, &Take::limit);
  if (it == stream.takes.end())
    stream.takes.push_back({limit, share});
  else
    it->share += share;
}

Bandwidth solo_rate(const Limits& limits, const Stream& stream) {
  Bandwidth rate = stream.cap;
  for (const auto& take : stream.takes)
    rate = std::min(rate, limits[take.limit].capacity / take.share);
  return rate;
}

SteadyRates steady_rates(const Limits& limits, const std::vector<Stream>& streams,
                         EngineKind engine) {
  return Measurement(limits, streams, engine).run();
}

}  // namespace gpufeed
