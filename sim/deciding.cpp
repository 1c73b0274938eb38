// SPDX-License-Identifier: Apache-2.0
#include "sim/deciding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/step.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/alternatives.h"
#include "sim/range/outlook.h"

namespace gpufeed {
namespace {

constexpr double kTenth = 0.1;       ///< an effect, or what a key can matter, that decides
constexpr double kNearTenth = 0.05;  ///< of an outlook, which knows no queues
constexpr double kNearNext = 0.8;  ///< of the distance to what limits next: as far as a step tells
constexpr std::size_t kSimulated = 3;
constexpr double kStarved = 0.4;   ///< a load at which half of what bears it would nearly bind
constexpr Ratio kTwoDigits{0.02};  ///< what an effect is told to, and so simulated

using enum LimiterCode;

/// Of a stage: throughput over what it could deliver; 0 where there is none.
double load_of(const Result& result, LimiterCode stage) {
  for (const Stage& one : result.stages)
    if (one.stage.code == stage && one.capacity_samples_per_s > 0)
      return result.throughput_samples_per_s / one.capacity_samples_per_s;
  return 0;
}

double shown(const Result& result, EvidenceCode code) {
  double share = 0;
  for (const Evidence& one : result.bottleneck.evidence)
    if (one.shows.code == code) share = std::get<double>(one.shows.arguments.front());
  return share;
}

double fills(const Result& result) {
  return std::max(shown(result, EvidenceCode::fills_at_start),
                  result.bottleneck.resource == fact<start_of_epochs>() ? 1.0 : 0.0);
}

double exchanges(const Result& result) { return result.nodes > 1 && result.exchange ? 1 : 0; }

double reads(const Result& result) {
  return std::max({load_of(result, drives), load_of(result, store), load_of(result, network),
                   load_of(result, pcie_and_sockets)});
}

/// How much a key can matter at most, as a load or a share of the time.
struct Reach {
  KeyPath key;
  double (*weight)(const Result& result);
  double least;
  bool in_outlook;  ///< whether an outlook shows what it does
};

const std::vector<Reach>& reaches() {
  static const std::vector<Reach> all{
      {"loader.workers_per_gpu", [](const Result& r) { return load_of(r, loader_workers); },
       kStarved, true},
      {"loader.prefetch_batches",
       [](const Result& r) { return shown(r, EvidenceCode::lost_by_empty_stock); }, kNearTenth,
       false},
      {"loader.persistent_workers", fills, kTenth, false},
      {"loader.between_epochs", fills, kTenth, false},
      {"loader.pinned_memory", [](const Result& r) { return load_of(r, host_to_device_copy); },
       kNearTenth, true},
      {"loader.cache_memory", [](const Result& r) { return r.cache.hit_rate * reads(r); }, kTenth,
       true},
      {"data.mode", [](const Result& r) { return std::max(reads(r), load_of(r, loader_workers)); },
       kStarved, true},
      {"data.readahead",
       [](const Result& r) { return std::max(reads(r), load_of(r, loader_workers)); }, kStarved,
       true},
      {"data.open_time", [](const Result& r) { return load_of(r, loader_workers); }, kStarved,
       true},
      {"exchange.path", exchanges, kTenth, true},
      {"exchange.sockets", exchanges, kTenth, true}};
  return all;
}

const Reach* reach_of(const KeyPath& key) {
  static const Reach client{{}, [](const Result&) { return 1.0; }, kTenth, true};
  if (key.is_within("store")) return &client;
  const auto reach = std::ranges::find(reaches(), key, &Reach::key);
  return reach == reaches().end() ? nullptr : &*reach;
}

/// Whether it is what the bottleneck is made of.
bool is_bottleneck(const KeyPath& key, const Result& result) {
  return key == KeyPath("loader.workers_per_gpu") &&
         result.bottleneck.resource == fact<loader_workers>();
}

/// Whether readers of several nodes have shares of a store that chance gives them.
bool draws_shares(const Scenario& scenario) {
  return scenario.nodes > 1 && std::ranges::any_of(scenario.store, [](const auto& named) {
           const auto& protocol = named.second.protocol;
           return protocol && (*protocol)->share_deviation.value > 0;
         });
}

void set_equal_shares(Scenario& scenario) {
  for (auto& [name, store] : scenario.store) {
    if (!store.protocol) continue;
    Protocol equal = **store.protocol;
    equal.share_deviation = {};
    store.protocol->entry = std::make_shared<const Protocol>(std::move(equal));
  }
}

/// Whether each of several nodes was simulated.
bool of_all_nodes(const Result& result) {
  return result.nodes > 1 && result.simulated.folded.simulated_nodes == result.nodes;
}

double known_to(const Result& result) { return result.simulated.step_rate_uncertainty; }

/// That its rate is known to; where nothing is known, that it was simulated for.
Ratio precision_of(const Scenario& scenario, const Result& result) {
  const double known = known_to(result);
  return {std::isfinite(known) ? std::max(scenario.run.precision.value, known)
                               : scenario.run.precision.value};
}

class Deciding {
 public:
  Deciding(const Scenario& scenario, const Result& result, const Simulators& simulators)
      : scenario_(scenario),
        result_(result),
        equal_shares_(draws_shares(scenario)),
        few_nodes_(of_all_nodes(result)),
        simulate_(few_nodes_ ? simulators.few_nodes : simulators.whole) {}

  std::vector<DecidingDefault> all() {
    return each([this](const Alternative& one) { look_at(one); });
  }

