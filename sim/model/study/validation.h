// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/named.h"

namespace gpufeed {

/// predict: the measurement tests the model. fit: it has fed a parameter, and counts in no score.
enum class CaseRole { predict, fit };
template <>
struct EnumNames<CaseRole> {
  static constexpr std::array<std::string_view, 2> names{"predict", "fit"};
};

/// How a prediction is held against a measurement. relative: difference over measured, in percent.
/// points: difference in the row's unit. count: difference of two counts; a hit within 1 or 5 %.
enum class ErrorScore { relative, points, count };
template <>
struct EnumNames<ErrorScore> {
  static constexpr std::array<std::string_view, 3> names{"relative", "points", "count"};
};

/// What anyone would say without a simulator.
enum class BaselineKind { constant, linear, narrowest, lru, other };
template <>
struct EnumNames<BaselineKind> {
  static constexpr std::array<std::string_view, 5> names{"constant", "linear", "narrowest", "lru",
                                                         "other"};
};

struct Baseline {
  BaselineKind kind = BaselineKind::constant;
  std::optional<double> value;  ///< none for `constant`
  double times = 1;
  std::string formula;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("kind", &Baseline::kind,
              "constant: the mean of the other scored rows of the mechanism; linear: from "
              "one GPU; narrowest: the data sheet of the narrowest part; lru: a cache that "
              "drops what was used longest ago; other"));
    visit(key("value", &Baseline::value, "in the row's unit, before times; not for constant"));
    visit(key("times", &Baseline::times,
              "factor, such as the number of GPUs; constant: other rows are divided by "
              "theirs first"));
    visit(key("formula", &Baseline::formula,
              "where the value is from; needed for narrowest, lru and other"));
  }
};

/// A name for something that many rows of a file measure.
struct Figure {
  std::string key;
  std::string unit;
  ErrorScore score = ErrorScore::relative;
  std::string mechanism;
  std::optional<Baseline> baseline;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(gpufeed::key<Figure>("key", &Figure::key,
                               "a key of the result's JSON, or a product or quotient of some")
              .needed());
    visit(gpufeed::key<Figure>("unit", &Figure::unit, "that values are given in"));
    visit(gpufeed::key<Figure>("score", &Figure::score, "how errors are counted"));
    visit(gpufeed::key<Figure>("mechanism", &Figure::mechanism, "default: the case's"));
    visit(gpufeed::key<Figure>("baseline", &Figure::baseline, "default: the case's"));
  }
};

/// One number that was measured.
struct MeasuredRow {
  std::string key;
  double value = 0;
  std::string unit;
  std::optional<double> spread;
  std::optional<ErrorScore> score;
  std::optional<CaseRole> role;
  std::string mechanism;
  std::optional<Baseline> baseline;
  std::string cause;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(gpufeed::key<MeasuredRow>("key", &MeasuredRow::key,
                                    "a figure of the file, or a key as a figure has it; largest: "
                                    "what the case's search of that name finds")
              .needed());
    visit(gpufeed::key<MeasuredRow>("value", &MeasuredRow::value, "what was measured").needed());
    visit(gpufeed::key<MeasuredRow>("unit", &MeasuredRow::unit, "of value; default: the figure's"));
    visit(gpufeed::key<MeasuredRow>("spread", &MeasuredRow::spread,
                                    "standard deviation of repeated runs, in the same unit"));
    visit(
        gpufeed::key<MeasuredRow>("score", &MeasuredRow::score,
                                  "how the error is counted; default: the figure's, or relative"));
    visit(gpufeed::key<MeasuredRow>("role", &MeasuredRow::role,
                                    "whether it counts; default: the case's"));
    visit(gpufeed::key<MeasuredRow>("mechanism", &MeasuredRow::mechanism,
                                    "what it tests; default: the figure's or the case's"));
    visit(gpufeed::key<MeasuredRow>("baseline", &MeasuredRow::baseline,
                                    "what anyone would say; default: the figure's or the case's"));
    visit(gpufeed::key<MeasuredRow>("cause", &MeasuredRow::cause,
                                    "why the prediction misses; default: the case's"));
  }
};

/// Searches the greatest value of a key for which the benchmark still passes.
struct LargestSearch {
  KeyPath path;
  std::int64_t up_to = 1;
  std::int64_t near = 1;
  std::int64_t times = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("path", &LargestSearch::path, "the key, as --set names it").needed());
    visit(key("up_to", &LargestSearch::up_to,
              "where the search ends; the benchmark must not pass with it")
              .needed()
              .between(2, 1000000));
    visit(key("near", &LargestSearch::near,
              "where the search starts: what it finds does not depend on it")
              .between(1, 1000000));
    visit(key("times", &LargestSearch::times,
              "factor of the value found, such as the number of nodes")
              .between(1, 1000000));
  }
};

