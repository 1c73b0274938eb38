// SPDX-License-Identifier: Apache-2.0
#include "reports/clusters/cluster_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

using cluster::Totals;

template <class M>
const UnitTable* units_in(const Field<Totals, M>& field) {
  if (field.of_speed == OfSpeed::time) return &units_of<Seconds>();
  if constexpr (std::same_as<M, double>) {
    if (field.member == &Totals::bytes) return &units_of<Bytes>();
    if (field.member == &Totals::allocated_share || field.member == &Totals::busy_share)
      return &units_of<Ratio>();
  }
  return nullptr;
}

}  // namespace

ClusterPrice price_of(const cluster::Document& document) {
  ClusterPrice out;
  double sum = 0;
  for (const cluster::NodeGroup& group : document.cluster.nodes)
    if (group.system && (*group.system)->price)
      sum += (*group.system)->price->value * static_cast<double>(group.count);
    else
      out.not_known.push_back(group.system
                                  ? group.system->name
                                  : fmt::format("nodes of {} GPUs", group.gpus.value_or(0)));
  for (const auto& [name, store] : document.stores)
    if (store.model && (*store.model)->price)
      sum += (*store.model)->price->value;
    else
      out.not_known.push_back("store " + name);
  if (out.not_known.empty()) out.USD = sum;
  return out;
}

std::vector<ClusterFigure> figures_of(const cluster::Answer& answer, const ClusterPrice& price) {
  std::vector<ClusterFigure> out;
  Totals::fields([&]<class M>(const Field<Totals, M>& field) {
    const std::string name(field.name);
    const auto repeated = std::ranges::find(answer.repeated, name, &cluster::RepeatedValue::name);
    out.push_back({name,
                   repeated != answer.repeated.end()
                       ? repeated->mean
                       : static_cast<double>(answer.totals.*field.member),
                   units_in(field)});
  });
  const auto& energy = answer.energy;
  out.push_back({"goodput", answer.goodput, &units_of<Ratio>()});
  out.push_back({"wait_p95_s", answer.wait_s.p95, &units_of<Seconds>()});
  out.push_back({"turnaround_p95_s", answer.turnaround_s.p95, &units_of<Seconds>()});
  out.push_back({"nodes", static_cast<double>(answer.nodes)});
  out.push_back({"gpus", static_cast<double>(answer.gpus)});
  out.push_back({"price_USD", price.USD});
  out.push_back({"energy_kWh", energy ? std::optional(energy->energy_kWh) : std::nullopt});
  out.push_back({"cost_USD", energy ? std::optional(energy->cost_USD) : std::nullopt});
  return out;
}

std::optional<double> figure_in(const std::vector<ClusterFigure>& figures,
                                const std::string& name) {
  const auto found = std::ranges::find(figures, name, &ClusterFigure::name);
  return found == figures.end() ? std::nullopt : found->value;
}

const UnitTable* units_of_figure(const std::string& name) {
  static const std::vector<ClusterFigure> all = figures_of({}, {});
  const auto found = std::ranges::find(all, name, &ClusterFigure::name);
  return found == all.end() ? nullptr : found->units;
}

std::string figure_text(const std::string& name, std::optional<double> value) {
  if (!value) return "not known";
  const UnitTable* const units = units_of_figure(name);
  if (units == &units_of<Seconds>()) return time_text(*value);
  if (units == &units_of<Ratio>()) return percent(*value);
  if (units == &units_of<Bytes>()) return text(Bytes{*value}, 3);
  return text_number(*value, *value == std::round(*value) ? 15 : 4);
}

}  // namespace gpufeed
