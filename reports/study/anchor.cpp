// SPDX-License-Identifier: Apache-2.0
#include "reports/study/anchor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "reports/study/anchor_fit.h"
#include "reports/study/in_parallel.h"
#include "reports/writers/phrase_book.h"
#include "sim/base/nearest.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"

namespace gpufeed {
namespace {

constexpr double kAsGood = 4;      ///< more of a misfit, of what explains a run as well
constexpr double kBarely = 0.8;    ///< of a misfit, of what explains hardly any of it
constexpr double kTie = 1.5;       ///< times as likely
constexpr std::size_t kNamed = 4;  ///< bounds that a refusal names

struct Contender {
  const OpenNumber* number = nullptr;
  Fitted fitted;

  /// How much of what was observed the run owes to its not being known.
  double reach() const { return fitted.elasticity * number->deviation; }
};

std::string unit_of(const UnitTable& units) {
  for (const UnitName& unit : units.names)
    if (unit.factor == 1) return std::string(unit.name);
  return "";
}

AnchorNumber told(const Contender& candidate, const std::vector<Observation>& observations) {
  const OpenNumber& number = *candidate.number;
  const Fitted& fitted = candidate.fitted;
  AnchorNumber out;
  out.name = number.name;
  out.path = text(number.path());
  out.basis = number.basis;
  out.unit = unit_of(*number.units);
  if (number.is_stated) out.stated = number.stated;
  out.stated_deviation = number.deviation;
  const double value = number.stated * fitted.factor;
  if (fitted.found == Found::at_least) out.at_least = value;
  if (fitted.found == Found::at_most) out.at_most = value;
  out.misfit = fitted.misfit;
  out.check = number.check;
  if (fitted.found != Found::value) return out;
  out.value = value;
  out.deviation = fitted.deviation;
  out.elasticity = fitted.elasticity;
  out.set = sets_of(number, fitted.factor);
  out.predictions = sightings_of(observations, fitted.shown.observables);
  return out;
}

/// "8.5 GB/s".
std::string value_of(const Contender& candidate) {
  constexpr int kDigits = 4;
  const OpenNumber& number = *candidate.number;
  return text_in(*number.units, number.stated * candidate.fitted.factor, kDigits);
}

std::string seen_names(const std::vector<Observation>& observations) {
  std::vector<std::string> names;
  for (const auto& one : observations)
    if (one.seen) names.push_back(one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string value_text(const Observation& observation, double value) {
  if (observation.unit == "B/s") return text(Bandwidth{value}, 4);
  if (observation.name == "gpu_utilization") return text(Ratio{value}, 4);
  return text_number(value) + (observation.unit.empty() ? "" : "/s");
}

/// What was observed furthest off where a fit ends.
std::size_t furthest(const std::vector<Observation>& all, const Observables& observables) {
  std::size_t worst = all.size();
  double most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].seen || !observables[i]) continue;
    const double off = std::abs(*observables[i] / *all[i].seen - 1) / relative_deviation(all[i]);
    if (worst == all.size() || off > most) worst = i, most = off;
  }
  return worst;
}

class Anchoring {
 public:
  Anchoring(const ScenarioSource& source, const Observed& observed, const AnchorOptions& options)
      : observed_(observed),
        options_(options),
        scenario_(source.load()),
        trials_(source, observations_of(observed)),
        numbers_(numbers_of(scenario_)) {}

  Anchored run() {
    require_observables();
    now_ = *trials_.at({});
    check_observable(scenario_, observations(), now_.observables, observed_);
    const OpenNumber* const wanted = options_.key ? &number_at(*options_.key) : nullptr;
    sort_out(wanted);
    fit_all();
    const Contender* const best = wanted ? find(*wanted) : most_likely();
    if (!best || best->fitted.found != Found::value || !best->fitted.explains)
      refuse(wanted ? find(*wanted) : nullptr);
    return {report(*best), *best->number, best->fitted.factor};
  }

 private:
  const std::vector<Observation>& observations() const { return trials_.observations(); }

  void require_observables() const {
    Diagnostics out;
    if (!scenario_.workload.is<RunsEpochs>() && !scenario_.workload.is<kind::Checkpointing>())
      out.error(scenario_.workload.where,
                "a run sets a number of training, emulated, loader and checkpointing; this "
                "workload is of kind {}",
                name_of(scenario_.workload.kind()));
    out.throw_if_any();
  }

  const OpenNumber& number_at(const KeyPath& path) const {
    Names known;
    for (const OpenNumber& number : numbers_) {
      if (std::ranges::count(number.settings, path, &NumberSetting::path)) return number;
      known.push_back(text(number.path()));
    }
    const std::string wanted = text(path);
    Problem problem{
        {"--key " + wanted, 0, 0},
        "this is no number of a product, store or data set in use; " + suggestion(wanted, known)};
    problem.subject = path;
    problem.known = known;
    throw InputError({problem});
  }

