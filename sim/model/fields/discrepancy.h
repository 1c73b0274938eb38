// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/mechanism.h"

namespace gpufeed {

/// By what one step widens.
struct StepFactor {
  Step step = Step::batch;
  double factor = 1;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("step", &StepFactor::step, "which").needed());
    visit(key("factor", &StepFactor::factor, "of the deviation, 1 or more").needed());
  }
};

/// Steps that rows of some sources have together.
struct SeenSteps {
  Steps steps;
  std::int64_t sources = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("steps", &SeenSteps::steps, "together; one that counts twice stands twice"));
    visit(key("sources", &SeenSteps::sources, "that have these or more").needed());
  }
};

/// How far off predictions are of sources that fed nothing, learned from such sources by `gpufeed
/// validate --learn-discrepancy`: ln(measured / predicted) over its deviation is distributed as
/// Student's t with four degrees of freedom. Without a unit: natural logarithms, and factors.
struct Discrepancy : Entry {
  static constexpr std::string_view kKind = "discrepancy";
  double deviation = 0;
  double parameters = 1;
  double lower = 1;
  double upper = 1;
  double shared = 0;
  std::vector<StepFactor> steps;
  std::vector<SeenSteps> seen;
  std::int64_t sources = 0;
  std::int64_t first_contacts = 0;
  std::int64_t rows = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using D = Discrepancy;
    entry_fields(visit);
    visit(key("deviation", &D::deviation,
              "scale of ln(measured / predicted) of a job like those that were measured")
              .needed());
    visit(key("parameters", &D::parameters,
              "times this the deviation that the scenario's own values cause")
              .needed());
    visit(key("lower", &D::lower, "a tenth of the measured values lies so many deviations below")
              .needed());
    visit(key("upper", &D::upper, "a tenth lies so many above").needed());
    visit(key("shared", &D::shared,
              "correlation of the errors of two configurations of one source, 0 to 1")
              .needed());
    visit(key("steps", &D::steps, "by what each step outside what was measured widens"));
    visit(key("seen", &D::seen, "steps that were measured together"));
    visit(key("sources", &D::sources, "that taught this").needed());
    visit(key("first_contacts", &D::first_contacts, "those of them that had fed nothing before"));
    visit(key("rows", &D::rows, "of them").needed());
  }
};

/// One for each mechanism of which the catalog has one.
using Discrepancies = std::map<Mechanism, std::shared_ptr<const Discrepancy>>;

}  // namespace gpufeed
