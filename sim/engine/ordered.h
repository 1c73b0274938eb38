// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gpufeed {

/// The place of each of some things in a heap; -1: it is in none.
using Places = std::vector<int>;

/// Things by a date, of equal dates by a number: a binary heap that knows the place of each, so
/// that a date can change without a search or an allocation. Heaps that share no thing may share
/// the places.
class Ordered {
 public:
  struct Key {
    double date;
    std::uint64_t number;
    bool operator<(const Key& other) const {
      return date < other.date || (date == other.date && number < other.number);
    }
  };

  bool empty() const { return heap_.empty(); }
  bool is_single() const { return heap_.size() == 1; }
  int first() const { return heap_.front().id; }
  const Key& first_key() const { return heap_.front().key; }

  void set(int id, const Key& key, Places& places) {
    int& place = places[static_cast<std::size_t>(id)];
    if (place < 0) {
      place = static_cast<int>(heap_.size());
      heap_.push_back({key, id});
    }
    heap_[static_cast<std::size_t>(place)].key = key;
    settle(static_cast<std::size_t>(place), places);
  }

  void remove(int id, Places& places) {
    int& place = places[static_cast<std::size_t>(id)];
    if (place < 0) return;
    const auto hole = static_cast<std::size_t>(std::exchange(place, -1));
    const Entry last = heap_.back();
    heap_.pop_back();
    if (hole == heap_.size()) return;
    put(hole, last, places);
    settle(hole, places);
  }

  /// As `remove` of each.
  void remove_all(std::span<const int> ids, Places& places) {
    if (are_few(ids)) {
      for (const int id : ids) remove(id, places);
      return;
    }
    for (const int id : ids) places[static_cast<std::size_t>(id)] = -1;
    std::size_t kept = 0;
    for (const Entry& entry : heap_)
      if (places[static_cast<std::size_t>(entry.id)] >= 0) put(kept++, Entry(entry), places);
    heap_.resize(kept);
    settle_all(places);
  }

  /// As `set` of each, none of which is in it. \param key_of  (id)
  template <class KeyOf>
  void add_all(std::span<const int> ids, KeyOf&& key_of, Places& places) {
    const bool few = are_few(ids);
    for (const int id : ids) {
      if (few) {
        set(id, key_of(id), places);
      } else {
        places[static_cast<std::size_t>(id)] = static_cast<int>(heap_.size());
        heap_.push_back({key_of(id), id});
      }
    }
    if (!few) settle_all(places);
  }

 private:
  struct Entry {
    Key key;
    int id;
  };

  /// Whether one by one is less work than all that there are.
  bool are_few(std::span<const int> ids) const {
    constexpr std::size_t kWorthAPass = 8;
    return ids.size() < kWorthAPass || ids.size() * kWorthAPass < heap_.size();
  }

  void settle_all(Places& places) {
    for (std::size_t place = heap_.size() / 2; place-- > 0;) sink(place, places);
  }

  void put(std::size_t place, const Entry& entry, Places& places) {
    heap_[place] = entry;
    places[static_cast<std::size_t>(entry.id)] = static_cast<int>(place);
  }

  void settle(std::size_t place, Places& places) {
    if (place == 0 || !(heap_[place].key < heap_[(place - 1) / 2].key)) return sink(place, places);
    const Entry entry = heap_[place];
    do {
      put(place, heap_[(place - 1) / 2], places);
      place = (place - 1) / 2;
    } while (place > 0 && entry.key < heap_[(place - 1) / 2].key);
    put(place, entry, places);
  }

  void sink(std::size_t place, Places& places) {
    const Entry entry = heap_[place];
    for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1].key < heap_[child].key) ++child;
      if (!(heap_[child].key < entry.key)) break;
      put(place, heap_[child], places);
      place = child;
    }
    put(place, entry, places);
  }

  std::vector<Entry> heap_;
};

}  // namespace gpufeed
