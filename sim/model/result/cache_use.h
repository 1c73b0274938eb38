// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

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

/// Drives of the nodes as a cache of a store, behind the page cache: what they gave, and what was
/// read from the store for want of it.
struct DriveCacheUse {
  double capacity_B = 0;
  double share_of_data = 0;
  std::string eviction;
  double block_B = 0;
  double hit_rate_first_epoch = 0;
  double hit_rate = 0;
  double store_share_first_epoch = 0;
  double store_share = 0;
  double store_first_epoch_B = 0;
  double store_later_epoch_B = 0;
  double written_first_epoch_B = 0;
  double written_later_epoch_B = 0;
  std::optional<double> drive_life_s;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using D = DriveCacheUse;
    visit(key("capacity_B", &D::capacity_B, "what it may hold on each node"));
    visit(key("share_of_data", &D::share_of_data, "the same over the size of the data set"));
    visit(key("eviction", &D::eviction, "what leaves it: lru, fifo, or nothing (pinned)"));
    visit(key("block_B", &D::block_B, "what it fetches and drops as a whole; at most a file"));
    visit(key("hit_rate_first_epoch", &D::hit_rate_first_epoch,
              "share of an epoch's samples that come from it: the first"));
    visit(
        key("hit_rate", &D::hit_rate, "and later ones, mean; page cache and store give the rest"));
    visit(key("store_share_first_epoch", &D::store_share_first_epoch,
              "share of an epoch's samples that come from the store: the first"));
    visit(key("store_share", &D::store_share, "and later ones, mean"));
    visit(key("store_first_epoch_B", &D::store_first_epoch_B,
              "bytes that the first epoch reads from the store, all nodes and jobs together, with "
              "what whole blocks bring along"));
    visit(key("store_later_epoch_B", &D::store_later_epoch_B, "and a later one, mean"));
    visit(key("written_first_epoch_B", &D::written_first_epoch_B,
              "bytes that the first epoch writes to the cache, all nodes together"));
    visit(key("written_later_epoch_B", &D::written_later_epoch_B, "and a later one, mean"));
    visit(key("drive_life_s", &D::drive_life_s,
              "until its drives have taken what they are built for, where later epochs go on and "
              "on; null: they write nothing, or a drive does not say its endurance")
              .as_time());
  }
};

}  // namespace gpufeed
