// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/study/change.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

std::string why_kept(CacheEviction eviction) {
  return eviction == CacheEviction::pinned
             ? "what came first stays, so that each epoch finds as much of it as has room"
             : "what was read last stays; an order that is new in each epoch finds little of it";
}

Change of_staging(std::string text, std::vector<std::string> sets, std::string why) {
  return {"staging", std::move(text), std::move(sets), std::move(why), true};
}

Change cache_on(const Volume& volume, const std::string& from, CacheEviction eviction) {
  return of_staging(
      fmt::format("{} as a cache of {} ({})", text_of(volume.id), from, name_of(eviction)),
      {"data.at=" + text_of(volume.id),
       fmt::format("data.staging={{ from = \"{}\", mode = \"read-through\", eviction = \"{}\" }}",
                   from, name_of(eviction))},
      why_kept(eviction));
}

void of_cache(const Scenario& scenario, const Staging& now, std::vector<Change>& out) {
  using enum CacheEviction;
  const std::string& from = text_of(now.from.id);
  for (const auto eviction : {pinned, lru})
    if (eviction != now.eviction)
      out.push_back(of_staging(fmt::format("a cache by the rule {} instead of {}",
                                           name_of(eviction), name_of(now.eviction.value)),
                               {fmt::format("data.staging.eviction={}", name_of(eviction))},
                               why_kept(eviction)));
  out.push_back(of_staging("a cache of all that its drives hold", {"data.staging.capacity="},
                           "later epochs find more there"));
  out.push_back(
      of_staging(fmt::format("all data copied from {} during the first epoch", from),
                 {fmt::format("data.staging={{ from = \"{}\", mode = \"first-epoch\" }}", from)},
                 "later epochs read from the machine's own drives"));
  for (const Volume& volume : scenario.system->volumes)
    if (volume.id != scenario.data.at.id) out.push_back(cache_on(volume, from, now.eviction));
}

}  // namespace

std::vector<Change> cache_changes(const Scenario& scenario) {
  std::vector<Change> out;
  const auto& now = scenario.data.staging;
  if (now && now->mode == StagingMode::read_through) of_cache(scenario, *now, out);
  if (now || !scenario.data.at.is(PartKind::store)) return out;
  for (const Volume& volume : scenario.system->volumes)
    for (const auto eviction : {CacheEviction::pinned, CacheEviction::lru})
      out.push_back(cache_on(volume, text_of(scenario.data.at.id), eviction));
  return out;
}

}  // namespace gpufeed
