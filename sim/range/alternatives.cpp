// SPDX-License-Identifier: Apache-2.0
#include "sim/range/alternatives.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

// As `--set` takes a value.
std::string set_text(bool value) { return value ? "true" : "false"; }
std::string set_text(std::int64_t value) { return fmt::to_string(value); }
template <NamedEnum E>
std::string set_text(E value) {
  return std::string(name_of(value));
}
template <class Unit>
std::string set_text(Quantity<Unit> value) {
  return text(value);
}

template <class M>
const M& plain(const M& value) {
  return value;
}
template <class M>
const M& plain(const Defaulted<M>& value) {
  return value.value;
}

/// What a load makes of other keys.
void follow(Scenario& scenario) {
  auto* training = std::get_if<kind::Training>(&scenario.workload.of_kind);
  if (const auto job = training ? transformer_job(scenario) : std::nullopt)
    for (StepLine& line : training->step_lines)
      if (line.whole_step)
        line.start = transformer_step(*job).all() * static_cast<double>(training->steps_together);
  Data& data = scenario.data;
  const auto* reads = scenario.workload.find<ReadsDataset>();
  if (data.mode == ReadMode::direct && !data.huge_pages.given && reads && reads->dataset &&
      !data.at.is(PartKind::store))
    data.huge_pages.value = asks_for_huge_pages(data, reads->dataset->sample_size);
}

class Alternatives {
 public:
  explicit Alternatives(const Scenario& scenario)
      : scenario_(scenario), decoder_(transformer_job(scenario)) {}

  std::vector<Alternative> all() {
    const bool trains = scenario_.workload.is<kind::Training>();
    if (trains && decoder_) {
      section(
          "workload",
          [](auto& s) -> auto& { return std::get<kind::Training>(s.workload.of_kind); });
      if (scenario_.parallel)
        section(
            "parallel", [](auto& s) -> auto& { return *s.parallel; });
      for (Alternative& one : all_) one.of_decoder = true;
    }
    if (trains || scenario_.workload.is<kind::Loader>()) {
      section(
          "data", [](auto& s) -> auto& { return s.data; });
      section(
          "loader", [](auto& s) -> auto& { return s.loader; });
      section(
          "exchange", [](auto& s) -> auto& { return s.exchange; });
      for (Alternative& one : all_)
        if (decoder_ && one.key == KeyPath("exchange.sockets")) one.of_decoder = true;
      page_cache();
      clients();
    }
    return std::move(all_);
  }

 private:
  bool is_default(const KeyPath& key) const {
    return std::ranges::count(scenario_.defaults, key, &DefaultValue::key) > 0;
  }

  /// Whether GPUs reach other nodes by sockets.
  bool over_tcp() const {
    const Fabric fabric = scenario_.fabric.value_or(Fabric{});
    return scenario_.nodes > 1 &&
           std::ranges::any_of(scenario_.system->nics, [&](const Device<Nic>& card) {
             return fabric.transport_of(*card.model) == Transport::tcp;
           });
  }

  /// \param of  the section of a scenario
  template <class Of>
  void section(const char* name, Of of) {
    using Section = std::remove_cvref_t<decltype(of(scenario_))>;
    const Section& now = of(scenario_);
    Section::fields([&]<class Owner, class M>(const Field<Owner, M>& field) {
      using Other = typename Rule<M>::Otherwise;
      if constexpr (!std::same_as<Other, std::monostate>) {
        const KeyPath key = KeyPath(name) / field.name;
        if (!field.open || !is_default(key)) return;
        if (key == KeyPath("exchange.sockets") && !over_tcp()) return;
        const Other value = plain(now.*field.member);
        const auto add = [&](Other other) {
          if (other == value) return;
          all_.push_back({key, set_text(value), set_text(other),
                          [of, member = field.member, other](Scenario& scenario) {
                            of(scenario).*member = other;
                            follow(scenario);
                          }});
        };
        add(field.above);
        if (field.below != field.above) add(field.below);
      }
    });
  }

  void page_cache() {
    const Loader& loader = scenario_.loader;
    if (loader.cache_memory || loader.cache == CacheRule::none ||
        scenario_.data.mode == ReadMode::direct)
      return;
    const Bytes now = memory_for_page_cache(scenario_);
    const Bytes half = {*parse_in(units_of<Bytes>(), text(now * 0.5, 3))};
    if (now.value > 0)
      all_.push_back({"loader.cache_memory", text(now, 3), text(half, 3),
                      [half](Scenario& scenario) { scenario.loader.cache_memory = half; }});
  }

  /// Of the stores that are read.
  void clients() {
    for (const auto& [number, client] : scenario_.clients) {
      const auto& staging = scenario_.data.staging;
      const PartId store{PartKind::store, number};
      const bool read = scenario_.data.at.part == store || (staging && staging->from.part == store);
      if (!read || client.word != StoreClient::Word::usual) continue;
      const Ref<Protocol>& now = *scenario_.store.at(number).protocol;
      const std::string& name = scenario_.store.name(number);
      for (const auto& other : client.others) {
        if (other->family != now->family) continue;
        all_.push_back({KeyPath("store") / name / "protocol", now.name, other.name,
                        [name = name, other = other](Scenario& scenario) {
                          scenario.store[name].protocol = other;
                        }});
      }
    }
  }

  const Scenario& scenario_;
  const std::optional<TransformerJob> decoder_;
  std::vector<Alternative> all_;
};

}  // namespace

std::vector<Alternative> alternatives_of(const Scenario& scenario) {
  return Alternatives(scenario).all();
}

}  // namespace gpufeed
