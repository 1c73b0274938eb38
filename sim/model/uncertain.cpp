// SPDX-License-Identifier: Apache-2.0
#include "sim/model/uncertain.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "sim/base/labels/label_text.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

template <class M>
inline constexpr bool kVaries = false;
template <class Unit>
inline constexpr bool kVaries<Quantity<Unit>> = true;
template <>
inline constexpr bool kVaries<Money> = false;
template <>
inline constexpr bool kVaries<Power> = false;
template <>
inline constexpr bool kVaries<FlopRate> = false;
template <>
inline constexpr bool kVaries<Frequency> = false;

template <class Q>
constexpr Measurand measurand_of() {
  if constexpr (std::same_as<Q, Seconds>) return Measurand::time;
  if constexpr (std::same_as<Q, Bytes>) return Measurand::size;
  if constexpr (std::same_as<Q, Ratio>) return Measurand::share;
  return Measurand::rate;
}

Measurand measurand_of(Likeness likeness) {
  switch (likeness) {
    case Likeness::alike:
      return Measurand::compute;
    case Likeness::facts_missing:
    case Likeness::other_generation:
      return Measurand::new_gpu;
    case Likeness::unlike:
      return Measurand::unseen;
  }
  return Measurand::unseen;
}

/// Chassis and modules of memory are bought; their numbers are in the machine's already, as those
/// of transformers are in a decoder's step.
template <class T>
inline constexpr bool kIsSimulated =
    !std::same_as<T, Chassis> && !std::same_as<T, Memory> && !std::same_as<T, TransformerLibrary>;

/// Goes through the values of a scenario in the order of their keys, and changes them. An entry
/// that several parts name is one: it is visited once, and all name its changed copy.
class ValueWalk {
 public:
  ValueWalk() = default;
  explicit ValueWalk(const std::vector<double>& factors) : factors_(&factors) {}

  std::vector<UncertainValue> values;  ///< passed so far

  void go_through(Scenario& scenario) {
    if (const auto* computes = scenario.workload.find<ComputesModel>())
      precision_ = computes->precision;
    for (const auto& gpu : scenario.system->gpus) gpus_.insert(gpu.model.name);
    at_key("system", [&] { follow(scenario.system); });
    at_key("workload", [&] {
      std::visit([&](auto& keys) { go_through_keys(keys); }, scenario.workload.of_kind);
    });
    at_key("store", [&] {
      for (auto& known : scenario.store) at_key(known.first, [&] { follow_members(known.second); });
    });
  }

 private:
  /// Where values stand: whose they are, and how they are known where they do not say it.
  struct Owner {
    const Entry* entry;
    std::string name;
    std::optional<Basis> of_all;  ///< of a table with a basis of its own
    std::string_view kind = {};

    Basis basis_of(std::string_view key) const {
      return of_all ? *of_all : entry->provenance_of(key).basis;
    }
  };

  // Classes, not lambdas: they are compiled once for a type of value, not for each owner.
  struct Follower {
    ValueWalk& walk;

    template <class M>
    void operator()(const Rule<M>& rule, M& member) const {
      walk.at_key(rule.name, [&] { walk.follow(member); });
    }
  };
  struct Inside {
    ValueWalk& walk;
    const Owner& owner;

    template <class M>
    void operator()(const Rule<M>& rule, M& member) const {
      walk.at_key(rule.name, [&] { walk.in(rule, member, owner); });
    }
  };

  /// An entry that is gone through, and which values of it were passed, by its own keys.
  struct Passed {
    std::size_t value;
    ValuePlace place;
  };
  struct Open {
    const void* entry;
    PathTaken::Mark from;
  };

  template <class Go>
  void at_key(std::string_view name, Go go) {
    if (factors_) return go();
    const auto mark = path_.mark();
    path_.key(name);
    go();
    path_.go_back(mark);
  }
  template <class M, class Go>
  void at_element(std::size_t number, const M& element, Go go) {
    if (factors_) return go();
    const auto mark = path_.mark();
    if constexpr (requires { text_of(element.id); })
      path_.element(number, text_of(element.id));
    else
      path_.element(number, "");
    go();
    path_.go_back(mark);
  }