  std::vector<DecidingDefault> all_simulated() {
    return each(
        [this](const Alternative& one) { keep(one, effect_of(simulated(one, base().exact))); });
  }

 private:
  template <class Look>
  std::vector<DecidingDefault> each(const Look& look) {
    for (const Alternative& one : alternatives_of(scenario_)) try {
        look(one);
      } catch (const InputError&) {
        // This machine has no way for it: it is no alternative here.
      }
    std::ranges::stable_sort(found_, std::ranges::greater{},
                             [](const DecidingDefault& one) { return std::abs(one.effect); });
    return std::move(found_);
  }

  void look_at(const Alternative& one) {
    if (one.of_decoder) return of_step(one);
    const Reach* const reach = reach_of(one.key);
    if (!reach || reach->weight(result_) < reach->least) return;
    const bool bottleneck = is_bottleneck(one.key, result_);
    if (reach->in_outlook && !bottleneck && std::abs(seen(one)) < kNearTenth) return;
    if (simulated_++ >= kSimulated) return;
    const double effect = told(one, bottleneck ? 0 : kTenth);
    if (std::abs(effect) > kTenth || (bottleneck && effect > 0)) keep(one, effect);
  }

  /// Of GPUs that hardly wait for data, which the step alone tells.
  void of_step(const Alternative& one) {
    const auto job = transformer_job(scenario_);
    Scenario other = scenario_;
    one.set_other(other);
    const double faster =
        transformer_step(*job).all() / transformer_step(*transformer_job(other)).all();
    if (std::abs(faster - 1) < kNearTenth) return;
    const double busy = result_.accelerator_utilization;
    const Bottleneck& now = result_.bottleneck;
    const bool alone = busy > 1 - kNearTenth && (!now.next || faster < kNearNext * now.distance);
    const double effect = alone ? 1 / (1 - busy + busy / faster) - 1 : told(one, kTenth);
    if (std::abs(effect) > kTenth) keep(one, effect);
  }

  double seen(const Alternative& one) {
    if (!traffic_) traffic_ = traffic_of(scenario_);
    if (!before_) before_ = time_of(scenario_);
    Scenario other = scenario_;
    one.set_other(other);
    return *before_ / time_of(other) - 1;
  }

  double time_of(const Scenario& scenario) const {
    return sample_time(outlook_of(
        scenario, *traffic_ ? make_plan_of_few(scenario, **traffic_) : make_plan(scenario)));
  }

  /// \param least  where it is about so large, it is simulated as exactly as the result
  double told(const Alternative& one, double least) {
    const Ratio exact = base().exact;
    const Ratio rough = std::max(exact, kTwoDigits);
    const Result other = simulated(one, rough);
    const bool near = std::abs(std::abs(effect_of(other)) - least) < rough.value;
    const bool known = other.simulated.extrapolated_steps == 0 && known_to(other) <= exact.value;
    return effect_of(near && rough > exact && !known ? simulated(one, exact) : other);
  }

  Result simulated(const Alternative& one, Ratio precision) {
    Scenario other = scenario_;
    one.set_other(other);
    other.run.headline();
    other.run.precision = precision;
    if (equal_shares_) set_equal_shares(other);
    return simulate_(other);
  }

  double effect_of(const Result& other) { return other.job_samples_per_s / base().rate - 1; }

  /// What alternatives are held against.
  struct Base {
    double rate = 0;
    Ratio exact;  ///< to what it is known: an effect is told no finer
  };
  const Base& base() {
    if (!base_) base_ = find_base();
    return *base_;
  }
  Base find_base() const {
    const Ratio exact = precision_of(scenario_, result_);
    if (!equal_shares_ && !few_nodes_) return {result_.job_samples_per_s, exact};
    Scenario same = scenario_;
    same.run.headline();
    if (equal_shares_)
      set_equal_shares(same);
    else
      same.run.precision = exact;
    const Result simulated = simulate_(same);
    return {simulated.job_samples_per_s,
            equal_shares_ ? precision_of(scenario_, simulated) : exact};
  }

  /// Of two alternatives of a key the one that changes more.
  void keep(const Alternative& one, double effect) {
    DecidingDefault what{one.key, one.value, one.other, effect};
    const auto known = std::ranges::find(found_, one.key, &DecidingDefault::key);
    if (known == found_.end())
      found_.push_back(std::move(what));
    else if (std::abs(effect) > std::abs(known->effect))
      *known = std::move(what);
  }

  const Scenario& scenario_;
  const Result& result_;
  const bool equal_shares_;
  const bool few_nodes_;
  const SimulateItself simulate_;
  std::optional<std::optional<Traffic>> traffic_;
  std::optional<double> before_;
  std::optional<Base> base_;
  std::size_t simulated_ = 0;
  std::vector<DecidingDefault> found_;
};

}  // namespace

std::vector<DecidingDefault> deciding_defaults(const Scenario& scenario, const Result& result,
                                               const Simulators& simulators) {
  if (result.throughput_samples_per_s <= 0) return {};
  return Deciding(scenario, result, simulators).all();
}

std::vector<DecidingDefault> effects_of_defaults(const Scenario& scenario,
                                                 const Simulators& simulators) {
  if (alternatives_of(scenario).empty()) return {};
  Scenario once = scenario;
  once.run.headline();
  const Result result = simulators.whole(once);
  if (result.throughput_samples_per_s <= 0) return {};
  return Deciding(scenario, result, simulators).all_simulated();
}

}  // namespace gpufeed
