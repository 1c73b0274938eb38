// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/model/cluster/answer.h"
#include "sim/model/cluster/document.h"

namespace gpufeed {

/// One number that goals and sweeps of clusters may name.
struct ClusterFigure {
  std::string name;
  std::optional<double> value;       ///< nothing: not known
  const UnitTable* units = nullptr;  ///< of a time, a share, bytes; nullptr: a plain number
};

/// What machines and stores cost to buy: systems and stores of the catalog that have a price.
struct ClusterPrice {
  std::optional<double> USD;           ///< nothing: of one of them no price is known
  std::vector<std::string> not_known;  ///< whose
};

ClusterPrice price_of(const cluster::Document& document);

/// All numbers of an answer: totals, of which those that repeats are held against are means of all
/// repeats; and what else is told of all jobs together. Always the same names in the same order.
std::vector<ClusterFigure> figures_of(const cluster::Answer& answer, const ClusterPrice& price);

/// The figure of this name, which is one of them.
std::optional<double> figure_in(const std::vector<ClusterFigure>& figures, const std::string& name);

/// The units of the figure of this name; nullptr: a plain number, or an axis.
const UnitTable* units_of_figure(const std::string& name);

/// A value of it: a time, shares in percent, bytes with their unit.
std::string figure_text(const std::string& name, std::optional<double> value);

}  // namespace gpufeed