  /// The value stands here as well.
  void note_place(std::size_t value, double number) {
    if (factors_) return;
    values[value].places.push_back(path_.since({0, 0}, number));
    for (const Open& open : open_)
      passed_[open.entry].push_back({value, path_.since(open.from, number)});
  }
  /// All values of an entry that was gone through before stand here as well.
  void note_again(const void* entry) {
    if (factors_) return;
    const std::vector<Passed> before = passed_[entry];
    for (const Passed& one : before) {
      const auto mark = path_.mark();
      path_.suffix(one.place);
      note_place(one.value, one.place.value);
      path_.go_back(mark);
    }
  }

  /// Values of the scenario itself are the user's.
  template <class T>
  void follow_members(T& value) {
    if constexpr (requires { value.basis; })
      return go_through_table(value, {nullptr, "the scenario", value.basis});
    for_each_member(value, Follower{*this});
  }

  template <class T>
  void go_through_keys(T& keys) {
    follow_members(keys);
    if constexpr (std::derived_from<T, ComputesModel>)
      for (StepLine& line : keys.step_lines) go_through_line(keys, line);
  }

  template <class T>
  void go_through_line(const T& keys, StepLine& line) {
    if (!keys.model) return;
    const auto rows = compute_rows(keys, line.gpu);
    if (rows.empty()) {
      const double factor = pass([&] {
        return UncertainValue{fmt::format("step time of {} on {}", keys.model.name, line.gpu),
                              Basis::estimate,
                              measurand_of(line.likeness),
                              {},
                              {},
                              {},
                              line.per_sample.value};
      });
      line.start = line.start * factor;
      line.per_sample = line.per_sample * factor;
    } else if constexpr (std::derived_from<T, RunsEpochs>) {
      if (rows.size() == 1 && rows.front().batch != keys.batch_per_gpu)
        turn(line, rows.front(), pass([&] {
               return UncertainValue{
                   fmt::format("fixed part of a step of {} on {}", keys.model.name, line.gpu),
                   Basis::estimate,
                   Measurand::time,
                   {},
                   {},
                   {},
                   line.per_sample.value};
             }));
    }
  }

  /// The line still passes through the one rate that is known, however that is off itself.
  void turn(StepLine& line, const ComputeRow& row, double factor) const {
    if (!factors_) return;
    const double batch = static_cast<double>(row.batch);
    const Seconds measured{batch / row.rate.value};
    line.start = std::min(line.start * factor, measured);
    line.per_sample = (measured - line.start) * (1 / batch);
  }

  template <class M>
  void follow(M& value) {
    if constexpr (HasFields<M>) follow_members(value);
  }
  /// What a store's servers are has become its array, which is off as a whole.
  void follow(std::optional<Ref<System>>&) {}
  void follow(std::optional<Ref<StorageSoftware>>&) {}
  template <class M>
  void follow(std::optional<M>& value) {
    if (value) follow(*value);
  }
  template <class M>
  void follow(std::vector<M>& list) {
    if constexpr (std::same_as<M, ComputeRow>)
      rows(list, "the workload's own rate");
    else if constexpr (HasFields<M>)
      for (std::size_t i = 0; i < list.size(); ++i)
        at_element(i, list[i], [&] { follow(list[i]); });
  }
  template <class T>
  void follow(Ref<T>& ref) {
    if (!ref) return;
    auto [known, fresh] = seen_.try_emplace(ref.entry.get(), ref.entry);
    if (fresh) {
      const bool outside = std::exchange(rewritten_, false);
      auto copy = std::make_shared<T>(*ref);
      open_.push_back({ref.entry.get(), path_.mark()});
      go_through_table(*copy, {copy.get(), ref.name, {}, T::kKind});
      open_.pop_back();
      if (rewritten_) seen_[ref.entry.get()] = copy;
      rewritten_ = rewritten_ || outside;
    } else {
      note_again(ref.entry.get());
    }
    const auto& now = seen_[ref.entry.get()];
    if (now == ref.entry) return;
    rewritten_ = true;
    ref.entry = std::static_pointer_cast<const T>(now);
  }

  template <class T>
  void go_through_table(T& table, Owner owner) {
    if constexpr (!std::derived_from<T, Entry> && requires { table.basis; })
      owner.of_all = table.basis;
    for_each_member(table, Inside{*this, owner});
  }

