// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/bill.h"
#include "ui/model/build/choosing.h"
#include "ui/model/build/stores.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// How a price is known.
enum class PriceMark { unknown, included, list, estimate, quote };

/// Parts that one line of the list stands for: as the scenario asks for them, or as the machine has
/// them where it is not put together by the scenario.
struct PartRow {
  std::string name;   ///< tells rows apart: "gpu 0" as asked for, "gpu0" as the machine has it
  std::string label;  ///< what it is: "GPU"
  std::string kind;   ///< of catalog entries
  std::string product;
  std::string title;  ///< of the product, as far as the scenario knows it; else its name
  double count = 0;
  std::vector<std::string> ids;     ///< of the parts in the machine, as far as it can be built
  std::optional<double> price_USD;  ///< of one
  PriceMark mark = PriceMark::unknown;
  std::string price_source;             ///< with its year
  std::string own_price;                ///< as it was typed in; empty: none
  std::optional<double> power_W;        ///< of one
  std::optional<Choosing> other;        ///< another product in its place
  std::optional<RequestedParts> asked;  ///< whose count can be changed
  std::size_t at = 0;                   ///< which of `asked`
  std::optional<std::string> memory;    ///< how much was asked for
  std::optional<RequestedStore> store;
};

/// Chassis, processors, memory, GPUs, drives, network, stores, fabric, in this order.
/// \param text      the scenario as it is
/// \param scenario  the same, read, or else the last good one; null before there is one
/// \param bill      of the last answer; empty before there is one
std::vector<PartRow> part_rows(const std::string& text, const Scenario* scenario,
                               const std::vector<BillLine>& bill, const Catalog& catalog);

/// "280,000", with the mark of how it is known: "*" an estimate, "q" a quote; "in the chassis" and
/// the like where it has none of its own.
std::string price_text(const PartRow& row);

}  // namespace gpufeed::ui
