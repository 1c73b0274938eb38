// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/what_if.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/serving/answer.h"
#include "sim/serving/outcomes.h"

namespace gpufeed::serving {
namespace {

constexpr Bytes kSomeMemory{256e9};
constexpr const char* kNewVolume = "kv";

class Changes {
 public:
  Changes(const Document& document, const Answer& now) : document_(document), now_(now) {}

  std::vector<Change> all() {
    const ServingTable& own = document_.serving;
    for (std::size_t i = 0; i < own.tiers.size(); ++i) add_to_tier(i);
    if (own.prefix_cache) add_new_tiers();
    add_engine();
    add_replicas();
    return std::move(out_);
  }

 private:
  void add(std::string words, std::string set, Document other) {
    out_.push_back({std::move(words), std::move(set), std::move(other)});
  }

  void add_to_tier(std::size_t i) {
    const TierRow& row = document_.serving.tiers[i];
    if (row.at == kHostMemory)
      add_memory_to(i);
    else if (document_.volumes.contains(row.at))
      add_drive_to(i);
    else if (document_.stores.contains(row.at))
      widen_store(row.at);
    const bool is_slow =
        i < now_.tiers.size() && now_.tiers[i].worse_than_computing && row.load == Load::always;
    if (is_slow) {
      Document other = document_;
      other.serving.tiers[i].load = Load::if_faster;
      add(fmt::format("{} read only where that is faster", row.at),
          fmt::format("serving.tier[{}].load=if-faster", i), std::move(other));
    }
    Document without = document_;
    without.serving.tiers.erase(without.serving.tiers.begin() + static_cast<std::ptrdiff_t>(i));
    add("without " + row.at, "", std::move(without));
  }

  void add_memory_to(std::size_t i) {
    Document other = document_;
    const Bytes more = *document_.serving.tiers[i].capacity * 2.0;
    other.serving.tiers[i].capacity = more;
    add(fmt::format("{} of memory instead of {}", text(more, 3),
                    text(*document_.serving.tiers[i].capacity, 3)),
        fmt::format("serving.tier[{}].capacity=\"{}\"", i, text(more, 6)), std::move(other));
  }

  void add_drive_to(std::size_t i) {
    const TierRow& row = document_.serving.tiers[i];
    Document other = document_;
    auto& volume = other.volumes[row.at];
    ++volume.count;
    if (row.capacity)
      other.serving.tiers[i].capacity = *row.capacity * (static_cast<double>(volume.count) /
                                                         static_cast<double>(volume.count - 1));
    add(fmt::format("a drive more in {}", row.at),
        row.capacity ? "" : fmt::format("volume.{}.count={}", row.at, volume.count),
        std::move(other));
  }

  void widen_store(const std::string& name) {
    Document other = document_;
    auto& store = other.stores[name];
    const Bandwidth read = store.bandwidth ? *store.bandwidth : (*store.model)->read_bandwidth;
    store.bandwidth = read * 2.0;
    const bool writes = store.write_bandwidth.has_value();
    if (writes) store.write_bandwidth = *store.write_bandwidth * 2.0;
    add(fmt::format("twice the bandwidth of {}", name),
        writes ? "" : fmt::format("store.{}.bandwidth=\"{}\"", name, text(read * 2.0, 6)),
        std::move(other));
    out_.back().has_price = false;
  }

  bool has_tier(std::string_view at) const {
    return std::ranges::any_of(document_.serving.tiers,
                               [&](const TierRow& row) { return row.at == at; });
  }
  bool has_volume() const {
    return std::ranges::any_of(document_.serving.tiers, [&](const TierRow& row) {
      return row.at != kHostMemory && !document_.stores.contains(row.at);
    });
  }

  /// Where there are several replicas.
  const char* each() const { return document_.serving.replicas > 1 ? ", each" : ""; }

