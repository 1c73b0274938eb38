// SPDX-License-Identifier: Apache-2.0
#include "reports/study/learn_discrepancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "reports/study/discrepancy_fit.h"

namespace gpufeed {
namespace {

constexpr std::size_t kFolds = 5;

/// Whether a law that replaced another was asked again, without what the source had taught.
bool is_again(const FirstContact& one, const FirstContact& first) {
  constexpr double kRounding = 1e-3;
  return one.counts != 1 && one.source == first.source && one.date >= first.date &&
         std::abs(std::log(one.measured / first.measured)) < kRounding;
}

/// Without first contacts whose law was replaced since; without sources that had taught what
/// predicts them, of mechanisms that enough others have shown, but for those asked again.
std::vector<FirstContact> those_that_count(const std::vector<FirstContact>& contacts) {
  constexpr std::size_t kEnough = 5;
  std::set<const FirstContact*> old, again;
  for (const FirstContact& first : contacts)
    for (const FirstContact& one : contacts)
      if (first.counts == 1 && is_again(one, first)) old.insert(&first), again.insert(&one);
  std::map<Mechanism, std::set<std::string>> others;
  for (const FirstContact& one : contacts)
    if (one.counts == 1 || again.contains(&one)) others[one.mechanism].insert(one.source);
  std::vector<FirstContact> out;
  for (const FirstContact& one : contacts)
    if (one.counts == 1 ? !old.contains(&one)
                        : again.contains(&one) || others[one.mechanism].size() < kEnough)
      out.push_back(one);
  return out;
}

/// An error over its deviation, as seen from other sources.
struct LeftOut {
  const ContactError* row = nullptr;
  double z = 0;
};

/// The rows of one source have numbers one after the other: a fold takes every fifth.
std::vector<LeftOut> left_out(const std::vector<ContactError>& rows) {
  std::vector<LeftOut> out;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<ContactError> others;
    std::ranges::copy_if(rows, std::back_inserter(others),
                         [&](const ContactError& row) { return row.source % kFolds != fold; });
    const DiscrepancyScales scales = fit_scales(others);
    for (const ContactError& row : rows)
      if (row.source % kFolds == fold) out.push_back({&row, row.error / scales.sigma(row)});
  }
  return out;
}

struct Weighted {
  double value, weight;
};

/// Between values at the middle of their weights.
double quantile(std::vector<Weighted> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values, {}, &Weighted::value);
  double all = 0;
  for (const Weighted& one : values) all += one.weight;
  double before = 0, last_at = 0, last = values.front().value;
  for (const Weighted& one : values) {
    const double at = (before + one.weight / 2) / all;
    if (at >= part)
      return at > last_at ? last + (one.value - last) * (part - last_at) / (at - last_at)
                          : one.value;
    before += one.weight, last_at = at, last = one.value;
  }
  return last;
}

template <class Value>
std::vector<Weighted> values_of(const std::vector<LeftOut>& all, const Value& value) {
  std::vector<Weighted> out;
  out.reserve(all.size());
  for (const LeftOut& one : all) out.push_back({value(one.z), one.row->weight});
  return out;
}

double magnitude(double z) { return std::abs(z); }

std::size_t sources_of(const std::vector<LeftOut>& all) {
  std::set<std::size_t> sources;
  for (const LeftOut& one : all) sources.insert(one.row->source);
  return sources.size();
}

/// How alike the errors of one source are.
struct Alike {
  double r = 0;
  double sources = 0;  ///< that have pairs
};

Alike alike(const std::vector<LeftOut>& all) {
  double weight = 0, mean = 0, square = 0;
  for (const LeftOut& one : all) weight += one.row->weight, mean += one.row->weight * one.z;
  if (weight <= 0) return {};
  mean /= weight;
  for (const LeftOut& one : all) square += one.row->weight * std::pow(one.z - mean, 2);
  // Half of the mean squared difference of a source's pairs is the variance within it.
  double within = 0, of = 0;
  Alike out;
  std::set<std::size_t> sources;
  for (const LeftOut& one : all) sources.insert(one.row->source);
  for (const std::size_t source : sources) {
    double count = 0, sum = 0, squares = 0;
    for (const LeftOut& one : all)
      if (one.row->source == source) ++count, sum += one.z, squares += one.z * one.z;
    if (count < 2) continue;
    const double heavy = std::min(std::sqrt(count), 3.0);
    within += heavy * std::max(0.0, squares - sum * sum / count) / (count - 1);
    of += heavy;
    ++out.sources;
  }
  if (of > 0 && square > 0) out.r = std::clamp(1 - within / of / (square / weight), 0.0, 1.0);
  return out;
}

/// The entry of one mechanism, from what its rows were off.
class Teacher {
 public:
  Teacher(const std::vector<ContactError>& rows, const std::vector<LeftOut>& all)
      : scales_(fit_scales(rows)),
        all_(all),
        common_(quantile(values_of(all, magnitude), kLevel)),
        alike_(alike(all)) {}