/// One configuration of which something was measured.
struct ValidationCase {
  std::string title;
  std::string source;
  std::optional<CaseRole> role;
  std::string mechanism;
  FileRef scenario;  ///< empty: the file's
  std::vector<std::string> set;
  std::optional<LargestSearch> largest;
  std::string group;
  std::optional<Baseline> baseline;
  std::string cause;
  std::vector<MeasuredRow> measured;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = ValidationCase;
    visit(key("title", &C::title, "for the reader").needed());
    visit(key("source", &C::source, "where it was measured; default: the file's"));
    visit(key("role", &C::role, "whether its rows count; default: the file's"));
    visit(key("mechanism", &C::mechanism, "what its rows test; default: the file's"));
    visit(key("scenario", &C::scenario, "another file than the file's scenario"));
    visit(key("set", &C::set, "other values for keys of the scenario, as --set takes them"));
    visit(key("largest", &C::largest,
              "the greatest value of a key for which the benchmark passes; rows call it largest"));
    visit(
        key("group", &C::group, "rows of one key whose cases share a group are compared in pairs"));
    visit(key("baseline", &C::baseline, "of rows without their own; default: the file's"));
    visit(key("cause", &C::cause, "why predictions miss"));
    visit(key("measured", &C::measured, "what was measured").needed());
  }
};

/// A file of cases: one scenario and what was measured of it, or many cases that vary a scenario.
struct Validation {
  std::int64_t schema = 1;
  std::string title;
  std::string source;
  std::string mechanism;
  CaseRole role = CaseRole::predict;
  FileRef scenario;
  bool has_own_scenario = false;  ///< the scenario is a table of this file
  std::optional<Baseline> baseline;
  Named<Figure> figures;
  std::vector<std::string> set;
  std::vector<MeasuredRow> measured;
  std::vector<ValidationCase> cases;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using V = Validation;
    visit(key("schema", &V::schema, "version of this file format").between(1, 1));
    visit(key("title", &V::title, "what the file holds").needed());
    visit(key("source", &V::source, "where it was measured").needed());
    visit(key("mechanism", &V::mechanism, "what its rows test, for those that do not say"));
    visit(key("role", &V::role,
              "predict: rows count; fit: they have fed a parameter, and count in no score"));
    visit(key("scenario", &V::scenario, "that cases vary; a file, or a table here"));
    visit(key("baseline", &V::baseline, "of rows without their own"));
    visit(key("figure", &V::figures, "names for what rows measure"));
    visit(key("set", &V::set, "values for keys of the scenario, in every case"));
    visit(key("measured", &V::measured, "rows of a file that is a single case"));
    visit(key("case", &V::cases, "one configuration each"));
  }
};

/// What a mechanism's errors may be at most; see `MechanismScore`.
struct Bar {
  std::string mechanism;
  std::optional<double> mean;
  std::optional<double> p95;
  std::optional<double> median;
  std::optional<double> median_percent;
  std::optional<double> hits;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("mechanism", &Bar::mechanism, "its name").needed());
    visit(key("mean", &Bar::mean, "of absolute errors: percent, points or counts"));
    visit(key("p95", &Bar::p95, "what 95 % of them reach at most"));
    visit(key("median", &Bar::median, "what half of them reach at most"));
    visit(key("median_percent", &Bar::median_percent,
              "counts: the median of errors in percent of what was measured"));
    visit(key("hits", &Bar::hits, "counts: least share within 1 or 5 %, in percent"));
  }
};

/// A constant that was fitted to measurements, and where else it might lie.
struct FittedConstant {
  KeyPath path;
  std::vector<std::string> values;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("path", &FittedConstant::path, "the key, as --set names it").needed());
    visit(key("values", &FittedConstant::values, "to choose from").needed());
  }
};

/// What fitted constants predict: they can be fitted anew without some of the rows.
struct FittedLaw {
  std::string name;
  std::vector<std::string> mechanisms;
  std::vector<std::string> families;
  std::vector<FittedConstant> constants;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("name", &FittedLaw::name, "for the reader").needed());
    visit(key("mechanisms", &FittedLaw::mechanisms, "whose rows it predicts").needed());
    visit(key("families", &FittedLaw::families,
              "of these rows only: networks, or data sets of a benchmark; default: all"));
    visit(key("constant", &FittedLaw::constants, "fitted; at most two"));
  }
};

struct Bars {
  std::vector<Bar> bars;
  std::vector<FittedLaw> laws;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("bar", &Bars::bars, "one for each mechanism"));
    visit(key("law", &Bars::laws, "one for each law with fitted constants"));
  }
};

}  // namespace gpufeed
