// SPDX-License-Identifier: Apache-2.0
#include "reports/study/leave_out.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace gpufeed {
namespace {

/// A choice of values for all constants of a law.
using LawPoint = std::vector<Override>;

std::vector<LawPoint> points_of(const FittedLaw& law) {
  std::vector<LawPoint> points(1);
  for (const FittedConstant& constant : law.constants) {
    std::vector<LawPoint> longer;
    for (const LawPoint& point : points)
      for (const std::string& value : constant.values) {
        longer.push_back(point);
        longer.back().push_back({constant.path, value, "law " + law.name, constant.where});
      }
    points = std::move(longer);
  }
  return points;
}

bool is_of(const FittedLaw& law, const ValidationRow& row) {
  return std::ranges::count(law.mechanisms, row.mechanism) > 0 &&
         (law.families.empty() || std::ranges::count(law.families, row.family) > 0);
}

const std::string& group_of(LeaveOut by, const ValidationRow& row) {
  return by == LeaveOut::system ? row.system : row.family;
}

/// The rows of a law, wherever they are, and what each point predicts for them.
class Refit {
 public:
  Refit(LeaveOut by, const FittedLaw& law, std::vector<CaseOutcome>& outcomes) : by_(by) {
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      for (std::size_t k = 0; k < outcomes[i].rows.size(); ++k)
        if (const ValidationRow& row = outcomes[i].rows[k].row;
            is_of(law, row) && row.role == name_of(CaseRole::predict)) {
          places_.push_back({i, k});
          rows_.push_back(&outcomes[i].rows[k].row);
        }
  }

  std::vector<std::size_t> cases() const {
    std::vector<std::size_t> out;
    for (const Place& place : places_)
      if (out.empty() || out.back() != place.task) out.push_back(place.task);
    return out;
  }

  /// \param predicted  of the `cases`
  void add(const std::vector<CaseOutcome>& predicted) {
    const auto known = cases();
    std::vector<double>& values = values_.emplace_back();
    for (const Place& place : places_) {
      const auto at = std::ranges::find(known, place.task) - known.begin();
      const auto& rows = predicted[static_cast<std::size_t>(at)].rows;
      values.push_back(place.row < rows.size() ? rows[place.row].row.predicted
                                               : std::numeric_limits<double>::quiet_NaN());
    }
  }

  void note() {
    std::set<std::string> groups;
    for (const auto* row : rows_) groups.insert(group_of(by_, *row));
    if (groups.size() < 2) return;
    for (const std::string& group : groups) {
      const auto& values = values_[best_without(group)];
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (group_of(by_, *rows_[i]) != group || std::isnan(values[i])) continue;
        rows_[i]->left_out = values[i];
        rows_[i]->left_out_error = error_of(*rows_[i], values[i]);
      }
    }
  }

 private:
  struct Place {
    std::size_t task, row;
  };

  std::size_t best_without(const std::string& group) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t point = 0; point < values_.size(); ++point) {
      double sum = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (group_of(by_, *rows_[i]) != group && !std::isnan(values_[point][i]))
          sum += std::abs(error_of(*rows_[i], values_[point][i]));
      if (sum < least) {
        least = sum;
        best = point;
      }
    }
    return best;
  }

  const LeaveOut by_;
  std::vector<Place> places_;
  std::vector<ValidationRow*> rows_;
  std::vector<std::vector<double>> values_;  ///< by point, then row
};

}  // namespace

void leave_out(LeaveOut by, const std::vector<CaseTask>& tasks, const Catalog& catalog,
               const ValidationRun& run, std::vector<CaseOutcome>& outcomes) {
  for (const FittedLaw& law : run.bars.laws) {
    Refit refit(by, law, outcomes);
    std::vector<CaseTask> some;
    for (const std::size_t i : refit.cases()) some.push_back(tasks[i]);
    if (some.empty()) continue;
    for (const LawPoint& point : points_of(law)) {
      ValidationRun again = run;
      again.ranges = false;
      std::ranges::copy(point, std::back_inserter(again.overrides));
      refit.add(predict_all(some, catalog, again));
    }
    refit.note();
  }
}

}  // namespace gpufeed
