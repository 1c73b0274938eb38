// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace gpufeed::serving {

/// The blocks of a replica's GPUs. A block with a name counts once, however many requests use it;
/// one that nobody uses stays until its room is wanted, and goes in the order in which they were
/// let go.
class Pool {
 public:
  Pool(std::int64_t capacity, std::int32_t names);

  bool has(std::int32_t name) const { return names_[at(name)].state != kAbsent; }
  bool is_idle(std::int32_t name) const { return names_[at(name)].state == kIdle; }
  /// Blocks that could be taken.
  std::int64_t room() const { return capacity_ - in_use_; }
  std::int64_t in_use() const { return in_use_; }
  std::int64_t capacity() const { return capacity_; }

  /// Takes `blocks` without a name; there must be room. What is dropped for it goes to `dropped`.
  void take(std::int64_t blocks, std::vector<std::int32_t>* dropped);
  void give_back(std::int64_t blocks) { in_use_ -= blocks; }
  /// One more user of a block that is there.
  void hold(std::int32_t name);
  /// A block that was taken has this content now; where the name is there already it is given back.
  void put_name(std::int32_t name);
  void let_go(std::int32_t name);

 private:
  static constexpr std::int32_t kAbsent = 0, kIdle = 1;  ///< above: so many users, and one
  struct Name {
    std::int32_t state, next, previous;  ///< neighbors of an idle one
  };
  struct Free {
    void operator()(Name* names) const { std::free(names); }
  };

  static std::size_t at(std::int32_t name) { return static_cast<std::size_t>(name); }
  void unlink(std::int32_t name);

  std::int64_t capacity_;
  std::int64_t in_use_ = 0;
  std::int64_t idle_ = 0;
  /// Behind the last name: both ends. Of many names a replica sees few: pages of zeros, which the
  /// system makes where they are touched.
  std::unique_ptr<Name[], Free> names_;
  std::int32_t ends_;
};

}  // namespace gpufeed::serving
