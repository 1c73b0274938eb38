// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/serving/document.h"

namespace gpufeed {

/// As ScenarioSource: a file of kind "serving" that is read once, and becomes a scenario again and
/// again with other values. Any number of threads may share one.
class ServingSource {
 public:
  /// \param always  overrides that go before all others \throws InputError
  ServingSource(const std::filesystem::path& file, Catalog catalog, std::vector<Override> always);

  /// As `load_serving`. \throws InputError
  serving::Document load(const std::vector<Override>& more = {}) const;
  /// Reports overrides that the keys cannot take; whether the scenario holds together with them is
  /// not looked at.
  void check(const std::vector<Override>& more, Diagnostics& out) const;

 private:
  std::string name_;
  Catalog catalog_;
  std::vector<Override> always_;
  std::string text_;
};

}  // namespace gpufeed
