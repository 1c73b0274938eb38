// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/pool.h"

namespace gpufeed::serving {

Pool::Pool(std::int64_t capacity, std::int32_t names)
    : capacity_(capacity),
      users_(static_cast<std::size_t>(names), -1),
      next_(static_cast<std::size_t>(names) + 1),
      previous_(static_cast<std::size_t>(names) + 1),
      ends_(names) {
  next_[at(ends_)] = previous_[at(ends_)] = ends_;
}

void Pool::unlink(std::int32_t name) {
  next_[at(previous_[at(name)])] = next_[at(name)];
  previous_[at(next_[at(name)])] = previous_[at(name)];
  --idle_;
}

void Pool::take(std::int64_t blocks, std::vector<std::int32_t>* dropped) {
  in_use_ += blocks;
  while (in_use_ + idle_ > capacity_) {
    const std::int32_t oldest = next_[at(ends_)];
    unlink(oldest);
    users_[at(oldest)] = -1;
    if (dropped) dropped->push_back(oldest);
  }
}

void Pool::hold(std::int32_t name) {
  if (users_[at(name)]++ > 0) return;
  unlink(name);
  ++in_use_;
}

void Pool::put_name(std::int32_t name) {
  if (!has(name)) {
    users_[at(name)] = 1;
    return;
  }
  hold(name);
  --in_use_;
}

void Pool::let_go(std::int32_t name) {
  if (--users_[at(name)] > 0) return;
  --in_use_;
  const std::int32_t last = previous_[at(ends_)];
  next_[at(last)] = name;
  previous_[at(name)] = last;
  next_[at(name)] = ends_;
  previous_[at(ends_)] = name;
  ++idle_;
}

}  // namespace gpufeed::serving
