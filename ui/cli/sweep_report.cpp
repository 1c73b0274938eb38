// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "reports/writers/key_words.h"
#include "ui/cli/page_head.h"

namespace gpufeed::cli {
namespace {

/// Reads cells of a row by the names of their columns.
class Row {
 public:
  Row(const std::vector<std::string>& columns, const std::vector<Cell>& cells)
      : columns_(columns), cells_(cells) {}

  std::string text(const std::string& column) const {
    const Cell& cell = at(column);
    if (const auto* words = std::get_if<std::string>(&cell)) return *words;
    if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *number);
    return "";
  }
  std::optional<double> number(const std::string& column) const {
    const Cell& cell = at(column);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*number);
    return {};
  }

 private:
  const Cell& at(const std::string& column) const {
    static const Cell none;
    const auto found = std::ranges::find(columns_, column);
    return found == columns_.end() ? none
                                   : cells_[static_cast<std::size_t>(found - columns_.begin())];
  }

  const std::vector<std::string>& columns_;
  const std::vector<Cell>& cells_;
};

}  // namespace

html::SweptPoints swept_points(SweepStore& store, const Sweep& sweep, const Catalog& catalog) {
  std::map<std::string, std::string> titles;
  html::SweptPoints out;
  for (const Axis& axis : sweep.axes) out.axes.push_back(axis.name);
  for (const Condition& one : sweep.constraints) out.constraints.push_back(one.text);
  const auto columns = store.columns();
  out.are_served = studied_in(columns) == Studied::serving;
  // Prices that lack more than others do are not known to be lower than any.
  double least_unpriced = std::numeric_limits<double>::infinity();
  if (out.are_served)
    store.each_row([&](const std::vector<Cell>& cells) {
      if (const auto count = Row(columns, cells).number("unpriced"))
        least_unpriced = std::min(least_unpriced, *count);
    });
  store.each_row([&](const std::vector<Cell>& cells) {
    const Row row(columns, cells);
    auto rate = row.number(out.are_served ? "goodput_per_s" : "job_samples_per_s");
    if (!rate) rate = row.number("throughput_samples_per_s");  // of a store from before
    if (!rate) {
      ++out.failed;
      return;
    }
    html::SweptPoint point;
    for (const auto& axis : out.axes) {
      const std::string value = row.text(axis);
      add_titles(value, catalog, titles);
      point.values.push_back(products_by_title(value, titles));
    }
    point.samples_per_s = *rate;
    const auto busy = row.number(out.are_served ? "gpu_busy" : "job_gpu_utilization");
    point.gpus_busy = busy ? *busy : row.number("accelerator_utilization").value_or(0);
    point.price_USD = row.number("price_USD");
    point.power_W = row.number("power_W");
    point.bottleneck = row.text(out.are_served ? "bottleneck" : "bottleneck.resource");
    point.ttft_p95_s = row.number("ttft_s.p95");
    point.price_lacks_parts = out.are_served ? row.number("unpriced").value_or(0) > least_unpriced
                                             : !row.text("without_price").empty();
    point.power_lacks_parts = !row.text("without_power").empty();
    point.meets = row.text("meets") == kMeets;
    point.chance = row.number("chance");
    out.points.push_back(std::move(point));
  });
  return out;
}

}  // namespace gpufeed::cli
