// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/numbers/random.h"
#include "sim/base/units.h"
#include "sim/cluster/answer.h"
#include "sim/cluster/draw.h"
#include "sim/cluster/make_case.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/totals.h"

namespace gpufeed::cluster {
namespace {

constexpr double kMore = 1.1;

struct Other {
  std::string words;
  Document document;
};

std::string words_of(const NodeGroup& group) {
  if (group.system) return group.system->name;
  return fmt::format("with {} GPUs{}", *group.gpus,
                     group.pool.empty() ? "" : " of pool " + group.pool);
}

class Others {
 public:
  explicit Others(const Document& document) : as_it_is_(document) {}

  std::vector<Other> all() {
    machines();
    stores();
    schedulers();
    return std::move(others_);
  }

 private:
  Document& add(std::string words) {
    others_.push_back({std::move(words), as_it_is_});
    return others_.back().document;
  }

  void machines() {
    for (std::size_t g = 0; g < as_it_is_.cluster.nodes.size(); ++g) {
      const NodeGroup& group = as_it_is_.cluster.nodes[g];
      ++add("one more node " + words_of(group)).cluster.nodes[g].count;
      if (!group.link) continue;
      auto& link = add("links of nodes " + words_of(group) + " 10 % faster").cluster.nodes[g].link;
      link = *link * kMore;
    }
  }

  void stores() {
    for (const auto& [name, store] : as_it_is_.stores)
      for (const auto& [words, factor] : {std::pair{"10 % faster", kMore}, {"twice as fast", 2.0}})
        add(fmt::format("store {} {}", name, words)).stores[name].bandwidth =
            *store.bandwidth * factor;
  }

  void schedulers() {
    const Policy now = as_it_is_.cluster.scheduler.value_or(
        as_it_is_.cluster.policies.empty() ? Policy{} : as_it_is_.cluster.policies.at(0));
    const auto try_it = [&](const std::string& words, auto&& change) {
      Policy other = now;
      change(other);
      add(words).cluster.scheduler = other;
    };
    for (const Backfill backfill :
         {Backfill::none, Backfill::skip, Backfill::easy, Backfill::conservative})
      if (backfill != now.backfill)
        try_it(fmt::format("backfill {}", name_of(backfill)),
               [&](Policy& other) { other.backfill = backfill; });
    for (const Order order : {Order::fifo, Order::sjf, Order::fair})
      if (order != now.order)
        try_it(fmt::format("order {}", name_of(order)),
               [&](Policy& other) { other.order = order; });
    for (const Placed placed : {Placed::pack, Placed::spread})
      if (placed != now.placement)
        try_it(fmt::format("placement {}", name_of(placed)),
               [&](Policy& other) { other.placement = placed; });
    if (as_it_is_.stores.empty()) return;
    if (now.storage_aware > 0)
      try_it("jobs start whatever stores are asked for",
             [](Policy& other) { other.storage_aware = 0; });
    else
      try_it("jobs start only where stores have enough for them",
             [](Policy& other) { other.storage_aware = 1; });
  }

  const Document& as_it_is_;
  std::vector<Other> others_;
};

std::vector<Totals> all_totals(const Document& document,
                               const std::vector<std::vector<OwnRate>>& rates) {
  std::vector<Totals> out;
  for (const Case& of : with_repeats(document, rates)) out.push_back(totals_of(of, run(of)));
  return out;
}

}  // namespace

std::vector<ClusterChange> changes_of(const Document& given) {
  Document document = given;
  if (!document.cluster.scheduler && !document.cluster.policies.empty())
    document.cluster.scheduler = document.cluster.policies.at(0);
  const auto rates = own_rates(document);
  const std::vector<Totals> now = all_totals(document, rates);
  std::vector<ClusterChange> out;
  for (const Other& other : Others(document).all()) {
    const std::vector<Totals> then = all_totals(other.document, rates);
    ClusterChange change{other.words};
    const auto runs = static_cast<double>(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      change.mean_wait_s += then[i].mean_wait_s / runs;
      change.mean_turnaround_s += then[i].mean_turnaround_s / runs;
      change.jobs_per_h += then[i].jobs_per_h / runs;
      const double gain =
          document.workload.window
              ? static_cast<double>(then[i].jobs_done) /
                        static_cast<double>(std::max<std::int64_t>(1, now[i].jobs_done)) -
                    1
          : then[i].mean_turnaround_s > 0 ? now[i].mean_turnaround_s / then[i].mean_turnaround_s - 1
                                          : 0;
      change.gain += gain / runs;
      change.gain_least = i == 0 ? gain : std::min(change.gain_least, gain);
      change.gain_most = i == 0 ? gain : std::max(change.gain_most, gain);
    }
    out.push_back(std::move(change));
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &ClusterChange::gain);
  return out;
}

}  // namespace gpufeed::cluster
