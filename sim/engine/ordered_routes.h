// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gpufeed {

/// Routes by the date of what happens on them next, of equal dates by number: a binary heap that
/// knows the place of each, so that a date can change without a search or an allocation.
class OrderedRoutes {
 public:
  struct Key {
    double date;
    std::uint64_t number;
    bool operator<(const Key& other) const {
      return std::pair(date, number) < std::pair(other.date, other.number);
    }
  };

  /// Makes room for one more route, whose number is the count of those before.
  void add() { place_.push_back(-1); }
  bool empty() const { return heap_.empty(); }
  int first() const { return heap_.front().route; }
  const Key& first_key() const { return heap_.front().key; }

  void set(int route, const Key& key) {
    int& place = place_[static_cast<std::size_t>(route)];
    if (place < 0) {
      place = static_cast<int>(heap_.size());
      heap_.push_back({key, route});
    }
    heap_[static_cast<std::size_t>(place)].key = key;
    settle(static_cast<std::size_t>(place));
  }

  void remove(int route) {
    int& place = place_[static_cast<std::size_t>(route)];
    if (place < 0) return;
    const auto hole = static_cast<std::size_t>(std::exchange(place, -1));
    const Entry last = heap_.back();
    heap_.pop_back();
    if (hole == heap_.size()) return;
    put(hole, last);
    settle(hole);
  }

 private:
  struct Entry {
    Key key;
    int route;
  };

  void put(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    place_[static_cast<std::size_t>(entry.route)] = static_cast<int>(place);
  }

  void settle(std::size_t place) {
    const Entry entry = heap_[place];
    while (place > 0 && entry.key < heap_[(place - 1) / 2].key) {
      put(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1].key < heap_[child].key) ++child;
      if (!(heap_[child].key < entry.key)) break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<int> place_;  ///< of each route in the heap; -1: not there
};

}  // namespace gpufeed
