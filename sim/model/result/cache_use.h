// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What the page cache did. All 0 where reads go around it.
struct CacheUse {
  double memory_B = 0;
  double share_of_data = 0;
  double hit_rate = 0;
  double read_first_epoch_B = 0;
  double read_later_epoch_B = 0;
  double hit_rate_second_epoch = 0;
  double hit_rate_last_epoch = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("memory_B", &CacheUse::memory_B, "memory that it may fill"));
    visit(key("share_of_data", &CacheUse::share_of_data, "the same over the size of the data set"));
    visit(key("hit_rate", &CacheUse::hit_rate,
              "share of the bytes that epochs after the first find there, mean, 0 to 1"));
    visit(key("read_first_epoch_B", &CacheUse::read_first_epoch_B,
              "bytes that the first epoch reads from storage, all jobs together; of a job that is "
              "shorter than an epoch, what it reads"));
    visit(key("read_later_epoch_B", &CacheUse::read_later_epoch_B, "and a later one, mean"));
    visit(
        key("hit_rate_second_epoch", &CacheUse::hit_rate_second_epoch,
            "share that the second epoch finds there; where nodes read other parts of the data in "
            "each epoch, later ones find more"));
    visit(key("hit_rate_last_epoch", &CacheUse::hit_rate_last_epoch, "and the last one"));
  }
};

}  // namespace gpufeed
