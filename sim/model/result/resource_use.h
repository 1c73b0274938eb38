// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/part_id.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

struct ResourceUse {
  std::string id;
  std::string kind;
  double capacity = 0;
  std::string unit;
  double utilization = 0;
  std::string source;
  std::string basis;
  std::optional<PartKind> part = {};
  std::optional<std::int64_t> number = {};
  std::optional<Role> role = {};
  std::optional<std::int64_t> index = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("id", &ResourceUse::id, "resource"));
    visit(key("kind", &ResourceUse::kind, "what it is"));
    visit(key("capacity", &ResourceUse::capacity, "in unit"));
    visit(key("unit", &ResourceUse::unit, "B/s, core or GPU"));
    visit(key("utilization", &ResourceUse::utilization, "mean share in use, 0 to 1"));
    visit(key("source", &ResourceUse::source, "where the capacity is known from"));
    visit(key("basis", &ResourceUse::basis, "how it is known"));
    visit(key("part", &ResourceUse::part, "what it is of; null: cores, or GPUs"));
    visit(key("number", &ResourceUse::number, "which of these, from 0"));
    visit(key("role", &ResourceUse::role, "what of it"));
    visit(key("index", &ResourceUse::index, "as edges of the topology name it"));
  }
};

struct BoundResult {
  double samples_per_s = 0;
  std::vector<Limiter> cut;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("samples_per_s", &BoundResult::samples_per_s,
              "the most that is possible in the long run: max-flow, cores and GPUs")
              .as_rate());
    visit(told("cut", &BoundResult::cut, "deprecated: limits, in words"));
    visit(key("limits", &BoundResult::cut, "what sets it"));
  }
};

}  // namespace gpufeed
