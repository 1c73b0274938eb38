// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/part_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/units.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "ui/model/build/own_numbers.h"
#include "ui/model/build/parts.h"

namespace gpufeed::ui {
namespace {

std::string label_of(const std::string& kind) {
  if (kind == "cpu") return "CPU";
  if (kind == "gpu") return "GPU";
  if (kind == "drive") return "Drives";
  if (kind == "nic") return "Network";
  if (kind == "switch") return "Switches";
  if (kind == "array") return "Store";
  if (kind == "memory") return "Memory";
  if (kind == "system") return "Machine";
  return kind == "chassis" ? "Chassis" : "Fabric";
}

PriceMark mark_of(const BillLine& line) {
  if (line.price_basis == kIncluded || line.price_basis == kOfParts) return PriceMark::included;
  if (!line.price_USD) return PriceMark::unknown;
  if (line.price_basis == kQuoted) return PriceMark::quote;
  return line.price_basis == name_of(Basis::estimate) ? PriceMark::estimate : PriceMark::list;
}

class Rows {
 public:
  Rows(const std::string& text, const Scenario* scenario, const std::vector<BillLine>& bill,
       const Catalog& catalog)
      : text_(text), scenario_(scenario), bill_(bill), catalog_(catalog) {}

  std::vector<PartRow> all() {
    if (const auto machine = requested_machine_of(text_, catalog_))
      add_asked(*machine);
    else
      add_found();
    for (const RequestedStore& store : requested_stores(text_)) {
      PartRow& row = add("store " + store.name, "array", store.product, 1);
      if (scenario_)
        if (const auto known = scenario_->store.find(store.name); known != scenario_->store.end())
          if (known->second.model.name == store.product || known->second.of_servers)
            row.title = known->second.model->title;
      if (!store.servers.empty()) add_price_of_servers(store.name, row);
      row.store = store;
      row.other = choosing_for(store, catalog_);
    }
    for (const BillLine& line : bill_)
      if (line.kind == "network-switch" || line.kind == "cable" || line.kind == "fabric")
        add(line.kind + " " + line.name, line.kind, line.name, line.count);
    return std::move(rows_);
  }

 private:
  /// The bill's line for it, if it has one.
  const BillLine* line_of(const std::string& kind, const std::string& product) const {
    const auto found = std::ranges::find_if(bill_, [&](const BillLine& line) {
      return line.kind == kind && line.name == product && line.count > 0;
    });
    return found == bill_.end() ? nullptr : &*found;
  }

  PartRow& add(std::string name, const std::string& kind, const std::string& product,
               double count) {
    PartRow row;
    row.name = std::move(name);
    row.label = label_of(kind);
    row.kind = kind;
    row.product = row.title = product;
    row.count = count;
    row.own_price = product.empty() ? "" : own_price(text_, product);
    if (const BillLine* const line = line_of(kind, product)) {
      row.price_USD = line->price_USD;
      row.mark = mark_of(*line);
      row.price_source = line->price_source;
      if (line->price_year) row.price_source += fmt::format(" ({})", *line->price_year);
      row.power_W = line->power_W;
    }
    if (!row.own_price.empty() && row.price_USD) row.mark = PriceMark::quote;
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  /// All parts of all servers together, which the bill has one a line.
  void add_price_of_servers(const std::string& store, PartRow& row) const {
    for (const BillLine& line : bill_) {
      if (line.store != store || !(line.price_USD || line.power_W)) continue;
      if (line.power_W) row.power_W = row.power_W.value_or(0) + *line.power_W * line.count;
      if (!line.price_USD) continue;
      row.price_USD = row.price_USD.value_or(0) + *line.price_USD * line.count;
      if (row.mark != PriceMark::estimate) row.mark = mark_of(line);
    }
  }

  void add_memory(std::optional<std::string> asked) {
    const auto line = std::ranges::find(bill_, "memory", &BillLine::kind);
    const bool known = line != bill_.end();
    if (!known && !asked) return;
    PartRow& row = add("memory", "memory", known ? line->name : "", known ? line->count : 1);
    if (scenario_) row.title = memory_title();
    row.memory = std::move(asked);
  }

  std::string memory_title() const {
    Bytes all{};
    for (const auto& socket : scenario_->system->sockets) {
      if (socket.memory_kind) return (*socket.memory_kind)->title;
      all = all + socket.memory;
    }
    return text(all, 3);
  }

  void add_asked(const RequestedMachine& machine) {
    PartRow& chassis = add("chassis", "chassis", machine.chassis, 1);
    if (scenario_ && scenario_->system->chassis &&
        scenario_->system->chassis->name == machine.chassis)
      chassis.title = (*scenario_->system->chassis)->title;
    chassis.other = choosing_for_key("chassis", "Another chassis for these parts", "system.chassis",
                                     machine.chassis);
    const auto groups = scenario_ ? part_groups(*scenario_->system) : std::vector<PartGroup>{};
    for (const RequestedParts& parts : machine.parts) {
      for (std::size_t at = 0; at < parts.parts.size(); ++at) {
        const RequestedPart& part = parts.parts[at];
        PartRow& row = add(fmt::format("{} {}", parts.key, at), parts.kind, part.product,
                           static_cast<double>(part.count));
        const auto group = std::ranges::find(groups, part.product, &PartGroup::product);
        if (group != groups.end()) row.title = group->title, row.ids = group->ids;
        row.asked = parts;
        row.at = at;
        row.other = choosing_for(parts, at);
      }
      if (parts.key == "cpu") add_memory(machine.memory);
    }
  }

  void add_found() {
    for (const char* kind : {"system", "chassis"})
      for (const BillLine& line : bill_)
        if (line.kind == kind) add(kind, kind, line.name, line.count);
    if (!scenario_) return;
    bool told_memory = false;
    for (const char* kind : {"cpu", "gpu", "drive", "nic", "switch"}) {
      for (const PartGroup& group : part_groups(*scenario_->system)) {
        if (group.kind != kind) continue;
        PartRow& row =
            add(group.ids.front(), kind, group.product, static_cast<double>(group.ids.size()));
        row.title = group.title;
        row.ids = group.ids;
        row.other = choosing_for(group);
      }
      if (!std::exchange(told_memory, true)) add_memory({});
    }
  }

  const std::string& text_;
  const Scenario* scenario_;
  const std::vector<BillLine>& bill_;
  const Catalog& catalog_;
  std::vector<PartRow> rows_;
};

}  // namespace

std::vector<PartRow> part_rows(const std::string& text, const Scenario* scenario,
                               const std::vector<BillLine>& bill, const Catalog& catalog) {
  return Rows(text, scenario, bill, catalog).all();
}

std::string price_text(const PartRow& row) {
  if (row.mark == PriceMark::included) return "included";
  if (!row.price_USD) return "no price";
  const std::string all = text_number(std::round(*row.price_USD * row.count), 15);
  if (row.mark == PriceMark::quote) return all + " q";
  return row.mark == PriceMark::estimate ? all + " *" : all;
}

}  // namespace gpufeed::ui
