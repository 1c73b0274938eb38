// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/drive_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "calib/fit/law_search.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {
namespace {

constexpr double kTwoSided95 = 1.96;
constexpr double kSharpest = 20;  // that entries may have; beyond it no point tells
constexpr double kInfinite = std::numeric_limits<double>::infinity();
const LawParameters kRoofs{kBandwidth, kRequestRate, kLatency, kRequestBandwidth};
constexpr Words<kLawParameters> kNames =
    words_of<LawParameter>({{kBandwidth, "bandwidth"},
                            {kRequestRate, "request_rate"},
                            {kLatency, "latency"},
                            {kRequestBandwidth, "request_bandwidth"},
                            {kLargestRequest, "largest_request"},
                            {kSharpness, "sharpness"}});

void refuse_few(const std::vector<DrivePoint>& points, const std::string& name) {
  std::set<double> sizes;
  std::set<double> depths;
  std::set<std::pair<double, double>> settings;
  for (const DrivePoint& p : points) {
    sizes.insert(p.request.value);
    depths.insert(p.outstanding);
    settings.insert({p.request.value, p.outstanding});
  }
  constexpr std::size_t kFewest = 5;
  Diagnostics out;
  const Location where{name, 0, 0};
  if (settings.size() < kFewest)
    out.error(where,
              "a fit needs {} measurements or more that differ in block size or depth; "
              "found {}",
              kFewest, settings.size());
  if (sizes.size() < 2)
    out.error(where, "all blocks have the same size; measure small and large ones");
  if (depths.size() < 2)
    out.error(where, "the depth is always the same; measure one request under way and many");
  out.throw_if_any();
}

std::vector<double> departures(const DriveLaw& law, const std::vector<DrivePoint>& points) {
  std::vector<double> all;
  all.reserve(points.size());
  for (const DrivePoint& p : points)
    all.push_back(attained_bandwidth(law, p.request, p.outstanding) / p.bandwidth - 1);
  return all;
}

double absolute_quantile(std::vector<double> values, double share) {
  for (double& value : values) value = std::abs(value);
  return quantile(std::move(values), share);
}

/// The best law with a largest request, where one between the block sizes fits better than none.
std::optional<FoundLaw> limited(const LawSearch& search, const FoundLaw& without,
                                const std::vector<DrivePoint>& points) {
  std::set<double> sizes;
  for (const DrivePoint& p : points) sizes.insert(p.request.value);
  std::vector<LawPlace> starts;
  for (const double size : sizes) {
    starts.push_back(without.place);
    starts.back()[kLargestRequest] = std::log(size * 1.01);  // off the kink
  }
  LawParameters fitted = without.fitted;
  fitted.insert(fitted.begin() + kLargestRequest, kLargestRequest);
  FoundLaw found = search.best(starts, fitted);
  const double size = std::exp(found.place[kLargestRequest]);
  if (size <= *sizes.begin() || size >= *sizes.rbegin()) return {};
  return found;
}

/// The best law of any sharpness.
FoundLaw freely_sharp(const LawSearch& search, const FoundLaw& flash) {
  LawParameters fitted = kRoofs;
  fitted.push_back(kSharpness);
  std::vector<LawPlace> starts{flash.place};
  for (const double p : {kOneAfterAnother, 2.0})
    for (const LawPlace& start : search.starts(p)) starts.push_back(start);
  FoundLaw found = search.best(starts, fitted);
  const double sharpest = std::log(kSharpest);
  if (found.place[kSharpness] <= sharpest) return found;
  LawPlace place = found.place;
  place[kSharpness] = sharpest;
  return search.from(place, kRoofs);
}

/// What the points reach that `roof` alone limits, in its own unit: their median; 0 of none.
double reached(const DriveLaw& law, LawParameter roof, const std::vector<DrivePoint>& points) {
  std::vector<double> values;
  for (const DrivePoint& p : points)
    if (limits_alone(law, roof, p))
      values.push_back(roof == kBandwidth
                           ? p.bandwidth.value
                           : (p.bandwidth / std::min(p.request, law.largest_request)).value);
  return median(std::move(values));
}

/// The law with each roof at least where the points are that it alone limits, the rest fitted anew.
FoundLaw raised(const LawSearch& search, FoundLaw law, const std::vector<DrivePoint>& points) {
  for (const LawParameter roof : {kBandwidth, kRequestRate}) {
    const double least = std::log(reached(law_at(law.place), roof, points));
    if (law.place[roof] >= least) continue;
    LawParameters others = law.fitted;
    std::erase(others, roof);
    LawParameters held = law.raised;
    held.push_back(roof);
    LawPlace place = law.place;
    place[roof] = least;
    law = search.from(place, others);
    law.raised = std::move(held);
  }
  return law;
}

/// The law whose parameters each earn their place beyond chance.
FoundLaw simplest(const std::vector<FoundLaw>& laws) {
  const double chance = std::ranges::min(laws, {}, &FoundLaw::cost).tolerance();
  constexpr double kGain = 2;
  return std::ranges::min(laws, {}, [&](const FoundLaw& law) {
    return law.cost + kGain * chance * static_cast<double>(law.fitted.size() + law.raised.size());
  });
}

/// How near the roof of `parameter` may come, from where it does not matter, before the cost
/// exceeds `allowed`; the other parameters start as in `law` and are fitted anew.
double closed_end(const LawSearch& search, const FoundLaw& law, LawParameter parameter,
                  double allowed) {
  LawParameters others = law.fitted;
  std::erase(others, parameter);
  const double away = parameter == kLatency ? -1 : 1;
  const auto good = [&](double value) {
    LawPlace place = law.place;
    place[parameter] = value;
    return search.from(place, others).cost <= allowed;
  };
  constexpr int kMostSteps = 40;  // each a factor e
  double inside = search.starts(kManyAtOnce).front()[parameter];
  for (int i = 0; i < kMostSteps && !good(inside); ++i) inside += away;
  double outside = inside - away;
  for (int i = 0; i < kMostSteps && good(outside); ++i)
    inside = std::exchange(outside, outside - away);
  while (std::abs(inside - outside) > 0.01) {
    const double middle = (inside + outside) / 2;
    (good(middle) ? inside : outside) = middle;
  }
  return inside;
}

/// Finds the roofs that could as well be left out, and how near they may be: the least bandwidth
/// or rate, the longest latency. `law` gets values that fit all but as well as the best.
std::map<LawParameter, double> close_open_ends(const LawSearch& search, FoundLaw& law) {
  constexpr double kAllButAsWell = 0.25;  // of what could be chance
  std::map<LawParameter, double> open;
  const LawParameters raised = law.raised;
  for (const LawParameter parameter : kRoofs) {
    if (std::ranges::count(raised, parameter) > 0) continue;
    LawParameters others = law.fitted;
    std::erase(others, parameter);
    std::vector<LawPlace> starts{law.place};
    for (LawPlace place : search.starts(std::exp(law.place[kSharpness]))) {
      place[kLargestRequest] = law.place[kLargestRequest];
      for (const auto& [fixed, end] : open) place[fixed] = law.place[fixed];
      for (const LawParameter fixed : raised) place[fixed] = law.place[fixed];
      starts.push_back(place);
    }
    for (LawPlace& place : starts) place[parameter] = left_out(parameter);
    const FoundLaw off = search.best(starts, others);
    const double allowed = law.cost + law.tolerance();
    if (off.cost > allowed) continue;
    const double least = std::min(law.cost, off.cost);
    open[parameter] = std::exp(closed_end(search, off, parameter, allowed));
    LawPlace place = law.place;
    place[parameter] = closed_end(search, law, parameter, least + kAllButAsWell * law.tolerance());
    law = search.from(place, others);
    law.raised = raised;
  }
  return open;
}

/// The largest sharpness that fits as well as the least one, but for chance.
double sharpest(const LawSearch& search, const FoundLaw& law) {
  LawParameters others = law.fitted;
  std::erase(others, kSharpness);
  const auto good = [&](double value) {
    LawPlace place = law.place;
    place[kSharpness] = value;
    return search.from(place, others).cost <= law.cost + law.tolerance();
  };
  double inside = law.place[kSharpness];
  double outside = std::log(kManyAtOnce);
  if (good(outside)) return kManyAtOnce;
  while (outside - inside > 0.01) {
    const double middle = (inside + outside) / 2;
    (good(middle) ? inside : outside) = middle;
  }
  return std::exp(inside);
}

/// How far the points that `parameter` limits lie from the law, in logarithms.
std::vector<double> distances_below(const DriveLaw& law, LawParameter parameter,
                                    const std::vector<DrivePoint>& points) {
  std::vector<double> distances;
  for (const DrivePoint& p : points)
    if (limit_of(law, p) == parameter)
      distances.push_back(
          std::abs(std::log(attained_bandwidth(law, p.request, p.outstanding) / p.bandwidth)));
  return distances;
}

/// Half the width of what is known of a parameter, in logarithms: that of the fit, or of a median
/// of few points; at least so wide that it holds those that the parameter limits.
double width_of(const FoundLaw& law, LawParameter parameter,
                const std::vector<DrivePoint>& points) {
  const double spread = std::sqrt(law.tolerance());
  const auto distances = distances_below(law_at(law.place), parameter, points);
  const auto at = std::ranges::find(law.fitted, parameter);
  const double of_fit =
      at != law.fitted.end()
          ? spread * law.deviation[static_cast<std::size_t>(at - law.fitted.begin())]
          : spread / std::sqrt(std::max(1.0, static_cast<double>(distances.size())));
  return std::max({of_fit, kTwoSided95 * quantile(distances, 0.68), quantile(distances, 0.95)});
}

std::vector<Known> known_of(const LawSearch& search, const FoundLaw& law,
                            const std::map<LawParameter, double>& open,
                            const std::vector<DrivePoint>& points) {
  std::vector<Known> all;
  for (std::size_t i = 0; i < kLawParameters; ++i) {
    const auto parameter = static_cast<LawParameter>(i);
    const double value = std::exp(law.place[parameter]);
    const auto at = std::ranges::find(law.fitted, parameter);
    if (const auto end = open.find(parameter); end != open.end()) {
      all.push_back({kNames[i], parameter == kLatency ? 0 : end->second,
                     parameter == kLatency ? end->second : kInfinite});
    } else if (parameter == kSharpness && at != law.fitted.end() && value <= kOneAfterAnother) {
      all.push_back({kNames[i], value, sharpest(search, law), true});
    } else if (at != law.fitted.end() || std::ranges::count(law.raised, parameter) > 0) {
      const double factor = std::exp(width_of(law, parameter, points));
      if (std::isfinite(factor))
        all.push_back({kNames[i], value / factor, value * factor});
      else  // the points lie so that many values fit alike
        all.push_back({kNames[i], 0, kInfinite});
    }
  }
  return all;
}

}  // namespace

