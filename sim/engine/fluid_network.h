// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/engine/first_out.h"
#include "sim/engine/ordered.h"

namespace gpufeed {

/// Links, routes with their flows, and when the next of these ends. Flows on one route are alike:
/// they have one rate at any time, so a clock that counts the bytes each of them has received says
/// when each ends. Routes over the same links are alike but for their weights, and so are all that
/// the same link holds back: they form a bundle, whose rate is found once for all, and a group,
/// whose clock counts the bytes of a unit of weight, and says when each route's next flow ends,
/// whatever rate they all have.
class FluidNetwork {
 public:
  static constexpr int kNone = -1;

  struct Use {  ///< of a link by a bundle that has flows
    int bundle;
    std::size_t take;
  };
  struct Link {
    double capacity = 0;
    int group = kNone;  ///< of the bundles that it holds back
    double carried = 0;
    double left = 0;     ///< while rates are sought: not given away yet
    double wanted = 0;   ///< likewise: weight of the flows without a rate
    bool seen = false;   ///< likewise: is near what changed
    bool binds = false;  ///< likewise: holds near bundles back
    int alone = kNone;   ///< the one bundle on it, where that is alone on all its links
    std::vector<Use> uses{};
    std::vector<Use> near{};  ///< while rates are sought: those by near bundles
  };
  struct Take {
    int link;
    double times;
    std::size_t use = 0;  ///< position among the link's uses
  };
  struct Flow {
    double size;
    Callback done;
  };
  struct Route {
    int bundle = kNone;
    double weight = 1;
    std::size_t place = 0;  ///< among its bundle's, while it has flows
    bool in_group = false;  ///< its bundle's: it has flows
    double clock = 0;       ///< bytes that a flow has received that was there since it began
    double since = 0;       ///< the group's clock at the date of `clock`
    double moved = 0;       ///< until then
    FirstOut<Flow> flows;   ///< by their end on its clock

    double count() const { return static_cast<double>(flows.size()); }
  };
  /// Routes over the same links, with the same cap for a unit of weight.
  struct Bundle {
    std::vector<Take> takes;
    double cap = 0;             ///< rate of a unit of weight, at most
    int own_group = kNone;      ///< where its cap holds it back, or nobody else is near
    int group = kNone;          ///< while it has flows
    double weight = 0;          ///< of its flows; exact, for weights are eighths
    std::vector<int> routes{};  ///< those with flows
    int new_group = kNone;      ///< while rates are sought; none: not found yet
    bool seen = false;          ///< while rates are sought: is near what changed
    bool changed = false;       ///< has other flows than when its rate was found
    bool alone = false;         ///< no other has been on its links since its rate was found

    /// How much its flows count on one of its links.
    double weight_on(const Take& take) const { return weight * take.times; }
  };
  /// Routes whose flows have one rate for each unit of their weight.
  struct Group {
    int link = kNone;      ///< that holds them back; none: it is a route's own
    double share = 0;      ///< the rate of a unit
    double clock = 0;      ///< bytes that a unit has received
    double since = 0;      ///< date of `clock`
    Ordered routes{};      ///< by when, on the clock, the next flow of each ends
    double new_share = 0;  ///< while rates are sought
    bool touched = false;  ///< likewise: its share may change
  };

  std::vector<Link> links;
  std::vector<Route> routes;
  std::vector<Bundle> bundles;
  std::vector<Group> groups;
  double now = 0;

  int add_link(double capacity);
  /// \param links  one that is listed twice is taken twice
  int add_route(std::span<const LinkId> links, double cap, double weight);

  Route& route(int id) { return routes[static_cast<std::size_t>(id)]; }
  const Route& route(int id) const { return routes[static_cast<std::size_t>(id)]; }
  Bundle& bundle(int id) { return bundles[static_cast<std::size_t>(id)]; }
  const Bundle& bundle(int id) const { return bundles[static_cast<std::size_t>(id)]; }
  Link& link(int id) { return links[static_cast<std::size_t>(id)]; }
  const Link& link(int id) const { return links[static_cast<std::size_t>(id)]; }
  Group& group(int id) { return groups[static_cast<std::size_t>(id)]; }
  const Group& group(int id) const { return groups[static_cast<std::size_t>(id)]; }

  /// Whether any route has flows; then the date at which the next of them ends, as far as rates are
  /// known, its number, and its route.
  bool empty() const { return order_.empty(); }
  const Ordered::Key& next() const { return order_.first_key(); }
  int next_route() const { return group(order_.first()).routes.first(); }
  /// Dates closer than rounding, relative to the clock, are one: alike routes then end together
  /// instead of one rounding after the other.
  bool is_due(double date) const;

  /// A route that has no flows gets some: it takes its place in its bundle, and that on its links,
  /// unless it has them still.
  void join(int route);
  /// A route that has no flows any more gives them up. \param route  its clock at the present
  void leave(int route);

  /// Bytes of a flow of `route` since the date of its clock.
  double received(const Route& route) const;
  /// Brings its clock to the present.
  void advance(Route& route);

  /// The flows of a route have changed. \param route  its clock at the present
  void place(int route);
  /// Puts the routes of a bundle into another group.
  void move(int bundle, int group);
  /// From now on.
  void set_share(int group, double share);

 private:
  int add_group(int link);
  int bundle_of(std::vector<Take> takes, double cap);
  void enter(int route, int group);
  void begin_again(Route& route);
  void quit_group(int route);
  static Ordered::Key key_of(const Route& placed);
  void put(int route);
  void reorder(int group);
  double clock_now(const Group& group) const {
    return group.clock + group.share * (now - group.since);
  }

  /// How often each link is taken, and the cap of a unit of weight.
  struct Way {
    std::vector<std::pair<int, double>> over;
    double cap = 0;
    bool operator==(const Way&) const = default;
  };
  struct HashOfWay {
    std::size_t operator()(const Way& way) const {
      std::size_t hash = std::hash<double>{}(way.cap);
      for (const auto& [link, times] : way.over)
        hash = (hash ^ (std::hash<int>{}(link) + std::hash<double>{}(times))) * 0x9e3779b97f4a7c15;
      return hash;
    }
  };
  std::unordered_map<Way, int, HashOfWay> bundles_known_;
  Places route_places_, group_places_;
  Ordered order_;  ///< groups with routes, by when the next flow of them ends
};

}  // namespace gpufeed
