// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sim/base/units.h"

namespace gpufeed {

/// Divides a time among settings that are measured one after the other: each is given its part of
/// what is left when its turn comes, so that what took longer is made up for.
class Pace {
 public:
  explicit Pace(Seconds all) : all_(all) {}

  /// Settings to come. \param beside  what each takes beside its measurement, about
  void expect(std::size_t settings, Seconds beside);
  /// What all that is expected takes at least.
  Seconds least() const;
  /// And what it may take: no setting gains from more than five seconds.
  Seconds about() const;
  /// The time of each of the next settings, which were expected with `beside`.
  /// \param passed  since the start
  Seconds next(Seconds passed, std::size_t settings, Seconds beside);

 private:
  Seconds all_;
  double settings_ = 0;  ///< to come
  Seconds beside_;       ///< of them all
};

}  // namespace gpufeed