bool Known::told() const { return low > 0 || std::isfinite(high); }

bool Known::open() const { return told() && (low == 0 || !std::isfinite(high)); }

const Known* DriveFit::what_is_known_of(std::string_view name) const {
  const auto found = std::ranges::find(known, name, &Known::name);
  return found == known.end() ? nullptr : &*found;
}

DriveFit fit_drive(const std::vector<DrivePoint>& points, const std::string& name,
                   std::optional<double> sharpness) {
  refuse_few(points, name);
  const LawSearch search(points);
  const FoundLaw flash = search.best(search.starts(sharpness.value_or(kManyAtOnce)), kRoofs);
  const FoundLaw free = freely_sharp(search, flash);
  std::vector<FoundLaw> laws{flash};
  if (!sharpness) laws.push_back(free);
  for (std::size_t i = laws.size(); i-- > 0;)
    if (auto found = limited(search, laws[i], points)) laws.push_back(std::move(*found));
  for (FoundLaw& law : laws) law = raised(search, std::move(law), points);
  FoundLaw law = simplest(laws);
  const std::map<LawParameter, double> open = close_open_ends(search, law);

  DriveFit fit;
  fit.law = law_at(law.place);
  fit.known = known_of(search, law, open, points);
  fit.departures = departures(fit.law, points);
  fit.median = absolute_quantile(fit.departures, 0.5);
  if (fit.median > kLargestDeviation)
    throw InputError({Problem{
        {name, 0, 0},
        fmt::format(
            "half of the {} measurements depart by {:.0f} % or more from the best law: they "
            "tell none; measure again while nothing else uses the drive",
            points.size(), 100 * fit.median)}});
  fit.p95 = absolute_quantile(fit.departures, 0.95);
  fit.flash_median = absolute_quantile(departures(law_at(flash.place), points), 0.5);
  fit.free_sharpness = std::exp(free.place[kSharpness]);
  return fit;
}

}  // namespace gpufeed
