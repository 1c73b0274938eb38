// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/sweep.h"

#include <algorithm>

#include "sim/load/check/file_kind.h"
#include "sim/load/read/conditions.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"
#include "sim/load/study/sweep_axes.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

void check_axes(const Sweep& sweep, Diagnostics& out) {
  constexpr std::size_t kMostAxes = 100;
  if (sweep.axes.size() > kMostAxes)
    return out.error(ProblemCode::too_large, sweep.where, "{} axes are too many (at most {})",
                     sweep.axes.size(), kMostAxes);
  for (std::size_t i = 0; i < sweep.axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Axis& one = sweep.axes[i];
      const Axis& other = sweep.axes[j];
      if (one.path == other.path)
        out.error(ProblemCode::conflict, one.where, "two axes vary {}", text(one.path));
      else if (one.name == other.name)
        out.error(ProblemCode::conflict, one.where, "two axes are called {}", one.name);
    }
}

void check_sample(const Sweep& sweep, Diagnostics& out) {
  const Sample& sample = sweep.sample;
  if (sample.kind != SampleKind::full) {
    if (!sample.count)
      out.error(ProblemCode::missing_key, sample.where, "sample: a {} sample needs a count",
                name_of(sample.kind));
    return;
  }
  if (sample.count)
    out.error(ProblemCode::conflict, sample.where, "sample: a full sweep takes no count");
  double points = 1;
  for (const Axis& axis : sweep.axes) {
    points *= static_cast<double>(axis.values.size());
    if (axis.open)
      out.error(ProblemCode::missing_key, axis.range->where,
                "the range of {}: a full sweep needs its step or count; without them, take a "
                "random or latin-hypercube sample",
                axis.name);
  }
  if (points > kMostPoints)
    out.error(ProblemCode::too_large, sweep.where,
              "{} points are too many (at most {}); draw a sample of them", text_number(points),
              text_number(kMostPoints));
}

void check_filters(const Sweep& sweep, Diagnostics& out) {
  Names known;
  for (const Axis& axis : sweep.axes) known.push_back(axis.name);
  for (const auto& filter : sweep.filters) check_names(filter, known, out);
}

/// A path in a file is relative to that file.
void place_beside(FileRef& file) {
  if (file.path.empty()) return;
  file.path = (fs::path(file.where.file).parent_path() / file.path).lexically_normal().string();
}

/// Whether nothing of it is missing or wrong, as far as its own keys go.
bool is_read(const Axis& axis) {
  const auto given = [](const Literal& literal) { return !literal.text.empty(); };
  const auto& range = axis.range;
  const bool whole_range =
      range && given(range->from) && given(range->to) && (!range->step || given(*range->step));
  const bool whole_query = axis.catalog && !axis.catalog->kind.empty();
  const bool whole_list = !axis.values.empty() && std::ranges::all_of(axis.values, given);
  return int{whole_range} + int{whole_query} + int{whole_list} == 1;
}

Sweep build_sweep(const toml::table& table, const std::string& name, const Catalog& catalog,
                  Diagnostics& out) {
  Sweep sweep;
  if (is_of_other_kind(keys_of(table), name, FileKind::sweep, out)) return sweep;
  Reader(catalog, name, out).read_table(table, "", sweep);
  finish_sweep(sweep, catalog, out);
  return sweep;
}

auto sweep_builder(const Catalog& catalog) {
  return [&catalog](const toml::table& table, const std::string& name, Diagnostics& out) {
    return build_sweep(table, name, catalog, out);
  };
}

}  // namespace

void finish_sweep(Sweep& sweep, const Catalog& catalog, Diagnostics& out) {
  const bool all_read = out.empty();
  if (all_read && sweep.axes.empty())
    out.error(ProblemCode::missing_key, sweep.where, "at least one [[axis]] is needed");
  for (Axis& axis : sweep.axes) {
    if (axis.name.empty()) axis.name = text(axis.path);
    if (all_read || is_read(axis)) expand_axis(axis, catalog, out);
  }
  check_axes(sweep, out);
  check_sample(sweep, out);
  check_filters(sweep, out);
  place_beside(sweep.scenario);
}

Sweep parse_sweep(std::string_view text, const std::string& name, const Catalog& catalog) {
  return built_from_text(text, name, sweep_builder(catalog));
}

Sweep load_sweep(const fs::path& file, const Catalog& catalog) {
  return built_from_file(file, sweep_builder(catalog));
}

}  // namespace gpufeed
