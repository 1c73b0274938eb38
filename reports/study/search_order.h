// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reports/study/candidates.h"

namespace gpufeed {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A choice and the least that its aim can come to; what is to be maximized has its sign changed.
struct Place {
  double least;
  std::int64_t choice;
};

/// What a goal wants most or least of, and the order in which its choices are worth a look.
class SearchOrder {
 public:
  SearchOrder(const Choices& choices, const Candidates& candidates)
      : choices_(choices), candidates_(candidates) {}

  bool maximizes() const { return !choices_.goal.maximize.empty(); }
  const std::string& key() const {
    return maximizes() ? choices_.goal.maximize : choices_.goal.minimize;
  }
  /// Whether simulation tells it, not a sum or the choice itself.
  bool is_simulated() const { return !is_axis() && foresight_of(key()) != Foresight::exact; }

  /// Its aim, simulated where it was, signed as in Place; of what is not known, kNever.
  double aim_of(const Candidate& candidate, std::int64_t choice) const;

  /// Sums of prices or powers from few bills, where the aim is one.
  void make_tables();
  /// They were wrong, or the rates that layouts tell.
  void drop_tables() {
    tables_.reset();
    trusts_layouts_ = false;
  }
  std::int64_t checked_sums() const { return tables_ ? tables_->checked() : 0; }
  /// Whether what a choice costs is what the tables said, and its rate no more than its layout.
  bool agrees(const Candidate& candidate, std::int64_t choice) const;

  /// Whether `sort` asks for nothing that examining each choice tells.
  bool is_known() const { return is_axis() || tables_ || knows_rates(); }
  /// All that can be wanted, the least first.
  /// \param only_whole  whether to leave out choices that lack more prices than others
  void sort(bool only_whole);
  const std::vector<Place>& places() const { return places_; }
  /// Choices that the last sort left out for what their sum lacks.
  std::int64_t left_out() const { return left_out_; }

 private:
  bool is_axis() const;
  double sign() const { return maximizes() ? -1 : 1; }
  bool is_bounded() const;
  bool knows_rates() const;
  double least_of(std::int64_t choice) const;
  double lacking(std::int64_t choice) const;
  void leave_out_unknown();
  std::optional<CostOf> cost(const std::vector<std::uint32_t>& chosen) const;
  double cost_in(const CostOf& cost) const;
  const SweepPoints& points() const { return choices_.workloads.front().points; }

  const Choices& choices_;
  const Candidates& candidates_;
  std::optional<CostTables> tables_;
  std::vector<Place> places_;
  std::int64_t left_out_ = 0;
  bool trusts_layouts_ = true;
};

}  // namespace gpufeed
