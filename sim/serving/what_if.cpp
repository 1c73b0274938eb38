// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/serving/answer.h"

namespace gpufeed::serving {
namespace {

constexpr Bytes kSomeMemory{256e9};

class Changes {
 public:
  Changes(const Document& document, const Answer& now) : document_(document), now_(now) {}

  std::vector<WhatIf> all() {
    const ServingTable& own = document_.serving;
    for (std::size_t i = 0; i < own.tiers.size(); ++i) add_tier(i);
    if (own.tiers.empty() && own.prefix_cache) {
      Document other = document_;
      TierRow memory;
      memory.at = "memory";
      memory.capacity = kSomeMemory;
      other.serving.tiers.push_back(memory);
      add("256 GB of host memory for KV caches", "", other);
    }
    add_engine();
    return std::move(out_);
  }

 private:
  void add(std::string change, std::string set, const Document& other) {
    const Answer then = one_draw(other);
    out_.push_back({std::move(change), std::move(set), then.ttft_s.p95, then.itl_s.p95,
                    then.tokens_per_s, then.goodput_per_s, then.usd_per_mtokens});
  }

  void add_tier(std::size_t i) {
    const TierRow& row = document_.serving.tiers[i];
    Document other = document_;
    if (row.at == "memory") {
      other.serving.tiers[i].capacity = *row.capacity * 2.0;
      add(fmt::format("{} of memory instead of {}", text(*row.capacity * 2.0, 3),
                      text(*row.capacity, 3)),
          fmt::format("serving.tier[{}].capacity=\"{}\"", i, text(*row.capacity * 2.0, 6)), other);
    } else if (document_.volumes.contains(row.at)) {
      auto& volume = other.volumes[row.at];
      ++volume.count;
      if (row.capacity)
        other.serving.tiers[i].capacity = *row.capacity * (static_cast<double>(volume.count) /
                                                           static_cast<double>(volume.count - 1));
      add(fmt::format("a drive more in {}", row.at),
          fmt::format("volume.{}.count={}", row.at, volume.count), other);
    } else if (document_.stores.contains(row.at)) {
      auto& store = other.stores[row.at];
      const Bandwidth read = store.bandwidth ? *store.bandwidth : (*store.model)->read_bandwidth;
      store.bandwidth = read * 2.0;
      if (store.write_bandwidth) store.write_bandwidth = *store.write_bandwidth * 2.0;
      add(fmt::format("twice the bandwidth of {}", row.at),
          fmt::format("store.{}.bandwidth=\"{}\"", row.at, text(read * 2.0, 6)), other);
    }
    Document without = document_;
    without.serving.tiers.erase(without.serving.tiers.begin() + static_cast<std::ptrdiff_t>(i));
    add("without " + row.at, "", without);
  }

  void add_engine() {
    Document other = document_;
    other.serving.token_budget *= 2;
    add(fmt::format("a token budget of {}", other.serving.token_budget),
        fmt::format("serving.token_budget={}", other.serving.token_budget), other);
    if (now_.bottleneck == Bottleneck::sequences) {
      other = document_;
      other.serving.sequences *= 2;
      other.serving.token_budget = std::max(other.serving.token_budget, other.serving.sequences);
      add(fmt::format("{} sequences", other.serving.sequences),
          fmt::format("serving.sequences={}", other.serving.sequences), other);
    }
    other = document_;
    ++other.serving.replicas;
    add(other.serving.tensor == 1 ? std::string("a GPU more (a replica)")
                                  : fmt::format("{} GPUs more (a replica)", other.serving.tensor),
        fmt::format("serving.replicas={}", other.serving.replicas), other);
  }

  const Document& document_;
  const Answer& now_;
  std::vector<WhatIf> out_;
};

}  // namespace

std::vector<WhatIf> what_ifs_of(const Document& document, const Answer& answer) {
  return Changes(document, answer).all();
}

}  // namespace gpufeed::serving