  template <class R, class M>
  void in(const R& rule, M& value, const Owner& owner) {
    if constexpr (kVaries<M>) {
      if (rule.exact) return;
      const auto known = [&] {
        UncertainValue out{fmt::format("{} of {}", rule.name, owner.name),
                           owner.basis_of(rule.name),
                           measurand_of<M>(),
                           owner.kind,
                           owner.name,
                           std::string(rule.name),
                           value.value,
                           &units_of<M>()};
        if (rule.ranged) out.least = M(rule.min).value, out.most = M(rule.max).value;
        return out;
      };
      value = value * pass(known, value.value);
      if (rule.ranged) value = std::clamp(value, M(rule.min), M(rule.max));
    } else if constexpr (HasFields<M>) {
      go_through_table(value, owner);
    }
  }
  template <class R, class M>
  void in(const R& rule, std::optional<M>& value, const Owner& owner) {
    if (value) in(rule, *value, owner);
  }
  template <class R, class M>
  void in(const R& rule, std::vector<M>& list, const Owner& owner) {
    if constexpr (std::same_as<M, ComputeRow>)
      rows(list, "rate of " + owner.name);
    else if constexpr (HasFields<M>)
      for (std::size_t i = 0; i < list.size(); ++i)
        at_element(i, list[i], [&] {
          go_through_table(
              list[i],
              {owner.entry, factors_ ? "" : fmt::format("{}[{}] of {}", rule.name, i, owner.name),
               owner.of_all, owner.kind});
        });
  }
  /// The rates of one GPU were measured together: they are as far off as one another.
  void rows(std::vector<ComputeRow>& list, const std::string& what) {
    struct Shared {
      std::size_t value;
      double factor;
    };
    std::map<std::string, Shared> factor_on;
    for (std::size_t i = 0; i < list.size(); ++i) {
      ComputeRow& row = list[i];
      if (row.precision != precision_ || !gpus_.contains(row.gpu.name)) continue;
      if (!factor_on.contains(row.gpu.name)) {
        const std::size_t number = next_;
        const double factor = pass([&] {
          return UncertainValue{fmt::format("{} on {}", what, row.gpu.name),
                                row.basis,
                                Measurand::compute,
                                {},
                                {},
                                {},
                                row.rate.value,
                                &units_of<Rate>()};
        });
        factor_on[row.gpu.name] = {number, factor};
      }
      const Shared& shared = factor_on[row.gpu.name];
      at_element(i, row,
                 [&] { at_key("rate", [&] { note_place(shared.value, row.rate.value); }); });
      row.rate = row.rate / shared.factor;
    }
  }
  /// A row of a table names its part only to say whose it is.
  template <class R, class T>
  void in(const R&, Ref<T>& ref, const Owner& owner) {
    if constexpr (kIsSimulated<T>)
      if (!owner.of_all) follow(ref);
  }

  /// \param describe  the value, which only a list of them needs
  /// \param number    SI; none: no key says it
  template <class Describe>
  double pass(const Describe& describe, std::optional<double> number = {}) {
    const std::size_t value = next_++;
    if (factors_) {
      const double factor = factors_->at(value);
      rewritten_ = rewritten_ || factor != 1;
      return factor;
    }
    values.push_back(describe());
    if (number) note_place(value, *number);
    return 1;
  }

  const std::vector<double>* factors_ = nullptr;  ///< none: nothing is changed
  std::size_t next_ = 0;                          ///< number of the next value
  std::string precision_;
  std::set<std::string, std::less<>> gpus_;  ///< products in the machine
  bool rewritten_ = false;                   ///< something in the entry that is gone through
  std::map<const void*, std::shared_ptr<const void>> seen_;
  PathTaken path_;
  std::vector<Open> open_;
  std::map<const void*, std::vector<Passed>> passed_;
};

}  // namespace

bool is_computing(Measurand measurand) {
  return measurand == Measurand::compute || measurand == Measurand::new_gpu ||
         measurand == Measurand::unseen;
}

std::vector<UncertainValue> uncertain_values(const Scenario& scenario) {
  Scenario copy = scenario;
  ValueWalk walk;
  walk.go_through(copy);
  return std::move(walk.values);
}

Scenario with_factors(const Scenario& scenario, const std::vector<double>& factors) {
  Scenario copy = scenario;
  ValueWalk(factors).go_through(copy);
  return copy;
}

}  // namespace gpufeed
