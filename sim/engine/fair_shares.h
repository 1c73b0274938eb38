// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/engine/crowds.h"
#include "sim/engine/fluid_network.h"

namespace gpufeed {

/// Gives the flows of a network their rates: max-min fairly, by weight. Bundles are shared anew
/// that changes concern, and those that links which hold some of them back hold back, too; what a
/// wide link holds back is shared as one, though, apart from what changes or has to leave it. So
/// where flows come and go under a link that many share, that costs the logarithm of their number.
class FairShares {
 public:
  /// \param network  must outlive it
  explicit FairShares(FluidNetwork& network) : network_(network), crowds_(network) {}

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

  void see_bundle(int id);
  void see_link(int id);
  void gather();
  void gather_under(int link);

  bool is_alone(const Bundle& bundle) const;
  void share_alone(int bundle);
  void end_alone(int bundle);
  void fill_near();
  bool fill();
  void open(int link);
  bool apply_least(std::size_t& found);
  bool apply_link(int link, double share, std::size_t& found);
  void bind(Bundle& bundle, double share, int group);
  void bind_crowd(Crowds::Crowd& crowd, double share);

  bool leave_crowd(int link);
  bool takes_from_others(int link);
  bool takes_from_guests(int link, double share);
  bool disturbs_others();
  void pull(int link, int crowd);
  bool is_near(const Crowds::Crowd& crowd) const { return network_.link(crowd.link).seen; }

  void apply();
  void touch(int group);

  FluidNetwork& network_;
  Crowds crowds_;
  std::vector<int> touched_;  ///< groups whose share may change
  std::vector<int> near_bundles_, near_links_;
  std::size_t gathered_bundles_ = 0, gathered_links_ = 0;
  std::vector<int> near_crowds_;
  std::vector<Constraint> constraints_;
};

}  // namespace gpufeed
