// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gpufeed::serving {

/// The blocks of a replica's GPUs. A block with a name counts once, however many requests use it;
/// one that nobody uses stays until its room is wanted, and goes in the order in which they were
/// let go.
class Pool {
 public:
  Pool(std::int64_t capacity, std::int32_t names);

  bool has(std::int32_t name) const { return users_[at(name)] >= 0; }
  bool is_idle(std::int32_t name) const { return users_[at(name)] == 0; }
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
  static std::size_t at(std::int32_t name) { return static_cast<std::size_t>(name); }
  void unlink(std::int32_t name);

  std::int64_t capacity_;
  std::int64_t in_use_ = 0;
  std::int64_t idle_ = 0;
  std::vector<std::int32_t> users_;            ///< of each name; -1: it is not there
  std::vector<std::int32_t> next_, previous_;  ///< idle ones; behind the last name: both ends
  std::int32_t ends_;
};

}  // namespace gpufeed::serving
