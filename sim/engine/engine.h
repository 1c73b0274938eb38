// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "sim/base/labels/label.h"
#include "sim/base/units.h"

namespace gpufeed {

struct LinkId {
  int value = -1;
  bool operator==(const LinkId&) const = default;
};
struct RouteId {
  int value = -1;
  bool operator==(const RouteId&) const = default;
};

/// What to do when a flow or timer ends: a member function and a number. Owns nothing, allocates
/// nothing; the target must outlive the run.
struct Callback {
  void (*call)(void* target, std::uint64_t tag) = nullptr;
  void* target = nullptr;
  std::uint64_t tag = 0;

  void operator()() const { call(target, tag); }
};

/// Binds `(target.*Method)(tag)`.
template <auto Method, class Target>
Callback callback(Target& target, std::uint64_t tag) {
  return {[](void* object, std::uint64_t t) { (static_cast<Target*>(object)->*Method)(t); },
          &target, tag};
}

/// How much of a contended link a flow takes, beside others: twice the weight, twice the rate.
/// Counted in eighths, of which SimGrid can make a whole number of links.
struct Weight {
  int eighths = 8;
  double value() const { return eighths / 8.0; }

  bool operator==(const Weight&) const = default;
};

inline constexpr Bandwidth kUncapped{std::numeric_limits<double>::infinity()};

/// A fluid discrete-event engine: the flows on a link share it max-min fairly by weight; timers
/// fire in order of their date, those of one date in the order they were set. Links have no
/// latency: pay it with `after` before the flow. Links and routes are declared before the first
/// flow or timer.
class Engine {
 public:
  virtual ~Engine() = default;

  /// \param capacity  finite and above 0
  virtual LinkId add_link(std::string name, Bandwidth capacity) = 0;
  /// The same, named as the user calls it.
  LinkId add_link(const Label& label, Bandwidth capacity);
  /// A flow takes all `links` of its route at once, at one rate; a link that is listed k times
  /// gives it k times that rate.
  /// \param links     at least one
  /// \param flow_cap  the most that one flow on this route may take, alone or not
  /// \param weight    above 0
  virtual RouteId add_route(std::span<const LinkId> links, Bandwidth flow_cap = kUncapped,
                            Weight weight = {}) = 0;

  /// \param size  0 or more; a flow of 0 bytes ends at the present date, after this call returns
  virtual void start_flow(RouteId route, Bytes size, Callback done) = 0;
  /// \param delay  0 or more; a delay of 0 fires at the present date, after this call returns
  virtual void after(Seconds delay, Callback done) = 0;

  /// Time since the engine was made.
  virtual Seconds now() const = 0;
  /// Runs until no flow and no timer is left. Callbacks may start more of both. Called once.
  virtual void run() = 0;

  /// Bytes that the finished flows have moved over `link`.
  virtual Bytes carried(LinkId link) const = 0;
  /// Bytes that flows on `route` have moved so far, those under way included. Takes time in
  /// proportion to the flows under way.
  virtual Bytes moved(RouteId route) const = 0;
  /// Flows and timers finished so far.
  virtual std::uint64_t events() const = 0;
};

/// The reference engine, over SimGrid. One at a time in a process; any number one after another,
/// each independent of those before it. Flows must be below 1 PiB; flows that end within 1 ns of
/// one another end together.
/// \throws InputError  as `require_simgrid`
std::unique_ptr<Engine> make_simgrid_engine();

/// Loads the module that has the engine above; nothing else does until one is made.
/// \throws InputError  where gpufeed was built without it or SimGrid is not installed
void require_simgrid();

/// Our own: what an event costs follows the number of routes in use instead of flows, so that any
/// number of requests may wait. Any number of engines at a time.
std::unique_ptr<Engine> make_fluid_engine();

}  // namespace gpufeed
