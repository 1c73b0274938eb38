// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/key_help.h"
#include "sim/model/result/result.h"
#include "ui/model/build/parts.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// What of a scenario takes several values.
enum class Varies { key, product, count };

/// A key of the scenario, the product of some parts, or their number.
struct Parameter {
  Varies varies = Varies::key;
  std::string path;  ///< of the key; else what it is called, such as "product of ssd0-ssd3"
  std::string help;
  ValueForm value;
  std::string form;  ///< what a value looks like, in words
  std::string now;   ///< as TOML writes it; empty where it is not set and has no default
  PartGroup parts;   ///< whose product or number it is
};

/// Every parameter that has an effect on this work: parts first, then the keys as
/// `gpufeed check --keys` names them.
std::vector<Parameter> parameters_of(const Scenario& scenario, const Result& result);

/// What a key that takes any word usually says, between commas; empty: nobody knows.
std::string usual_values(const std::string& path);

/// Those whose path or help has all words of `search`; first those whose path has.
std::vector<const Parameter*> found_in(const std::vector<Parameter>& all,
                                       const std::string& search);

/// `text`, a scenario, with the parameter at a value as TOML writes it. \throws InputError
std::string with_parameter(const std::string& text, const Parameter& parameter,
                           const std::string& value);

}  // namespace gpufeed::ui
