// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_best.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr std::size_t kBest = 5;
constexpr std::size_t kWidest = 24;  ///< characters of an axis's value

struct Row {
  std::vector<std::string> axes;
  double rate = 0;
  std::vector<std::string> figures;  ///< as `Table::heads` names them
  std::optional<double> price;
  std::string without_price;
  double unpriced = 0;  ///< of an engine that serves: kinds of parts that are not in its price
  std::optional<double> chance;
  std::string bottleneck;
};

std::optional<double> number(const Cell& cell) {
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*value);
  return {};
}

std::string words(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto value = number(cell);
  return value ? text_number(*value, 6) : "";
}

/// Rows of a store by the names of their columns.
class Table {
 public:
  Table(SweepStore& store, const Sweep& sweep)
      : columns_(store.columns()), served_(studied_in(columns_) == Studied::serving) {
    if (served_)
      heads = {"in time/s", "TTFT 95 %", "ITL 95 %", "USD/10^6"};
    else
      heads = {"samples/s", std::string(term::kGpuUtil)};
    store.each_row([&](const std::vector<Cell>& cells) { take(cells, sweep); });
  }

  bool is_served() const { return served_; }

  std::vector<Row> rows;
  std::vector<std::string> heads;

 private:
  bool has(const std::string& name) const { return std::ranges::count(columns_, name) > 0; }

  const Cell& cell(const std::vector<Cell>& cells, const std::string& name) const {
    return cells[static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin())];
  }

  /// Of the whole job; stores from before have no such column.
  std::optional<double> number_of(const std::vector<Cell>& cells, const std::string& of_job,
                                  const std::string& before) const {
    return number(cell(cells, has(of_job) ? of_job : before));
  }

  std::string time(const std::vector<Cell>& cells, const std::string& name) const {
    const auto value = number(cell(cells, name));
    return value ? time_text(*value) : "";
  }

  std::vector<std::string> figures_of(const std::vector<Cell>& cells, double rate) const {
    if (served_) {
      const auto cost = number(cell(cells, "usd_per_mtokens"));
      return {text_number(rate, 3), time(cells, "ttft_s.p95"), time(cells, "itl_s.p95"),
              cost ? text_number(*cost, 3) : "-"};
    }
    const auto busy = number_of(cells, "job_gpu_utilization", "accelerator_utilization");
    return {text_number(rate), busy ? percent(*busy) : ""};
  }

  void take(const std::vector<Cell>& cells, const Sweep& sweep) {
    const auto rate = served_ ? number(cell(cells, "goodput_per_s"))
                              : number_of(cells, "job_samples_per_s", "throughput_samples_per_s");
    if (!rate || *rate <= 0) return;
    if (!sweep.constraints.empty() && words(cell(cells, "meets")) != kMeets) return;
    Row row;
    for (const Axis& axis : sweep.axes) row.axes.push_back(words(cell(cells, axis.name)));
    row.rate = *rate;
    row.figures = figures_of(cells, *rate);
    row.price = number(cell(cells, "price_USD"));
    row.without_price = words(cell(cells, "without_price"));
    if (served_) row.unpriced = number(cell(cells, "unpriced")).value_or(0);
    if (has("chance")) row.chance = number(cell(cells, "chance"));
    row.bottleneck = words(cell(cells, served_ ? "bottleneck" : "bottleneck.resource"));
    rows.push_back(std::move(row));
  }

  std::vector<std::string> columns_;
  bool served_;
};

/// Whether some price can be called the lowest: all are known, and some are whole, or all lack the
/// same parts.
bool are_comparable(const std::vector<Row>& rows) {
  const auto is_whole = [](const Row& row) { return row.without_price.empty(); };
  const auto lacks_the_same = [&](const Row& row) {
    return row.without_price == rows.front().without_price;
  };
  return std::ranges::all_of(rows, [](const Row& row) { return row.price.has_value(); }) &&
         (std::ranges::any_of(rows, is_whole) || std::ranges::all_of(rows, lacks_the_same));
}

/// Takes out those whose price lacks more parts than that of others: it is not known to be the
/// lowest. \return  which parts those are
std::string without_unpriced(std::vector<Row>& rows) {
  const double least = std::ranges::min(rows, {}, &Row::unpriced).unpriced;
  std::set<std::string> parts;
  std::erase_if(rows, [&](const Row& row) {
    if (row.unpriced > least) parts.insert(row.without_price);
    return row.unpriced > least;
  });
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string price_text(const Row& row) {
  if (!row.price) return "not known";
  return (row.without_price.empty() ? "" : "at least ") + text_number(std::round(*row.price), 15) +
         " USD";
}

std::string trimmed(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string table_text(const std::vector<Row>& rows, const std::vector<std::string>& heads,
                       const Sweep& sweep) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    std::size_t width = std::min(sweep.axes[i].name.size(), kWidest);
    for (const Row& row : rows) width = std::max(width, std::min(row.axes[i].size(), kWidest));
    widths.push_back(width);
  }
  const bool chances =
      std::ranges::any_of(rows, [](const Row& row) { return row.chance.has_value(); });
  const auto chance_column = [&](const std::string& words) {
    return chances ? fmt::format("{:>9}", words) : "";
  };
  std::size_t price_width = 16;
  for (const Row& row : rows) price_width = std::max(price_width, price_text(row).size() + 2);
  std::string head, out;
  for (std::size_t i = 0; i < widths.size(); ++i)
    head += fmt::format("  {:<{}}", clipped(sweep.axes[i].name, kWidest), widths[i]);
  const auto figures = [](const std::vector<std::string>& all) {
    std::string cells;
    for (const std::string& one : all) cells += fmt::format("{:>{}}", one, cells.empty() ? 12 : 11);
    return cells;
  };
  out = trimmed(head + fmt::format("{}{}{:>{}}  bottleneck", figures(heads),
                                   chance_column("chance"), "price", price_width));
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i)
      line += fmt::format("  {:<{}}", clipped(row.axes[i], kWidest), widths[i]);
    out += trimmed(line + fmt::format("{}{}{:>{}}  {}", figures(row.figures),
                                      chance_column(row.chance ? percent(*row.chance) : ""),
                                      price_text(row), price_width, row.bottleneck));
  }
  return out;
}

}  // namespace

std::string best_rows(SweepStore& store, const Sweep& sweep) {
  Table table(store, sweep);
  std::vector<Row>& rows = table.rows;
  if (rows.empty()) return "";
  std::string left_out;
  if (table.is_served() && !sweep.constraints.empty()) left_out = without_unpriced(rows);
  const bool by_price = !sweep.constraints.empty() && are_comparable(rows);
  // What is more than its known part is not known to be cheaper than anything.
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
    if (by_price && a.without_price.empty() != b.without_price.empty())
      return a.without_price.empty();
    return by_price && *a.price != *b.price ? *a.price < *b.price : a.rate > b.rate;
  });
  if (rows.size() > kBest) rows.resize(kBest);
  if (!left_out.empty())
    left_out = "Left out, as they also lack the price of other parts: " + left_out + "\n";
  return fmt::format("\n{}:\n{}{}",
                     by_price            ? "The cheapest that meet the constraints"
                     : table.is_served() ? "The most requests a second within the goal"
                                         : "The greatest rate of the job",
                     table_text(rows, table.heads, sweep), left_out);
}

}  // namespace gpufeed