  /// Memory goes above all others; a drive above stores.
  void add_new_tiers() {
    const auto insert = [&](Document& other, TierRow row) {
      auto& tiers = other.serving.tiers;
      const auto below = std::ranges::find_if(tiers, [&](const TierRow& one) {
        return row.at == kHostMemory || document_.stores.contains(one.at);
      });
      tiers.insert(below, std::move(row));
    };
    if (!has_tier(kHostMemory)) {
      Document other = document_;
      TierRow memory;
      memory.at = kHostMemory;
      memory.capacity = kSomeMemory;
      memory.modules = document_.usual_memory;
      insert(other, std::move(memory));
      add(fmt::format("{} of memory for KV caches{}", text(kSomeMemory, 3), each()), "",
          std::move(other));
    }
    if (has_volume() || document_.volumes.contains(kNewVolume) || !document_.usual_drive) return;
    Document other = document_;
    other.volumes[kNewVolume].drive = *document_.usual_drive;
    TierRow volume;
    volume.at = kNewVolume;
    insert(other, std::move(volume));
    add(fmt::format("a {} for KV caches{}", (*document_.usual_drive)->title, each()), "",
        std::move(other));
  }

  void add_engine() {
    const std::int64_t budget = document_.serving.token_budget;
    add_budget(budget * 2);
    if (budget / 2 >= std::max<std::int64_t>(document_.serving.sequences, 256))
      add_budget(budget / 2);
    if (now_.bottleneck != Bottleneck::sequences) return;
    Document other = document_;
    const std::int64_t sequences = 2 * document_.serving.sequences;
    other.serving.sequences = sequences;
    other.serving.token_budget = std::max(other.serving.token_budget, sequences);
    add(fmt::format("{} sequences", sequences), fmt::format("serving.sequences={}", sequences),
        std::move(other));
  }

  void add_budget(std::int64_t budget) {
    Document other = document_;
    other.serving.token_budget = budget;
    add(fmt::format("a token budget of {}", budget), fmt::format("serving.token_budget={}", budget),
        std::move(other));
  }

  void add_replicas() {
    const std::int64_t now = document_.serving.replicas;
    const std::int64_t gpus = document_.serving.tensor;
    Document other = document_;
    other.serving.replicas = now + 1;
    add(gpus == 1 ? std::string("a GPU more (a replica)")
                  : fmt::format("{} GPUs more (a replica)", gpus),
        fmt::format("serving.replicas={}", now + 1), std::move(other));
    if (now == 1) return;
    other = document_;
    other.serving.replicas = now - 1;
    add(gpus == 1 ? std::string("a GPU less (a replica)")
                  : fmt::format("{} GPUs less (a replica)", gpus),
        fmt::format("serving.replicas={}", now - 1), std::move(other));
  }

  const Document& document_;
  const Answer& now_;
  std::vector<Change> out_;
};

/// Of sums that lack the same.
std::optional<double> difference(const std::optional<double>& then,
                                 const std::optional<double>& now, const std::string& without_then,
                                 const std::string& without_now) {
  if (!then || !now || without_then != without_now) return {};
  return *then - *now;
}

}  // namespace

std::vector<Change> changes_of(const Document& document, const Answer& now) {
  return Changes(document, now).all();
}

WhatIf row_of(const Change& change, const Answer& now, const Answer& then) {
  WhatIf row;
  row.change = change.words;
  row.set = change.set;
  row.ttft_p95_s = then.ttft_s.p95;
  row.itl_p95_s = then.itl_s.p95;
  row.tokens_per_s = then.tokens_per_s;
  row.goodput_per_s = then.goodput_per_s;
  if (change.has_price) {
    row.usd_per_mtokens = then.usd_per_mtokens;
    row.price_change_USD =
        difference(then.price_USD, now.price_USD, then.without_price, now.without_price);
    row.power_change_W =
        difference(then.power_W, now.power_W, then.without_power, now.without_power);
  }
  row.meets = meets_goal(then);
  return row;
}

std::vector<WhatIf> what_ifs_of(const Document& document, const Answer& answer) {
  std::vector<WhatIf> out;
  for (const Change& change : changes_of(document, answer))
    out.push_back(row_of(change, answer, one_draw(change.document)));
  return out;
}

}  // namespace gpufeed::serving
