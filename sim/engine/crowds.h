// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/engine/fluid_network.h"

namespace gpufeed {

/// What the links of a network give, kept from one search for rates to the next, so that a search
/// need not look at every bundle under a link that many share. Of such a wide link:
/// - its crowd: the bundles that it holds back, all of which have its share. Of the links that they
///   cross, each knows how much of them in one number.
/// - its guests: other bundles that cross it, by share.
/// A bundle is in while its rate stands; one whose rate is sought is out, and counts nowhere. So is
/// one that is alone on all its links, until another comes.
class Crowds {
 public:
  static constexpr int kNone = FluidNetwork::kNone;

  /// What a crowd takes of a link that any of its bundles cross.
  struct Crossing {
    int link;
    int crowd;
    double weight = 0;  ///< exact, for weights are eighths
    int bundles = 0;
  };
  struct Crowd {
    int link;
    Ordered caps{};    ///< its bundles, by the share at which each is held back by its own cap
    Ordered limits{};  ///< its crossings, by the share up to which their link surely holds nobody
                       ///< back; 0: it does
    Ordered guests{};  ///< takes of bundles in no crowd, the greatest share first
    int bundles = 0;
    bool found = false;       ///< while shares are sought: its is
    std::vector<int> near{};  ///< likewise: its crossings of links that are near
  };

  /// \param network  must outlive it
  explicit Crowds(FluidNetwork& network) : network_(network) {}

  /// To be called when links or bundles may have come.
  void grow();

  /// Whether so many bundles share a link that it should have a crowd, and has none yet.
  bool should_widen(int link) const;
  /// \param link  all of whose bundles are out
  void widen(int link);
  bool is_wide(int link) const { return of(link).crowd != kNone; }
  /// Of a wide link.
  Crowd& crowd_at(int link) { return crowds_[static_cast<std::size_t>(of(link).crowd)]; }
  Crowd& crowd(int id) { return crowds_[static_cast<std::size_t>(id)]; }
  double share(const Crowd& crowd) const { return network_.group(group_of(crowd)).share; }

  const std::vector<int>& crossings(int link) const { return of(link).crossings; }
  const Crossing& crossing(int id) const { return crossings_[static_cast<std::size_t>(id)]; }

  /// No effect on a bundle that is out.
  void take_out(int bundle);
  /// A bundle that is out; its group has its share.
  void put_in(int bundle);
  bool is_in_crowd(int bundle, int crowd) const {
    const Placed& placed = placed_[static_cast<std::size_t>(bundle)];
    return placed.in && placed.crowd == crowd;
  }
  /// The bundle of one of a crowd's guests.
  int bundle_of(int take) const { return bundle_of_take_[static_cast<std::size_t>(take)]; }

  /// What a link gives to bundles that are in, but in no crowd.
  double given(int link) const { return of(link).given.total(); }
  /// A crossing no longer limits its crowd: somebody looks at its link.
  void forget_limit(int crossing);
  /// Up to which shares of crowds a link holds nobody back, after what it gives has changed.
  void renew_limits(int link);

 private:
  struct Placed {
    bool in = false;
    int crowd = kNone;
    double share = 0;
    double weight = 0;
    int first_take = 0;
  };
  /// Of numbers that come and go. What rounding takes is kept: whatever went before, it is that of
  /// the numbers there are, and alike links give alike shares to the last digit.
  struct Sum {
    double value = 0;
    double rest = 0;

    void add(double number);
    double total() const { return value + rest; }
  };
  struct OfLink {
    int crowd = kNone;  ///< none: it is not wide
    Sum given{};
    std::vector<int> crossings{};
  };

  OfLink& of(int link) { return links_[static_cast<std::size_t>(link)]; }
  const OfLink& of(int link) const { return links_[static_cast<std::size_t>(link)]; }
  int group_of(const Crowd& crowd) const { return network_.link(crowd.link).group; }
  Crossing& crossing_of(int link, int crowd);
  int new_crossing(int link, int crowd);
  void drop_empty(int link);

  FluidNetwork& network_;
  std::vector<OfLink> links_;
  std::vector<Placed> placed_;       ///< by bundle
  std::vector<int> bundle_of_take_;  ///< takes are counted through all bundles
  std::vector<Crowd> crowds_;
  std::vector<Crossing> crossings_;
  std::vector<int> unused_;  ///< crossings
  Places cap_places_, limit_places_, guest_places_;
};

}  // namespace gpufeed