  Discrepancy entry(Mechanism mechanism, const std::vector<FirstContact>& contacts) const {
    Discrepancy out;
    out.name = name_of(mechanism);
    out.deviation = scales_.deviation[static_cast<std::size_t>(mechanism)];
    out.parameters = scales_.values;
    std::vector<LeftOut> own;
    std::ranges::copy_if(all_, std::back_inserter(own),
                         [&](const LeftOut& one) { return one.row->mechanism == mechanism; });
    out.rows = std::ssize(own);
    out.sources = static_cast<std::int64_t>(sources_of(own));
    set_ends(own, out);
    const Alike of_own = alike(own);
    constexpr double kAsIf = 4;
    out.shared = (of_own.sources * of_own.r + kAsIf * alike_.r) / (of_own.sources + kAsIf);
    for (std::size_t k = 0; k < kStepKinds; ++k)
      out.steps.push_back({static_cast<Step>(k), scales_.step[k]});
    set_seen(mechanism, contacts, out);
    std::set<std::string> untaught;
    for (const FirstContact& one : contacts)
      if (one.mechanism == mechanism && one.counts == 1) untaught.insert(one.source);
    out.first_contacts = std::ssize(untaught);
    return out;
  }

 private:
  static constexpr double kLevel = 0.8;

  void set_ends(const std::vector<LeftOut>& own, Discrepancy& out) const {
    constexpr double kAsIf = 6, kAsIfEnds = 8, kMostOfCommon = 2.5, kLeast = 0.35;
    const auto k = static_cast<double>(out.sources);
    const double q = own.empty() ? common_ : quantile(values_of(own, magnitude), kLevel);
    const double both = std::min(
        std::exp((k * std::log(std::max(q, 1e-6)) + kAsIf * std::log(common_)) / (k + kAsIf)),
        kMostOfCommon * common_);
    const auto end = [&](double below) {
      const auto toward = [&](double z) { return below < 0.5 ? -z : z; };
      const double own_end = quantile(values_of(own, toward), std::max(below, 1 - below));
      return std::max((k * own_end + kAsIfEnds * both) / (k + kAsIfEnds), kLeast * both);
    };
    out.lower = end((1 - kLevel) / 2);
    out.upper = end((1 + kLevel) / 2);
  }

  /// All combinations that stand in rows, each with the sources that have it or more.
  static void set_seen(Mechanism mechanism, const std::vector<FirstContact>& contacts,
                       Discrepancy& out) {
    std::set<Steps> combinations;
    for (const FirstContact& one : contacts)
      if (one.mechanism == mechanism) combinations.insert(one.steps);
    for (const Steps& steps : combinations) {
      std::set<std::string> sources;
      for (const FirstContact& one : contacts)
        if (one.mechanism == mechanism && std::ranges::includes(one.steps, steps))
          sources.insert(one.source);
      out.seen.push_back({steps, std::ssize(sources)});
    }
  }

  const DiscrepancyScales scales_;
  const std::vector<LeftOut>& all_;
  const double common_;
  const Alike alike_;
};

std::string steps_in_toml(const Steps& steps) {
  std::vector<std::string> names;
  for (const Step step : steps) names.push_back(fmt::format("\"{}\"", name_of(step)));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

Discrepancies learn_discrepancies(const std::vector<FirstContact>& contacts) {
  std::vector<FirstContact> sorted = those_that_count(contacts);
  for (FirstContact& one : sorted) std::ranges::sort(one.steps);
  const auto rows = errors_of(sorted);
  const auto all = left_out(rows);
  const Teacher teacher(rows, all);
  Discrepancies out;
  for (std::size_t m = 0; m < kMechanisms; ++m) {
    const auto mechanism = static_cast<Mechanism>(m);
    out[mechanism] = std::make_shared<Discrepancy>(teacher.entry(mechanism, sorted));
  }
  return out;
}

std::string to_toml(const Discrepancy& one) {
  std::string out = fmt::format(
      "title = \"How far off predictions are: {}\"\n"
      "source = \"{} rows of {} sources, by gpufeed validate --learn-discrepancy\"\n"
      "basis = \"measured\"\n",
      one.name, one.rows, one.sources);
  const auto number = [&](std::string_view key, double value) {
    out += fmt::format("{} = {:.4f}\n", key, value);
  };
  number("deviation", one.deviation);
  number("parameters", one.parameters);
  number("lower", one.lower);
  number("upper", one.upper);
  number("shared", one.shared);
  out += fmt::format("sources = {}\nfirst_contacts = {}\nrows = {}\nsteps = [\n", one.sources,
                     one.first_contacts, one.rows);
  for (const StepFactor& step : one.steps)
    out +=
        fmt::format("  {{ step = \"{}\", factor = {:.4f} }},\n", name_of(step.step), step.factor);
  out += "]\nseen = [\n";
  for (const SeenSteps& seen : one.seen)
    out +=
        fmt::format("  {{ steps = {}, sources = {} }},\n", steps_in_toml(seen.steps), seen.sources);
  return out + "]\n";
}

}  // namespace gpufeed
