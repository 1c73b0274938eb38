// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>
#include <variant>

#include "sim/base/labels/label_text.h"
#include "sim/base/nearest.h"
#include "sim/load/check/checks.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Whether a key of `value`, or of what it holds, names this part.
template <class M>
bool names_part(const M& value, const std::string& id) {
  bool found = false;
  const auto look = [&](const auto&, const auto& member) {
    found = found || names_part(member, id);
  };
  if constexpr (std::is_same_v<M, PartRef>)
    return text_of(value.id) == id;
  else if constexpr (HasKinds<M>)
    std::visit([&](const auto& own) { for_each_member(own, look); }, value.of_kind);
  else if constexpr (HasFields<M>)
    for_each_member(value, look);
  else if constexpr (requires { value.has_value(); })
    return value && names_part(*value, id);
  else if constexpr (IsVector<M>::value)
    return std::ranges::any_of(value, [&](const auto& one) { return names_part(one, id); });
  return found;
}

}  // namespace

void check_writable(const Scenario& scenario, const PartRef& place, std::string_view key,
                    Diagnostics& out) {
  const Store* store = find_store(scenario, place);
  if (!store || !store->model) return;
  if (store->of_servers && store->of_servers->write_Bps == 0)
    out.refuse(ProblemCode::conflict, KeyPath("store") / text_of(place.id) / "failed_servers",
               store->where,
               " leaves too few chunks of stripes for writes, and {} writes; take more spare "
               "chunks, or fewer that failed",
               key);
  else if (!store->model->write_bandwidth)
    out.error(ProblemCode::missing_key, place.where,
              "{}: what \"{}\" takes is not known; add write_bandwidth to {}", key,
              text_of(place.id), store->model.name);
}

void check_added_stores(const Scenario& scenario, const std::map<std::string, std::string>& options,
                        Diagnostics& out) {
  Names others;
  for (const auto& [name, store] : scenario.store)
    if (!options.contains(name)) others.push_back(name);
  const bool anywhere = !scenario.data.at.given();  // whether it is meant is found out later
  for (const auto& [name, option] : options)
    if (scenario.store.contains(name) && !anywhere && !names_part(scenario, name) &&
        nearest(name, others))  // others may be for another point of a sweep
      out.refuse(ProblemCode::unknown_part, KeyPath("store") / name, {option, 0, 0},
                 ": a new store, which nothing names; {}", suggestion(name, others));
}

namespace {

class ReadThroughChecker {
 public:
  ReadThroughChecker(Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario), system_(system), staging_(*scenario.data.staging), out_(out) {}

  void check() {
    if (staging_.mode != StagingMode::read_through) return refuse_idle();
    if (scenario_.data.path != ReadPath::host)
      out_.refuse(ProblemCode::conflict, "data.staging", staging_.from.where,
                  ": a cache on drives is filled from host memory; set data.path = \"host\"");
    size();
    client();
  }

 private:
  void refuse_idle() {
    const auto refuse = [&](bool given, const char* key) {
      if (!given) return;
      const KeyPath path(key);
      Problem& idle = out_.refuse(ProblemCode::idle_key, path, staging_.from.where,
                                  " is for mode = \"read-through\", a cache; mode = \"{}\" "
                                  "copies all data: leave it out",
                                  name_of(staging_.mode));
      idle.fixes.push_back({Fix::Kind::remove, path});
    };
    refuse(staging_.capacity.has_value(), "data.staging.capacity");
    refuse(staging_.eviction.given, "data.staging.eviction");
    refuse(staging_.block.has_value(), "data.staging.block");
  }

  void size() {
    const auto& at = scenario_.data.at;
    const Bytes room = capacity_at(scenario_, system_, at);
    if (room.value <= 0 || at.is(PartKind::store)) return;
    if (!staging_.capacity) {
      staging_.capacity = room;
      scenario_.defaults.push_back({"data.staging.capacity", toml_value(room)});
    } else if (*staging_.capacity > room) {
      const KeyPath path("data.staging.capacity");
      Problem& large = out_.refuse(ProblemCode::too_large, path, staging_.from.where,
                                   " is {}, and \"{}\" holds {}; set it to that at most, or name "
                                   "a larger volume",
                                   text(*staging_.capacity, 3), text_of(at.id), text(room, 3));
      large.fixes.push_back({Fix::Kind::remove, path});
    }
  }

  /// What the store's client does where nobody says.
  void client() {
    const Store* store = find_store(scenario_, staging_.from);
    if (!store || !store->protocol || !*store->protocol) return fill(CacheEviction::lru);
    const Protocol& protocol = **store->protocol;
    fill(protocol.cache_eviction.value_or(CacheEviction::lru));
    if (staging_.block || !protocol.cache_block) return;
    staging_.block = protocol.cache_block;
    scenario_.defaults.push_back({"data.staging.block", toml_value(*staging_.block)});
  }

  void fill(CacheEviction usual) {
    if (staging_.eviction.given) return;
    staging_.eviction.value = usual;
    scenario_.defaults.push_back({"data.staging.eviction", toml_value(usual)});
  }

  Scenario& scenario_;
  const System& system_;
  Staging& staging_;
  Diagnostics& out_;
};

}  // namespace

void check_read_through(Scenario& scenario, const System& system, Diagnostics& out) {
  ReadThroughChecker(scenario, system, out).check();
}

}  // namespace gpufeed
