// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_summary.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

/// "3-7, 12": at most a few of them.
std::string listed(const std::vector<Gap>& gaps) {
  constexpr std::size_t kMost = 10;
  std::string out;
  for (std::size_t i = 0; i < gaps.size() && i < kMost; ++i) {
    const Gap& gap = gaps[i];
    out += out.empty() ? "" : ", ";
    out += gap.first == gap.last ? fmt::format("{}", gap.first)
                                 : fmt::format("{}-{}", gap.first, gap.last);
  }
  return out + (gaps.size() > kMost ? ", ..." : "");
}

std::string counted(std::int64_t points) {
  return points == 1 ? "1 point" : with_commas(points) + " points";
}

}  // namespace

int merge_verb(const Arguments& arguments) {
  Options options("merge",
                  "Joins the shards of a sweep. Shards of different versions, sweeps, scenarios or "
                  "catalogs are refused, and points that two of them have. Where points are "
                  "missing, OUT is written, they are named, and the exit status is 1: gpufeed "
                  "sweep --out OUT simulates them.",
                  "gpufeed merge all.sqlite sweep.*-of-8.sqlite --csv results.csv");
  std::string out;
  std::vector<std::string> shards;
  OutputOption csv{"--csv"};
  options.operand("OUT", out, "a new file for all points");
  options.operands("SHARD", shards, "files that gpufeed sweep --shard has written");
  csv.add_to(options, "write all points as CSV as well");
  if (!options.parse(arguments)) return kGood;
  if (out.empty() || shards.empty())
    throw options.error("name the file to write, then the shards to join");
  for (const auto& name : store_files(out)) note_output(out, name);
  csv.open();
  const MergeReport report = merge_sweeps(out, {shards.begin(), shards.end()});
  std::string told =
      fmt::format("{}: {} of {} points\n", out, with_commas(report.points - report.missing),
                  with_commas(report.points));
  if (report.missing > 0)
    told += fmt::format("missing: {}: {}\n", counted(report.missing), listed(report.gaps));
  SweepStore store(out, Database::Mode::own);
  told += unchecked_text(store);
  if (csv.takes_standard_output())
    complain(told);
  else
    print(told);
  if (csv.asked_for()) csv.write(to_csv(store));
  return report.missing == 0 ? kGood : kNo;
}

}  // namespace gpufeed::cli
