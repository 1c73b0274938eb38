// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/read/catalog.h"
#include "ui/model/build/parameters.h"

namespace gpufeed::ui {

/// A parameter and the values that it takes, as TOML writes them.
struct SweepAxis {
  Parameter parameter;
  std::vector<std::string> values;
};

/// What a user fills in for one axis.
struct AxisForm {
  Parameter parameter;
  bool range = false;
  std::string list;  ///< "1, 2, 4" or "1 GB/s, 2 GB/s": quotes may be left out
  std::string from, to, count = "5";
  bool geometric = false;
};

/// A form with values around the present one; all that there are where a key takes few words.
AxisForm suggested_form(const Parameter& parameter);

/// What a list holds, between its commas.
std::vector<std::string> items_of(const std::string& list);

/// The form as an axis of a goal's file.
std::string axis_toml(const AxisForm& form, Diagnostics& wrong);

/// The values of a form. \throws InputError  with every problem, as a sweep's file would have
SweepAxis axis_of(const AxisForm& form, const Catalog& catalog);

}  // namespace gpufeed::ui
