// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"

namespace gpufeed::cluster {

enum class Order { fifo, priority, sjf, fair };
enum class Backfill { none, skip, easy, conservative };
enum class Placed { first, pack, spread };
enum class Reclaim { never, lower, any };

}  // namespace gpufeed::cluster

namespace gpufeed {

template <>
struct EnumNames<cluster::Order> {
  static constexpr std::array<std::string_view, 4> names{"fifo", "priority", "sjf", "fair"};
};
template <>
struct EnumNames<cluster::Backfill> {
  static constexpr std::array<std::string_view, 4> names{"none", "skip", "easy", "conservative"};
};
template <>
struct EnumNames<cluster::Placed> {
  static constexpr std::array<std::string_view, 3> names{"first", "pack", "spread"};
};

template <>
struct EnumNames<cluster::Reclaim> {
  static constexpr std::array<std::string_view, 3> names{"never", "lower", "any"};
};

}  // namespace gpufeed

namespace gpufeed::cluster {

/// Who is served first, what may go before whom, and where jobs are put.
struct Policy {
  Order order = Order::fifo;
  Backfill backfill = Backfill::easy;
  Placed placement = Placed::pack;
  bool split = false;
  double storage_aware = 0;
  bool storage_soft = false;
  bool preempt = false;
  Reclaim reclaim = Reclaim::never;
  Location where = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("order", &Policy::order,
              "whom the queue serves first: fifo (who came first), priority (the higher), sjf (the "
              "shorter estimate) or fair (whose user had the fewest GPU-seconds for their share)"));
    visit(key("backfill", &Policy::backfill,
              "who may start before one that does not fit: none, skip (whoever fits), easy (who "
              "does not delay the first that waits) or conservative (who delays nobody)"));
    visit(key("placement", &Policy::placement,
              "first (lowest number), pack (fewest switches, then the fullest machine) or spread "
              "(the emptiest)"));
    visit(key("split", &Policy::split,
              "whether a job that one machine could hold may lie on several"));
    visit(key("storage_aware", &Policy::storage_aware,
              "a job starts only while all that run ask their store for no more than this part of "
              "its bandwidth, or nobody does; 0: whatever they ask for"));
    visit(key("storage_soft", &Policy::storage_soft,
              "what GPUs are then left go to jobs that the store would keep waiting"));
    visit(key("preempt", &Policy::preempt,
              "whether jobs of higher priority stop preemptible ones of lower"));
    visit(key("reclaim", &Policy::reclaim,
              "whom a job within its user's quota may stop of those that others of the cohort run "
              "beyond theirs: never (nobody), lower (those of lower priority) or any"));
  }
};

}  // namespace gpufeed::cluster
