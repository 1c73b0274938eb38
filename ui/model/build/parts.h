// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/catalog/system.h"

namespace gpufeed::ui {

/// Parts of a machine that are the same product.
struct PartGroup {
  std::string kind;  ///< of catalog entry: "cpu", "gpu", "nic", "drive", "switch"
  std::string product;
  std::string title;
  std::vector<std::string> ids;
  std::string pattern;         ///< that fits these ids and no others; empty where there is none
  std::optional<Money> price;  ///< of one
};

/// All parts that could be another product: GPUs, drives, CPUs, network cards, switches, each
/// product once, in this order.
std::vector<PartGroup> part_groups(const System& system);

/// The group that has the part; nothing where no group has it.
std::optional<PartGroup> group_of(const std::vector<PartGroup>& groups, const std::string& id);

/// `text`, a scenario, with the parts as another product: a `[[replace]]` for them, or another
/// product in the one that they have already.
/// \throws InputError  where the text cannot take it
std::string with_product(std::string text, const PartGroup& parts, const std::string& product);

}  // namespace gpufeed::ui