  /// Parts the open numbers into those that move what was observed and the others.
  void sort_out(const OpenNumber* wanted) {
    std::vector<const OpenNumber*> stated;
    for (const OpenNumber& number : numbers_) {
      if (!number.open && &number != wanted) continue;
      if (!number.is_stated || &number == wanted)
        candidates_.push_back({&number, {}});
      else
        stated.push_back(&number);
    }
    halve(stated);
  }

  void halve(const std::vector<const OpenNumber*>& group) {
    if (group.empty()) return;
    if (!moves(group)) {
      for (const OpenNumber* number : group) unmoved_.push_back(number->name);
      return;
    }
    if (group.size() == 1) {
      candidates_.push_back({group.front(), {}});
      return;
    }
    const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
    halve({group.begin(), middle});
    halve({middle, group.end()});
  }

  /// Whether all of them together, at their slowest or at their fastest, change what is seen.
  bool moves(const std::vector<const OpenNumber*>& group) const {
    for (const bool slow : {true, false}) {
      std::vector<Override> values;
      for (const OpenNumber* number : group)
        for (auto& one :
             overrides_at(*number, number->less_is_slower == slow ? number->least : number->most))
          values.push_back(std::move(one));
      const auto shown = trials_.at(values);
      if (!shown || trials_.differ(*shown, now_)) return true;
    }
    return false;
  }

  void fit_all() {
    std::mutex mutex;
    std::int64_t done = 0;
    in_parallel(candidates_.size(), options_.jobs, [&](std::size_t i) {
      candidates_[i].fitted = fit(trials_, now_, *candidates_[i].number);
      const std::scoped_lock lock(mutex);
      options_.progress(++done, static_cast<std::int64_t>(candidates_.size()));
    });
  }

  const Contender* find(const OpenNumber& number) const {
    const auto found = std::ranges::find(candidates_, &number, &Contender::number);
    return found == candidates_.end() ? nullptr : &*found;
  }

  std::vector<const Contender*> all_of(Found found) const {
    std::vector<const Contender*> out;
    for (const Contender& one : candidates_)
      if (one.fitted.found == found) out.push_back(&one);
    return out;
  }

  /// What explains all that it moves, the likeliest first.
  std::vector<const Contender*> explaining() const {
    auto out = all_of(Found::value);
    std::erase_if(out, [](const Contender* one) { return !one->fitted.explains; });
    double least = std::numeric_limits<double>::infinity();
    for (const Contender* one : out) least = std::min(least, one->fitted.misfit);
    std::erase_if(out, [&](const Contender* one) { return one->fitted.misfit > least + kAsGood; });
    std::ranges::stable_sort(
        out, [](const Contender* a, const Contender* b) { return a->reach() > b->reach(); });
    return out;
  }
  const Contender* most_likely() const {
    const auto all = explaining();
    return all.empty() || all.front()->reach() <= 0 ? nullptr : all.front();
  }

  Anchor report(const Contender& best) const {
    Anchor out;
    out.title = now_.result.title;
    out.run = observed_.title;
    out.before = sightings_of(observations(), now_.observables);
    out.misfit = misfit_of(observations(), now_.observables);
    out.number = told(best, observations());
    std::vector<std::vector<Sighting>> explanations{out.number.predictions};
    for (const Contender* one : explaining()) {
      if (one == &best) continue;
      out.as_well.push_back(told(*one, observations()));
      out.tie = out.tie || one->reach() * kTie > best.reach();
      explanations.push_back(out.as_well.back().predictions);
    }
    out.telling = telling_of(explanations);
    for (std::size_t i = 0; i < observations().size(); ++i)
      if (observations()[i].seen && !best.fitted.moved[i] &&
          std::abs(*best.fitted.shown.observables[i] / *observations()[i].seen - 1) >
              kFarOff * relative_deviation(observations()[i]))
        out.left.push_back(out.number.predictions[i]);
    for (const Found found : {Found::at_least, Found::at_most})
      for (const Contender* one : all_of(found)) out.bounded.push_back(told(*one, observations()));
    out.unmoved = unmoved_;
    for (const Contender* one : all_of(Found::nothing))
      if (one->number->is_stated) out.unmoved.push_back(one->number->name);
    for (const Contender* one : all_of(Found::too_weak)) out.too_weak.push_back(one->number->name);
    return out;
  }

  [[noreturn]] void refuse(const Contender* only) const {
    std::vector<const Contender*> left;
    for (const Contender& one : candidates_)
      if (!only || &one == only) left.push_back(&one);
    const auto nearest_of = [&](Found found) {
      const Contender* best = nullptr;
      for (const Contender* one : left)
        if (one->fitted.found == found && (!best || one->fitted.misfit < best->fitted.misfit))
          best = one;
      return best;
    };
    const bool attained =
        all_near(observations(), now_.observables) ||
        std::ranges::any_of(left, [](const Contender* one) { return one->fitted.end.attains; });
    std::string why;
    if (const Contender* one = nearest_of(Found::value))
      why = contradiction(*one);
    else if (const Contender* near = nearest_of(Found::out_of_reach); near && !attained)
      why = not_attained(*near);
    else
      why = bound_by(left);
    throw InputError({{observed_.where, why}});
  }

