// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/clusters/cluster_figures.h"
#include "sim/load/load.h"
#include "sim/model/study/goal.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed::html {
struct PageHead;
}

namespace gpufeed {

/// A cluster with the values of a choice, under the first scheduler that its file names.
struct ClusterRow {
  std::int64_t number = 0;  ///< among all choices, from 0; the last axis varies fastest
  std::vector<ChosenValue> values;
  std::vector<ClusterFigure> figures;  ///< empty: it is refused
  std::vector<cluster::RepeatedValue> repeated;
  bool meets = false;   ///< all constraints
  std::string refused;  ///< why the file does not hold together so
};

struct ClusterStudy {
  std::string title;
  std::string aim;                       ///< name of the figure or axis; empty: a sweep has none
  bool most = false;                     ///< of it is wanted, not the least
  std::vector<std::string> constraints;  ///< as they stand in the file
  std::vector<std::string> limited;      ///< the figures that they name
  std::vector<ClusterRow> rows;          ///< in the order of their numbers
  std::vector<std::size_t> order;        ///< of those that meet all constraints, the best first
};

struct ClusterStudyRun {
  unsigned jobs = 1;
  std::function<void(std::int64_t done, std::int64_t of)> progress;
};

/// Whether the file that a goal or a sweep varies is a shared cluster.
bool studies_cluster(const std::string& scenario);

/// Runs a cluster with every choice of a goal, its repeats included: none is left out, so that the
/// best is the best. Of choices that are equally good, the first.
/// \throws InputError  what the goal asks that clusters do not tell; and where no choice holds
///                     together
ClusterStudy study_cluster(const Goal& goal, const Catalog& catalog,
                           const std::vector<Override>& overrides, const ClusterStudyRun& run);

/// The same of a sweep: all its points.
ClusterStudy study_cluster(const Sweep& sweep, const Catalog& catalog,
                           const std::vector<Override>& overrides, const ClusterStudyRun& run);

/// The figures that are told of each choice: the aim, what is limited, and what nobody is
/// indifferent to.
std::vector<std::string> told_of(const ClusterStudy& study);
/// A value of an axis as a cell: text without its quotes.
std::string cell_of(const ChosenValue& value);

std::string to_text(const ClusterStudy& study);
/// An array of objects: the choice's number, its values, all figures, and whether it meets all.
std::string to_json(const ClusterStudy& study);
/// The same as CSV.
std::string to_csv(const ClusterStudy& study);
/// A page of its own: what to choose, a chart of each figure that is told over the first axis, a
/// line for each value of the second, and a table.
std::string to_html(const ClusterStudy& study, const html::PageHead& head);

}  // namespace gpufeed
