// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>
#include <variant>

#include "sim/base/labels/label_text.h"
#include "sim/base/nearest.h"
#include "sim/load/check/checks.h"
#include "sim/load/read/forms.h"
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
  if (!store->model->write_bandwidth)
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

}  // namespace gpufeed
