// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/cache_policies.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

/// Doubly linked lists that share one set of items; an item is on at most one of them.
class Lists {
 public:
  static constexpr std::int32_t kNone = -1;

  Lists(std::int32_t items, std::int32_t lists)
      : items_(items), next_(size_of(items + lists)), prev_(next_), on_(next_), size_(next_) {
    for (std::int32_t i = 0; i < items + lists; ++i) at(next_, i) = at(prev_, i) = i;
    std::ranges::fill(on_, kNone);
  }

  std::int32_t list_of(std::int32_t item) const { return on_[size_of(item)]; }
  std::int32_t size(std::int32_t list) const { return size_[size_of(list)]; }
  std::int32_t tail(std::int32_t list) const { return prev_[size_of(items_ + list)]; }

  void remove(std::int32_t item) {
    at(next_, at(prev_, item)) = at(next_, item);
    at(prev_, at(next_, item)) = at(prev_, item);
    --at(size_, at(on_, item));
    at(on_, item) = kNone;
  }
  void move_to_head(std::int32_t list, std::int32_t item) {
    if (list_of(item) != kNone) remove(item);
    const std::int32_t anchor = items_ + list;
    const std::int32_t first = at(next_, anchor);
    at(next_, anchor) = at(prev_, first) = item;
    at(prev_, item) = anchor;
    at(next_, item) = first;
    at(on_, item) = list;
    ++at(size_, list);
  }

 private:
  using Numbers = std::vector<std::int32_t>;
  static std::size_t size_of(std::int32_t n) { return static_cast<std::size_t>(n); }
  static std::int32_t& at(Numbers& numbers, std::int32_t n) { return numbers[size_of(n)]; }

  std::int32_t items_;
  Numbers next_, prev_;  ///< of items, then of each list's anchor
  Numbers on_;           ///< the list an item is on
  Numbers size_;
};

/// One list: LRU if hits move, FIFO if not.
class OneList : public FileCache {
 public:
  OneList(std::int32_t items, std::int32_t capacity, bool hits_move)
      : lists_(items, 1), capacity_(capacity), hits_move_(hits_move) {}

  bool read(std::int32_t item) override {
    const bool hit = lists_.list_of(item) == 0;
    if (!hit && lists_.size(0) == capacity_) lists_.remove(lists_.tail(0));
    if (!hit || hits_move_) lists_.move_to_head(0, item);
    return hit;
  }

 private:
  Lists lists_;
  std::int32_t capacity_;
  bool hits_move_;
};

class Pinned : public FileCache {
 public:
  Pinned(std::int32_t items, std::int32_t capacity)
      : kept_(static_cast<std::size_t>(items)), room_(capacity) {}

  bool read(std::int32_t item) override {
    const auto file = static_cast<std::size_t>(item);
    const bool hit = kept_[file];
    if (!hit && room_ > 0) {
      kept_[file] = true;
      --room_;
    }
    return hit;
  }

 private:
  std::vector<bool> kept_;
  std::int32_t room_;
};

class TwoLists : public FileCache {
 public:
  TwoLists(std::int32_t items, std::int32_t capacity, const TwoListRules& rules)
      : rules_(rules),
        capacity_(capacity),
        lists_(items + rules.foreign_active, 2),
        referenced_(static_cast<std::size_t>(items + rules.foreign_active)),
        shadow_(referenced_.size(), kNoShadow) {
    for (std::int32_t i = 0; i < rules.foreign_active; ++i) lists_.move_to_head(kActive, items + i);
  }

  bool read(std::int32_t item) override {
    const auto file = static_cast<std::size_t>(item);
    const std::int32_t list = lists_.list_of(item);
    if (list == Lists::kNone) {
      admit(item);
      referenced_[file] = true;
    } else if (list == kInactive && referenced_[file]) {
      activate(item);
      referenced_[file] = false;
    } else {
      referenced_[file] = true;
    }
    return list != Lists::kNone;
  }

