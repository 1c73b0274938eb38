// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gpufeed {

/// What is to happen, by a date, of equal dates by a number; the earliest is the first out. A
/// binary heap of the dates; what happens then lies beside it and is not moved. Who takes the first
/// out mostly puts another in at once, so its place stays open until then, which saves half of the
/// work.
template <class What>
class FirstOut {
 public:
  struct Key {
    double date;
    std::uint64_t number;
  };

  bool empty() const { return size() == 0; }
  std::size_t size() const { return size_ - (open_ ? 1 : 0); }
  /// \pre not empty, no place open
  const Key& first() const { return heap_.front().key; }

  /// Its place stays open until `put` or `close`. \pre as for `first`
  What take_first() {
    open_ = true;
    return whats_[heap_.front().what];
  }

  /// \param key  no two have the same number
  void put(const Key& key, const What& what) {
    if (std::exchange(open_, false)) {
      const Entry entry{key, heap_.front().what};
      whats_[entry.what] = what;
      return fill(entry);
    }
    if (size_ == heap_.size()) {
      heap_.push_back({key, size_});
      whats_.push_back(what);
    }
    const Entry entry{key, heap_[size_].what};
    whats_[entry.what] = what;
    rise(size_++, entry);
  }

  /// The place that is still open is no more.
  void close() {
    if (!std::exchange(open_, false)) return;
    const std::size_t unused = heap_.front().what;
    const Entry last = heap_[--size_];
    heap_[size_].what = unused;
    if (size_ > 0) fill(last);
  }

 private:
  struct Entry {
    Key key;
    std::size_t what;  ///< its place among `whats_`

    /// Which of two it is cannot be foreseen: a branch would cost more than to look at all.
    bool operator<(const Entry& other) const {
      return (key.date < other.key.date) |
             ((key.date == other.key.date) & (key.number < other.key.number));
    }
  };

  /// The first place: what comes is mostly among the last, so it rises from the bottom.
  void fill(const Entry& entry) {
    std::size_t place = 0;
    for (std::size_t child = 2; child < size_; child = 2 * place + 2) {
      child -= static_cast<std::size_t>(heap_[child - 1] < heap_[child]);
      heap_[place] = heap_[child];
      place = child;
    }
    if (2 * place + 1 < size_) {
      heap_[place] = heap_[2 * place + 1];
      place = 2 * place + 1;
    }
    rise(place, entry);
  }

  void rise(std::size_t place, const Entry& entry) {
    for (; place > 0; place = (place - 1) / 2) {
      const std::size_t above = (place - 1) / 2;
      if (!(entry < heap_[above])) break;
      heap_[place] = heap_[above];
    }
    heap_[place] = entry;
  }

  std::vector<Entry> heap_;  ///< from `size_` on: places of `whats_` that are not in use
  std::vector<What> whats_;
  std::size_t size_ = 0;
  bool open_ = false;
};

}  // namespace gpufeed
