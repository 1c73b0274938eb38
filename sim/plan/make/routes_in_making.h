// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
#include "sim/topology/routes.h"

namespace gpufeed {

/// The routes of a plan while it is made. What is not there becomes a problem, so that a user
/// learns of all of them at once.
class RoutesInMaking {
 public:
  /// Both must outlive it.
  RoutesInMaking(const Scenario& scenario, Routes& routes) : scenario_(scenario), routes_(routes) {}

  /// A route from one part to another; nothing and a problem where there is none.
  std::optional<RouteIndex> add(std::optional<Route> route, const Label& from, const Label& to) {
    if (route) return add(std::move(*route));
    report_no_way(missing_, scenario_.where, scenario_, from, to);
    return {};
  }
  RouteIndex add(Route route) { return routes_.add(std::move(route)); }
  Route& operator[](RouteIndex index) { return routes_[index]; }

  /// The way of reading a drive into a target, which `find` finds once for all GPUs. \param find ()
  template <class Find>
  const std::optional<Route>& of_drive(PartId drive, VertexIndex target, Find&& find) {
    const auto [known, is_new] = of_drives_.try_emplace({drive, target.position()});
    if (is_new) known->second = find();
    return known->second;
  }

  Diagnostics& missing() { return missing_; }
  /// \throws InputError
  void throw_if_any_is_missing() const { missing_.throw_if_any(); }

 private:
  const Scenario& scenario_;
  Routes& routes_;
  Diagnostics missing_;
  std::map<std::pair<PartId, std::size_t>, std::optional<Route>> of_drives_;  ///< and the target
};

}  // namespace gpufeed
