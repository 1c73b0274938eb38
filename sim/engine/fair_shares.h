// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/engine/fluid_network.h"

namespace gpufeed {

/// Gives the flows of a network their rates: max-min fairly, by weight. Where flows come and go on
/// routes that one link alone holds back, that costs the logarithm of their number. Elsewhere, the
/// bundles of routes are shared anew that hang together by links which hold some of them back.
class FairShares {
 public:
  /// \param network  must outlive it
  explicit FairShares(FluidNetwork& network) : network_(network) {}

  /// \param changed  bundles that have other flows than when their rates were found
  void find(const std::vector<int>& changed);

 private:
  using Link = FluidNetwork::Link;
  using Bundle = FluidNetwork::Bundle;
  using Group = FluidNetwork::Group;
  using Take = FluidNetwork::Take;
  static constexpr int kNone = FluidNetwork::kNone;

  /// What gives each flow of some bundles the least for each unit of its weight: a link, or the cap
  /// of one bundle.
  struct Constraint {
    double share;
    int link;    ///< kNone: a cap
    int bundle;  ///< of the cap
    bool operator<(const Constraint& other) const { return share > other.share; }
  };

  void count_flows(Bundle& bundle);
  void touch(int group);
  void untouch();

  // Where one link alone holds its bundles back:
  int group_alone(const Bundle& bundle) const;
  bool fits_alone(int bundle);
  bool still_alone(int group);
  void share_alone(const std::vector<int>& changed);

  // Everywhere else:
  void share_all(const std::vector<int>& changed);
  void gather();
  void see_bundle(int id);
  void see_link(int id);
  bool is_by_itself() const;
  void fill_alone(Bundle& bundle);
  void fill();
  void open(Link& link);
  bool takes_from_others();
  std::size_t apply_least();
  void bind(Bundle& bundle, double share, int group);
  void seek_alone();
  void bound_alone(const Bundle& bundle);

  void take_share(Group& group);

  FluidNetwork& network_;
  std::vector<int> touched_;  ///< groups whose share may change
  std::vector<int> near_bundles_, near_links_;
  std::vector<Constraint> constraints_;
};

}  // namespace gpufeed
