// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/model/build/choices.h"
#include "ui/model/decide/goal_form.h"

namespace gpufeed::ui {

/// A value that may be ticked.
struct Tick {
  std::string value;  ///< a product, a number of parts, or what a key takes, without quotes
  std::string words;
  bool on = false;
};

/// One thing that may vary: a key with its values, or parts, products and how many.
struct TickGroup {
  Parameter parameter;
  std::string title;  ///< "Processors"
  std::string kind;   ///< of catalog entries; empty: the key takes no product
  std::vector<Tick> values;
  std::vector<Tick> counts;  ///< of parts; empty: as many as there are
  bool filled = false;       ///< the catalog's products that fit are among `values`
};

/// What buyers vary of this scenario, in their order: chassis, parts, store, settings. Only the
/// present values are ticked; parts that are none, or of several products, are left out.
/// \param parameters  of `choosable`
std::vector<TickGroup> tick_groups(const std::vector<Parameter>& parameters);

/// A group of any key, with the values of `suggested_form`.
TickGroup tick_group(const Parameter& parameter);

/// Adds the products of the catalog that are near in price and that the scenario can take in place
/// of its own. \param text  of the scenario   \param all  products of the group's kind
void fill_with_products(TickGroup& group, const std::string& text, const std::string& name,
                        const std::vector<Choice>& all, const Catalog& catalog);

/// Adds a value, ticked; one that is there already is ticked.
void add_tick(std::vector<Tick>& ticks, const std::string& value, const std::string& words);

/// The ticks of groups as they were, in groups made anew.
void keep_ticks(const std::vector<TickGroup>& before, std::vector<TickGroup>& now);

/// How many values a group stands for; 1: it does not vary.
std::int64_t values_of(const TickGroup& group);
/// Of all groups together.
std::int64_t combinations(const std::vector<TickGroup>& groups);
/// The groups that vary, or whose one ticked value is another than the present, as axes of a goal.
std::vector<AxisForm> ticked_axes(const std::vector<TickGroup>& groups);

}  // namespace gpufeed::ui
