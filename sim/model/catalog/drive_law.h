// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/base/units.h"

namespace gpufeed {

/// How the three roofs of a device meet. Flash works on many requests at once, and its roofs hardly
/// slow one another: p = 4. A disk has one head, and what each roof costs adds up: p = 1.
inline constexpr double kManyAtOnce = 4;
inline constexpr double kOneAfterAnother = 1;

/// What limits a drive in one direction (reading or writing).
struct DriveLaw {
  Bandwidth bandwidth;             ///< B: of large requests, many at once
  Rate request_rate;               ///< most requests per second, many at once
  Seconds latency;                 ///< L0: of the smallest request, alone
  Bandwidth request_bandwidth;     ///< B1: at which the bytes of one request move
  Bytes largest_request;           ///< the device sees larger ones as several
  double sharpness = kManyAtOnce;  ///< p of the norm that joins the roofs
  Seconds page_time{};             ///< t: of each page that a request's bytes go to, one by one
};

/// Of a request that nothing else delays: L0 + s / B1 + t s / page.
Seconds lone_request(const DriveLaw& law, Bytes request);

/// At which the bytes of one request move: 1 / (1 / B1 + t / page).
Bandwidth lone_bandwidth(const DriveLaw& law);

/// Rate with `outstanding` requests of `request` bytes always under way:
///   r = (B^-p + (request_rate x s)^-p + (q x s / (L0 + s / B1))^-p)^(-1/p)
/// where s is the request, but in the second roof no more than `largest_request`. Of r is left
///   1 / (1 / r + t / page)
/// for the device looks its pages up one after the other, however many requests there are.
/// \param outstanding  above 0; infinity leaves the third roof (Little's law) out
Bandwidth attained_bandwidth(const DriveLaw& law, Bytes request, double outstanding);

/// The L0 with which `outstanding` requests, always under way, take `wait` each; none where the
/// law's other roofs alone make them wait as long.
std::optional<Seconds> latency_of_wait(const DriveLaw& law, Bytes request, double outstanding,
                                       Seconds wait);

/// The B with which `outstanding` requests, always under way, take `wait` each:
///   B = (r^-p - (request_rate x s)^-p - (q x s / (L0 + s / B1))^-p)^(-1/p)
/// where r = q x s / (wait - q x t x s / page). None where B^-p is less than half of r^-p: the
/// other roofs limit such requests more, and what is off by 1 % in r would be by more than 2 in B.
std::optional<Bandwidth> bandwidth_of_wait(const DriveLaw& law, Bytes request, double outstanding,
                                           Seconds wait);

}  // namespace gpufeed
