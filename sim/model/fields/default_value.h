// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/key_path.h"
#include "sim/model/fields/field.h"

namespace gpufeed {

/// A key that nobody gave, and what stands for it.
struct DefaultValue {
  KeyPath key;
  std::string value;  ///< as TOML writes it, with its unit

  bool operator==(const DefaultValue&) const = default;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(gpufeed::key("key", &DefaultValue::key, "its place in the scenario"));
    visit(gpufeed::key("value", &DefaultValue::value, "what stands for it, as TOML writes it"));
  }
};

/// A default that the answer rests on. It is stated by `--set key=value`.
struct DecidingDefault {
  KeyPath key;
  std::string value;
  std::string alternative;
  double effect = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using D = DecidingDefault;
    visit(gpufeed::key("key", &D::key, "its place in the scenario"));
    visit(gpufeed::key("value", &D::value, "what stands for it"));
    visit(gpufeed::key("alternative", &D::alternative, "what else is usual"));
    visit(gpufeed::key("effect", &D::effect, "throughput with that over the one told, less 1")
              .or_negative());
  }
};

}  // namespace gpufeed
