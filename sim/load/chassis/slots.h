// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/model/catalog/chassis.h"

namespace gpufeed {

/// One slot of a chassis.
struct Position {
  const Slot* group = nullptr;
  std::string at;
  std::size_t order = 0;  ///< of its place among sockets and switches
  std::size_t turn = 0;   ///< when it is filled, within its group
  std::string root;       ///< the socket that it is below
  bool taken = false;
  bool holds_gpu = false;
};

/// The slots of a chassis of which `sockets` have a CPU: those below others are not there.
class Slots {
 public:
  Slots(const Chassis& chassis, std::int64_t sockets);

  using Fits = std::function<bool(const Slot&)>;
  /// Whether the chassis has such slots at all, also below sockets that are empty.
  bool has(const Fits& fits) const;
  /// How many such slots there are, how many of them are free, and how many more there would be
  /// with all sockets filled.
  std::int64_t count(const Fits& fits) const;
  std::int64_t free(const Fits& fits) const;
  std::int64_t below_empty_sockets(const Fits& fits) const;

  /// How eagerly a slot is filled; the least first, then in the chassis' order.
  using Rank = std::function<int(const Position&)>;
  /// Takes so many free slots, or all there are: as they are filled, but told in the order of their
  /// groups and places.
  std::vector<Position*> take(std::int64_t count, const Fits& fits, const Rank& rank);

  /// GPUs at the place of a slot, or below its socket.
  bool has_gpu_at(const std::string& place) const;
  bool has_gpu_below(const std::string& root) const;

 private:
  std::vector<Position> positions_;
  std::vector<const Slot*> groups_;
  std::vector<const Slot*> empty_;  ///< a slot below an empty socket each
};

}  // namespace gpufeed
