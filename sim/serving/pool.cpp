// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/pool.h"

#include <new>

namespace gpufeed::serving {

Pool::Pool(std::int64_t capacity, std::int32_t names)
    : capacity_(capacity),
      names_(static_cast<Name*>(std::calloc(at(names) + 1, sizeof(Name)))),
      ends_(names) {
  if (!names_) throw std::bad_alloc();
  names_[at(ends_)].next = names_[at(ends_)].previous = ends_;
}

void Pool::unlink(std::int32_t name) {
  const Name& one = names_[at(name)];
  names_[at(one.previous)].next = one.next;
  names_[at(one.next)].previous = one.previous;
  --idle_;
}

void Pool::take(std::int64_t blocks, std::vector<std::int32_t>* dropped) {
  in_use_ += blocks;
  while (in_use_ + idle_ > capacity_) {
    const std::int32_t oldest = names_[at(ends_)].next;
    unlink(oldest);
    names_[at(oldest)].state = kAbsent;
    if (dropped) dropped->push_back(oldest);
  }
}

void Pool::hold(std::int32_t name) {
  if (names_[at(name)].state++ > kIdle) return;
  unlink(name);
  ++in_use_;
}

void Pool::put_name(std::int32_t name) {
  if (!has(name)) {
    names_[at(name)].state = kIdle + 1;
    return;
  }
  hold(name);
  --in_use_;
}

void Pool::let_go(std::int32_t name) {
  Name& one = names_[at(name)];
  if (--one.state > kIdle) return;
  --in_use_;
  const std::int32_t last = names_[at(ends_)].previous;
  names_[at(last)].next = name;
  one.previous = last;
  one.next = ends_;
  names_[at(ends_)].previous = name;
  ++idle_;
}

}  // namespace gpufeed::serving