  std::string contradiction(const Contender& one) const {
    std::string alone;
    for (std::size_t i = 0; i < observations().size(); ++i) {
      if (!one.fitted.moved[i]) continue;
      std::vector<bool> wanted(observations().size());
      wanted[i] = true;
      const Contender of_it{one.number, fit(trials_, now_, *one.number, wanted)};
      alone +=
          fmt::format("{}{} alone asks for {}{}", alone.empty() ? "" : ", ", observations()[i].name,
                      of_it.fitted.found == Found::value ? "" : "at best ", value_of(of_it));
    }
    return fmt::format(
        "what was seen contradicts itself: no one number explains all of {}; of {}, which comes "
        "nearest, {}",
        seen_names(observations()), text(one.number->path()), alone);
  }

  std::string not_attained(const Contender& near) const {
    const std::size_t worst = furthest(observations(), near.fitted.shown.observables);
    const Observation& seen = observations()[worst];
    if (near.fitted.misfit > kBarely * misfit_of(observations(), now_.observables))
      return fmt::format(
          "{} = {} cannot be attained by any one open number within plausible bounds: none takes "
          "it "
          "far from the predicted {}, which is bound by {}",
          seen.name, value_text(seen, *seen.seen), value_text(seen, *now_.observables[worst]),
          in_words(now_.result.bottleneck.resource));
    return fmt::format(
        "{} = {} cannot be attained by any one open number within plausible bounds; {} = {} comes "
        "nearest, with {}, and is then bound by {}",
        seen.name, value_text(seen, *seen.seen), text(near.number->path()), value_of(near),
        value_text(seen, *near.fitted.shown.observables[worst]),
        in_words(near.fitted.shown.result.bottleneck.resource));
  }

  /// What the scenario states is told first.
  std::string bound_by(std::vector<const Contender*> left) const {
    std::stable_partition(left.begin(), left.end(),
                          [](const Contender* one) { return one->number->is_stated; });
    std::vector<std::string> bounds, any;
    const Contender* level = nullptr;
    for (const Contender* one : left) {
      const Found found = one->fitted.found;
      if (found == Found::too_weak) any.push_back(text(one->number->path()));
      if (found != Found::at_least && found != Found::at_most) continue;
      if (!level && one->fitted.end.levels_off) level = one;
      bounds.push_back(fmt::format("{} {} {}", text(one->number->path()),
                                   found == Found::at_least ? "at least" : "at most",
                                   value_of(*one)));
    }
    const std::string none = "this run determines no open number: ";
    const std::string seen = seen_names(observations());
    if (!level && bounds.empty() && !any.empty())
      return fmt::format("{}{} may be off by so much that {} may have any plausible value", none,
                         seen, first_of(any, "others"));
    if (!level && !bounds.empty())
      return fmt::format("{}within what {} may be off, it says no more than {}", none, seen,
                         first_of(bounds, "such bounds"));
    const std::string out = fmt::format(
        "{}it is bound by {}, which none of them moves, and {} would be the same", none,
        in_words(level ? level->fitted.end.binds : now_.result.bottleneck.resource), seen);
    return bounds.empty() ? out : out + "; it says no more than " + first_of(bounds, "such bounds");
  }

  /// The first few, and how many more there are.
  static std::string first_of(std::vector<std::string> all, std::string_view what) {
    const std::size_t more = all.size() - std::min(all.size(), kNamed);
    all.resize(all.size() - more);
    return fmt::format("{}{}", fmt::join(all, ", "),
                       more > 0 ? fmt::format(", and {} more {}", more, what) : "");
  }

  const Observed& observed_;
  const AnchorOptions& options_;
  Scenario scenario_;
  Trials trials_;
  std::vector<OpenNumber> numbers_;
  Shown now_;
  std::vector<Contender> candidates_;
  std::vector<std::string> unmoved_;
};

}  // namespace

Anchored anchor(const ScenarioSource& source, const Observed& observed,
                const AnchorOptions& options) {
  return Anchoring(source, observed, options).run();
}

std::string anchored_text(std::string_view text, const OpenNumber& number, double factor,
                          const std::string& source) {
  std::string out(text);
  const auto as_own = [&](double value) {
    return with_table(text, "own",
                      {{"product", toml_string(number.owner)},
                       {"key", toml_string(number.key)},
                       {"value", toml_string(text_in(*number.units, value * factor, 4))}});
  };
  for (const NumberSetting& setting : number.settings) try {
      if (setting.numbered.empty()) return as_own(setting.value);
      out = with_value(out, setting.numbered, value_in_file(number, setting, factor, source));
    } catch (const InputError&) {
      if (number.key.empty()) throw;
      return as_own(setting.value);
    }
  return out;
}

}  // namespace gpufeed
