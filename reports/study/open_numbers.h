// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/model/uncertain.h"

namespace gpufeed {

/// One key that has to change for a number to be another.
struct NumberSetting {
  KeyPath path;               ///< as `--set` names it
  KeyPath numbered;           ///< with elements by their number
  double value = 0;           ///< SI; what the scenario says, or `OpenNumber::stated`
  std::string before, after;  ///< what stands around the quantity; empty: it stands alone
};

/// A number of a scenario that a measured run may set.
struct OpenNumber {
  std::string name;   ///< "read_bandwidth of flash"
  std::string basis;  ///< "datasheet"; "not stated"
  std::string owner;  ///< the catalog entry that says it
  std::string key;    ///< of that entry; empty: no entry says it
  bool open = false;  ///< nobody measured it
  bool is_stated = true;
  double deviation = 0;  ///< of the logarithm of the true value over the stated one
  double stated = 0;     ///< SI; not stated: the most that its key allows
  const UnitTable* units = nullptr;
  bool less_is_slower = true;
  double least = 1, most = 1;          ///< times what is stated: plausible
  double key_least = 0, key_most = 1;  ///< the same: what its key allows
  std::string check;                   ///< what would tell it
  std::vector<NumberSetting> settings;

  /// As `--set` names it: the first of its places, or all elements of an array at once.
  const KeyPath& path() const { return settings.front().path; }
};

/// All numbers of the catalog's entries that a scenario uses, estimated training steps, and limits
/// of stores and their clients that nobody stated. Those that a key can set; prices and the like
/// are none. Bounds are our judgment (open_numbers.cpp).
std::vector<OpenNumber> numbers_of(const Scenario& scenario);

/// The overrides that make it so many times what is stated; rounded to what `sets_of` prints.
std::vector<Override> overrides_at(const OpenNumber& number, double factor);

/// The same as `--set` takes it: "store.nas.model.read_bandwidth=5.2 GB/s".
std::vector<std::string> sets_of(const OpenNumber& number, double factor);

/// A key's new value as TOML writes it, with where it comes from where an entry says it.
std::string value_in_file(const OpenNumber& number, const NumberSetting& setting, double factor,
                          const std::string& source);

}  // namespace gpufeed
