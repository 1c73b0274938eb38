// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/field.h"

namespace gpufeed {

/// A value that a calibration found, for one key of a scenario.
struct CalibratedParameter {
  KeyPath path;
  std::string value;
  Ratio deviation;
  Ratio residual;
  std::int64_t points = 0;
  std::string law;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("path", &CalibratedParameter::path, "the key, as --set names it").needed());
    visit(key("value", &CalibratedParameter::value, "as a scenario has it").needed());
    visit(key("deviation", &CalibratedParameter::deviation,
              "standard deviation of the value, over the value; 0 %: not known")
              .between(0_percent, 1000_percent));
    visit(key("residual", &CalibratedParameter::residual,
              "how far the law departs from its measurements, median")
              .between(0_percent, 1000_percent));
    visit(key("points", &CalibratedParameter::points, "measurements it rests on")
              .between(1, 1000000000));
    visit(key("law", &CalibratedParameter::law, "what was fitted"));
  }
};

/// What a calibration found of a machine: a file of `--params`.
struct ParameterFile {
  std::int64_t schema = 1;
  std::string title;
  std::string source;
  std::optional<FileRef> catalog;
  std::vector<CalibratedParameter> parameters;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("schema", &ParameterFile::schema, "version of this file format").between(1, 1));
    visit(key("title", &ParameterFile::title, "which machine").needed());
    visit(key("source", &ParameterFile::source, "who measured, and with what").needed());
    visit(key("catalog", &ParameterFile::catalog,
              "a folder of KIND/NAME.toml beside this file, which goes before all catalogs"));
    visit(key("parameter", &ParameterFile::parameters, "the values, one table each"));
  }
};

}  // namespace gpufeed
