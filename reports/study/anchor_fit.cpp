// SPDX-License-Identifier: Apache-2.0
#include "reports/study/anchor_fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/fault.h"
#include "sim/elasticity.h"
#include "sim/range/crossing.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

constexpr double kLeastNoise = 0.002;  ///< relative, of what is called a difference
constexpr double kBeyond = 2;          ///< times the plausible bounds that are looked at
constexpr double kTenth = 0.1;

double logarithm(double value) { return std::log(std::max(value, 1e-300)); }

class Search {
 public:
  Search(const Trials& trials, const Shown& now, const OpenNumber& number,
         const std::vector<bool>& wanted)
      : trials_(trials), now_(now), number_(number) {
    const auto& all = trials.observations();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].seen && (wanted.empty() || wanted[i])) of_.push_back(i);
  }

  Fitted run() {
    out_.moved.assign(trials_.observations().size(), false);
    const Shown* const same = at(0);
    if (!same || trials_.differ(*same, now_)) return ended(Found::unfit, 0);
    if (!set_ends()) return ended(Found::unfit, 0);
    note_what_moves();
    if (signs_.empty()) return ended(Found::nothing, 0);
    const double low = excess(low_), high = excess(high_);
    const double sure = kFarOff * deviation_of_excess();
    const bool low_open = std::abs(low) <= sure, high_open = std::abs(high) <= sure;
    if ((low > 0) == (high > 0) && !low_open && !high_open)
      return out_of_reach(std::abs(low) < std::abs(high) ? low_ : high_);
    if (low_open && high_open) return ended(Found::too_weak, 0);
    if (high_open) return bound(Found::at_least, low > 0 ? sure : -sure);
    if (low_open) return bound(Found::at_most, high > 0 ? sure : -sure);
    const double at =
        crossing([&](double u) { return excess(u); }, {low_, low}, {high_, high}, within());
    if (at < std::log(number_.least) || at > std::log(number_.most)) return out_of_reach(at);
    out_.deviation = deviation_at(at);
    return ended(Found::value, at);
  }

 private:
  /// With the number exp(u) times what is stated; null where that is no scenario.
  const Shown* at(double u) {
    const auto [entry, fresh] = known_.try_emplace(u);
    if (fresh) entry->second = trials_.at(overrides_at(number_, std::exp(u)));
    return entry->second ? &*entry->second : nullptr;
  }

  /// How far to look, at least as far as the scenario holds together.
  bool set_ends() {
    if (!number_.is_stated) return set_ends_of_unstated();
    low_ = std::log(std::max(number_.key_least, number_.least / kBeyond));
    high_ = std::log(std::min(number_.key_most, number_.most * kBeyond));
    return reach(low_) && reach(high_);
  }
  bool reach(double& end) {
    for (int tries = 0; tries < 4; ++tries, end *= 0.6)
      if (at(end)) return true;
    return false;
  }
  /// Down from where it limits nothing, to well below where it begins to.
  bool set_ends_of_unstated() {
    high_ = 0;
    const double end = std::log(number_.key_least), step = std::log(10);
    for (double u = -step; u >= end; u -= step) {
      low_ = u;
      if (!at(u)) return false;
      if (trials_.differ(*at(u), now_)) break;
      high_ = u;
    }
    low_ = std::max(end, low_ - 2 * step);
    return at(low_);
  }

  double ratio(double u, std::size_t i) {
    const Shown* const shown = at(u);
    return shown && shown->observables[i]
               ? logarithm(*shown->observables[i]) - std::log(*trials_.observations()[i].seen)
               : 0;
  }
  double weight(std::size_t i) const {
    return std::pow(relative_deviation(trials_.observations()[i]), -2);
  }

  void note_what_moves() {
    const double noise = noise_of(at(low_)->result, at(high_)->result, kLeastNoise);
    for (const std::size_t i : of_) {
      const double change = ratio(high_, i) - ratio(low_, i);
      if (std::abs(change) <= noise) continue;
      out_.moved[i] = true;
      signs_[i] = change > 0 ? 1 : -1;
    }
  }

  /// g of the header: increases with u.
  double excess(double u) {
    double sum = 0, weights = 0;
    for (const auto& [i, sign] : signs_)
      sum += sign * weight(i) * ratio(u, i), weights += weight(i);
    return sum / weights;
  }
  double deviation_of_excess() const {
    double weights = 0;
    for (const auto& [i, sign] : signs_) weights += weight(i);
    return 1 / std::sqrt(weights);
  }
  double within() const { return std::clamp(kTenth * deviation_of_excess(), 5e-4, 0.01); }

  double slope(std::size_t i, double u, double step) {
    return (ratio(u + step, i) - ratio(u - step, i)) / (2 * step);
  }
  double deviation_at(double u) {
    const double step = std::clamp(deviation_of_excess(), 0.01, 0.1);
    double sum = 0;
    for (const auto& [i, sign] : signs_) sum += weight(i) * std::pow(slope(i, u, step), 2);
    return 1 / std::sqrt(sum);
  }

  /// Of all that was observed; between what is stated and `u`, unless these are about the same.
  double elasticity_to(double u) {
    constexpr double kSame = 0.05;
    double sum = 0, weights = 0;
    for (const std::size_t i : of_) {
      const double e = std::abs(u) > kSame ? (ratio(u, i) - ratio(0, i)) / u : slope(i, u, kSame);
      sum += weight(i) * e * e;
      weights += weight(i);
    }
    return std::sqrt(sum / weights);
  }

  Fitted bound(Found found, double level) {
    const double at =
        crossing([&](double u) { return excess(u) - level; }, {low_, excess(low_) - level},
                 {high_, excess(high_) - level}, within());
    note_end(found == Found::at_least ? high_ : low_, at);
    return ended(found, at);
  }

  void note_end(double end, double bound) {
    const Shown *const shown = at(end), *const between = at((end + bound) / 2);
    if (!shown) return;
    out_.end.attains = all_near(trials_.observations(), shown->observables);
    const double deviation = deviation_of_excess();
    out_.end.levels_off = std::abs(excess(end)) <= deviation && between &&
                          std::abs(excess(end) - excess((end + bound) / 2)) <= kTenth * deviation;
    out_.end.binds = shown->result.bottleneck.resource;
  }

  Fitted out_of_reach(double towards) {
    return ended(Found::out_of_reach,
                 std::clamp(towards, std::log(number_.least), std::log(number_.most)));
  }

  Fitted ended(Found found, double u) {
    out_.found = found;
    out_.factor = std::exp(u);
    const Shown* const shown = found == Found::unfit ? nullptr : at(u);
    out_.shown = shown ? *shown : now_;
    out_.misfit = misfit_of(trials_.observations(), out_.shown.observables);
    if (found == Found::value) out_.elasticity = elasticity_to(u);
    out_.explains = std::ranges::all_of(of_, [&](std::size_t i) {
      return !out_.moved[i] ||
             std::abs(ratio(u, i)) <= kFarOff * relative_deviation(trials_.observations()[i]);
    });
    return std::move(out_);
  }

  const Trials& trials_;
  const Shown& now_;
  const OpenNumber& number_;
  std::vector<std::size_t> of_;  ///< what was observed, and counts
  std::map<double, std::optional<Shown>> known_;
  std::map<std::size_t, int> signs_;  ///< of what it moves
  double low_ = 0, high_ = 0;
  Fitted out_;
};

}  // namespace

std::optional<Shown> Trials::at(const std::vector<Override>& values) const {
  const FaultsThrow guard;
  try {
    Scenario scenario = source_.load(values);
    scenario.run.once();
    Shown shown{simulate(scenario), {}};
    shown.observables = observables_of(scenario, shown.result);
    return shown;
  } catch (const std::exception&) {
    return {};
  }
}

bool Trials::differ(const Shown& one, const Shown& other) const {
  const double noise = noise_of(one.result, other.result, kLeastNoise);
  for (std::size_t i = 0; i < observations_.size(); ++i)
    if (observations_[i].seen && one.observables[i] && other.observables[i] &&
        std::abs(logarithm(*one.observables[i]) - logarithm(*other.observables[i])) > noise)
      return true;
  return false;
}

Fitted fit(const Trials& trials, const Shown& now, const OpenNumber& number,
           const std::vector<bool>& wanted) {
  return Search(trials, now, number, wanted).run();
}

}  // namespace gpufeed