 private:
  static constexpr std::int32_t kInactive = 0;
  static constexpr std::int32_t kActive = 1;
  static constexpr std::int64_t kNoShadow = std::numeric_limits<std::int64_t>::min() / 2;

  void activate(std::int32_t item) {
    lists_.move_to_head(kActive, item);
    ++age_;
  }

  void admit(std::int32_t item) {
    ++since_refault_;
    if (lists_.size(kInactive) + lists_.size(kActive) == capacity_) reclaim();
    if (age_ - shadow_[static_cast<std::size_t>(item)] <= lists_.size(kActive)) {
      activate(item);
      since_refault_ = 0;
    } else {
      lists_.move_to_head(kInactive, item);
    }
  }

  void reclaim() {
    const std::int32_t inactive = lists_.size(kInactive);
    const std::int32_t active = lists_.size(kActive);
    if (since_refault_ <= rules_.refault_window ||
        std::int64_t{inactive} * rules_.inactive_ratio < active) {
      owed_ += rules_.proportional_scan ? static_cast<double>(active) / std::max(inactive, 1) : 1.0;
    }
    if (inactive == 0) owed_ = std::max(owed_, 1.0);
    for (; owed_ >= 1 && lists_.size(kActive) > 0; owed_ -= 1)
      lists_.move_to_head(kInactive, lists_.tail(kActive));
    owed_ = std::min(owed_, 1.0);
    const std::int32_t victim = lists_.tail(kInactive);
    lists_.remove(victim);
    shadow_[static_cast<std::size_t>(victim)] = age_++;
  }

  TwoListRules rules_;
  std::int32_t capacity_;
  Lists lists_;
  std::vector<bool> referenced_;
  std::vector<std::int64_t> shadow_;  ///< `age_` when the file was evicted
  std::int64_t age_ = 0;              ///< evictions and activations so far
  std::int64_t since_refault_ = std::numeric_limits<std::int32_t>::max();  ///< in misses
  double owed_ = 0;  ///< files to deactivate, with the fraction left of earlier runs
};

class OneBehind : public FileCache {
 public:
  OneBehind(std::unique_ptr<FileCache> front, std::unique_ptr<FileCache> behind)
      : front_(std::move(front)), behind_(std::move(behind)) {}

  bool read(std::int32_t item) override { return front_->read(item) || behind_->read(item); }

 private:
  std::unique_ptr<FileCache> front_, behind_;
};

void check(std::int32_t items, std::int32_t capacity) {
  GPUFEED_ASSERT(items >= 0 && capacity >= 1, "a cache holds at least one file");
}

}  // namespace

std::unique_ptr<FileCache> lru_cache(std::int32_t items, std::int32_t capacity) {
  check(items, capacity);
  return std::make_unique<OneList>(items, capacity, true);
}

std::unique_ptr<FileCache> fifo_cache(std::int32_t items, std::int32_t capacity) {
  check(items, capacity);
  return std::make_unique<OneList>(items, capacity, false);
}

std::unique_ptr<FileCache> pinned_cache(std::int32_t items, std::int32_t capacity) {
  check(items, capacity);
  return std::make_unique<Pinned>(items, capacity);
}

std::unique_ptr<FileCache> one_behind(std::unique_ptr<FileCache> front,
                                      std::unique_ptr<FileCache> behind) {
  if (!front) return behind;
  if (!behind) return front;
  return std::make_unique<OneBehind>(std::move(front), std::move(behind));
}

std::unique_ptr<FileCache> two_list_cache(std::int32_t items, std::int32_t capacity,
                                          const TwoListRules& rules) {
  check(items, capacity);
  GPUFEED_ASSERT(rules.foreign_active >= 0 && rules.foreign_active < capacity,
                 "files of others leave room for one of the job's");
  return std::make_unique<TwoLists>(items, capacity, rules);
}

}  // namespace gpufeed
