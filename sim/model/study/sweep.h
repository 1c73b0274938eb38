// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/field.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

enum class Spacing { linear, geometric };
template <>
struct EnumNames<Spacing> {
  static constexpr std::array<std::string_view, 2> names{"linear", "geometric"};
};

/// Values from one to another, both included: by a step, or so many; neither where only samples
/// are drawn, of any value between.
struct AxisRange {
  Literal from;
  Literal to;
  std::optional<Literal> step;
  std::optional<std::int64_t> count;
  Spacing spacing = Spacing::linear;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("from", &AxisRange::from, "the first value, with its unit").needed());
    visit(key("to", &AxisRange::to, "the last value, in the same unit").needed());
    visit(key("step", &AxisRange::step, "from one value to the next; or give a count"));
    visit(key("count", &AxisRange::count, "how many values; whole ones are rounded")
              .between(2, 1000000));
    visit(
        key("spacing", &AxisRange::spacing, "whether neighbors differ by a number or by a factor"));
  }
};

/// Entries of the catalog, in the order of their names.
struct CatalogQuery {
  std::string kind;
  std::vector<Condition> meets;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("kind", &CatalogQuery::kind, "drive, nic, gpu, ...").needed());
    visit(key("where", &CatalogQuery::meets,
              "conditions on the entries' keys, such as \"read_bandwidth >= 3 GB/s\"; "
              "an entry that does not say a key fails"));
  }
};

/// Numbers from `low` to `high` in one unit, of which any may be drawn.
struct OpenRange {
  double low = 0;
  double high = 0;
  std::string unit;  ///< empty: whole numbers
  Spacing spacing = Spacing::linear;
};

/// One key of the scenario that takes several values.
struct Axis {
  KeyPath path;
  std::string name;             ///< the loader puts the path where none is given
  std::vector<Literal> values;  ///< the loader puts those of `range` and `catalog` here
  std::optional<AxisRange> range;
  std::optional<CatalogQuery> catalog;
  std::optional<OpenRange> open;  ///< by the loader, for a range without step and count
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("path", &Axis::path, "the key that varies, as --set names it").needed());
    visit(key("name", &Axis::name, "its column in the results; default: the path"));
    visit(
        key("values", &Axis::values,
            "a list, in which \"1..24 x NAME\" are 24 values; or give a range or a catalog query"));
    visit(key("range", &Axis::range, "from, to and step or count"));
    visit(key("catalog", &Axis::catalog, "every entry of a kind that meets conditions"));
  }
};

enum class SampleKind { full, random, latin_hypercube };
template <>
struct EnumNames<SampleKind> {
  static constexpr std::array<std::string_view, 3> names{"full", "random", "latin-hypercube"};
};

struct Sample {
  SampleKind kind = SampleKind::full;
  std::optional<std::int64_t> count;
  std::int64_t seed = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("kind", &Sample::kind,
              "every combination, or points drawn at random, or so that each axis is covered "
              "evenly"));
    visit(key("count", &Sample::count, "points to draw; not for full").between(1, 10000000));
    visit(key("seed", &Sample::seed, "of the drawing").between(0, 4294967295));
  }
};

/// A scenario whose keys take many values, and which of the combinations are wanted.
struct Sweep {
  std::int64_t schema = 1;
  std::string title;
  FileRef scenario;
  std::vector<Axis> axes;
  std::vector<Condition> filters;
  std::vector<Condition> constraints;
  Sample sample;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("schema", &Sweep::schema, "version of this file format").between(1, 1));
    visit(key("title", &Sweep::title, "for the reader"));
    visit(key("scenario", &Sweep::scenario, "the file that the axes vary").needed());
    visit(key("axis", &Sweep::axes, "what varies; the last one varies fastest").needed());
    visit(key("filter", &Sweep::filters,
              "conditions on axes, such as \"drives * 2 <= cores\"; other points are left out"));
    visit(key("constraint", &Sweep::constraints,
              "conditions on results, such as \"job_samples_per_s >= 5000\"; they mark the points "
              "that meet them all; throughput, samples_per_s and throughput_samples_per_s mean "
              "job_samples_per_s, accelerator_utilization means job_gpu_utilization"));
    visit(key("sample", &Sweep::sample, "which of the combinations are simulated"));
  }
};

}  // namespace gpufeed
