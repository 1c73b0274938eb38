// SPDX-License-Identifier: Apache-2.0
#include "sim/model/bill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/model/catalog/chassis.h"
#include "sim/model/catalog/stores.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Bill = std::vector<BillLine>;

constexpr const char* kUnknownMemory = "GiB of memory";  ///< counted by GiB

template <class Product>
BillLine line_of(const Ref<Product>& product, double count) {
  const Product& one = *product;
  BillLine line;
  line.kind = Product::kKind;
  line.name = product.name;
  line.count = count;
  if (one.price) {
    const Provenance& known = one.provenance_of("price");
    line.price_USD = one.price->value;
    line.price_year = one.price_year;
    line.price_basis = one.quoted ? kQuoted : name_of(known.basis);
    line.price_source = known.source;
  }
  if (one.power) {
    const Provenance& known = one.provenance_of("power");
    line.power_W = one.power->value;
    line.power_basis = name_of(known.basis);
    line.power_source = known.source;
  }
  return line;
}

bool same_product(const BillLine& a, const BillLine& b) {
  return a.kind == b.kind && a.name == b.name && a.price_USD == b.price_USD &&
         a.power_W == b.power_W;
}

void add(Bill& bill, BillLine line) {
  const auto same =
      std::ranges::find_if(bill, [&](const BillLine& old) { return same_product(old, line); });
  if (same == bill.end())
    bill.push_back(std::move(line));
  else
    same->count += line.count;
}

void add_memory(Bill& bill, const Socket& socket) {
  using namespace literals;
  const auto& modules = socket.memory_kind ? socket.memory_kind : socket.model->memory;
  if (modules && *modules)
    return add(bill, line_of(*modules, socket.memory / (*modules)->priced_module));
  BillLine line;
  line.kind = Memory::kKind;
  line.name = kUnknownMemory;
  line.count = socket.memory / 1_GiB;
  add(bill, std::move(line));
}

/// Boards are bought, of which an entry describes one GPU: its power is that GPU's.
void add_gpus(Bill& bill, const std::vector<Device<Gpu>>& gpus) {
  std::set<std::string> counted;
  for (const auto& gpu : gpus) {
    if (!gpu.board.empty() && !counted.insert(gpu.board).second) continue;
    const auto dies = static_cast<double>(gpu.model->dies_per_board);
    BillLine board = line_of(gpu.model, gpu.board.empty() ? 1 / dies : 1);
    if (board.power_W) *board.power_W *= dies;
    add(bill, std::move(board));
  }
  for (auto& line : bill)
    if (line.kind == Gpu::kKind) line.count = std::ceil(line.count - 1e-9);
}

/// An onboard network card comes with the main board.
void add_nic(Bill& bill, const Ref<Nic>& nic) {
  BillLine line = line_of(nic, 1);
  if (nic->form == NicForm::onboard) {
    if (!line.price_USD) line.price_basis = kIncluded;
    if (!line.power_W) line.power_basis = kIncluded;
  }
  add(bill, std::move(line));
}

Bill parts_of(const System& system) {
  Bill bill;
  for (const auto& socket : system.sockets) add(bill, line_of(socket.model, 1));
  for (const auto& socket : system.sockets) add_memory(bill, socket);
  add_gpus(bill, system.gpus);
  for (const auto& part : system.switches) add(bill, line_of(part.model, 1));
  for (const auto& part : system.nics) add_nic(bill, part.model);
  for (const auto& part : system.drives) add(bill, line_of(part.model, 1));
  return bill;
}

void include_price(BillLine& line, std::string_view basis) {
  line.price_USD.reset();
  line.price_year.reset();
  line.price_basis = basis;
  line.price_source.clear();
}

void include_power(BillLine& line) {
  line.power_W.reset();
  line.power_basis = kIncluded;
  line.power_source.clear();
}

class Machine {
 public:
  explicit Machine(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        priced_(system_.price.has_value()),
        powered_(system_.power.has_value()) {}

  Bill make() {
    if (priced_ || powered_) whole();
    if (!priced_ || !powered_) chassis();
    const Bill now = parts_of(system_);
    const Bill sold = scenario_.as_sold ? parts_of(*scenario_.as_sold) : now;
    for (const auto& line : now)
      if (system_.chassis && line.kind == Switch::kKind)
        in_chassis(line);
      else
        parts(line, count_in(sold, line));
    if (powered_)
      for (const auto& line : sold) taken_out(line, count_in(now, line));
    return std::move(bill_);
  }

 private:
  static double count_in(const Bill& bill, const BillLine& line) {
    const auto same =
        std::ranges::find_if(bill, [&](const BillLine& one) { return same_product(one, line); });
    return same == bill.end() ? 0 : same->count;
  }

  void whole() {
    BillLine line = line_of(scenario_.system, 1);
    if (!priced_) line.price_basis = kOfParts;
    if (!powered_) line.power_basis = kOfParts;
    bill_.push_back(std::move(line));
  }

  /// What holds the parts, main board and power supplies included: no entry says what that costs.
  void chassis() {
    BillLine line;
    line.kind = Chassis::kKind;
    line.name = Chassis::kKind;
    line.count = 1;
    if (system_.chassis && *system_.chassis) line = line_of(*system_.chassis, 1);
    if (priced_) line.price_basis = kIncluded;
    if (powered_) line.power_basis = kIncluded;
    bill_.push_back(std::move(line));
  }

  /// What a chassis has built in is in its price.
  void in_chassis(BillLine line) {
    include_price(line, kIncluded);
    include_power(line);
    bill_.push_back(std::move(line));
  }

  void parts(BillLine line, double sold) {
    const double all = line.count;
    const double added = priced_ || powered_ ? std::max(0.0, all - sold) : all;
    if (added < all) {
      BillLine kept = line;
      kept.count = all - added;
      if (priced_) include_price(kept, kIncluded);
      if (powered_) include_power(kept);
      bill_.push_back(std::move(kept));
    }
    line.count = added;
    if (added > 0) bill_.push_back(std::move(line));
  }

  void taken_out(BillLine line, double left) {
    if (line.count <= left) return;
    line.count = left - line.count;
    include_price(line, kTakenOut);
    bill_.push_back(std::move(line));
  }

  const Scenario& scenario_;
  const System& system_;
  const bool priced_;
  const bool powered_;
  Bill bill_;
};

/// Of which nobody sells a known one: what it costs and draws is not known.
BillLine fabric_line(const char* name, std::int64_t count) {
  BillLine line;
  line.kind = "fabric";
  line.name = name;
  line.count = static_cast<double>(count);
  return line;
}

void add_fabric(Bill& bill, const Scenario& scenario) {
  if (scenario.nodes < 2) return;
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  const std::int64_t on_one = fabric.nodes_per_switch.value_or(scenario.nodes);
  const auto cards = static_cast<std::int64_t>(scenario.system->nics.size());
  const std::int64_t rails = fabric.rails ? std::max<std::int64_t>(1, cards) : 1;
  const std::int64_t leaves = (scenario.nodes + on_one - 1) / on_one * rails;
  bill.push_back(fabric_line("leaf switch", leaves));
  if (leaves > 1) bill.push_back(fabric_line("spine above the leaf switches", 1));
}

double arrays_in(const Store& store) {
  if (!store.blades || !store.model->blades) return 1;
  return static_cast<double>(*store.blades) / static_cast<double>(*store.model->blades);
}

}  // namespace

std::vector<BillLine> bill_of(const Scenario& scenario) {
  Bill bill = Machine(scenario).make();
  for (auto& line : bill) line.count *= static_cast<double>(scenario.nodes);
  add_fabric(bill, scenario);
  for (const auto& [name, store] : scenario.store)
    add(bill, line_of(store.model, arrays_in(store)));
  return bill;
}

bool is_bought(const BillLine& line, bool rented) { return !rented || line.kind == Array::kKind; }

bool lacks_price(const BillLine& line, bool rented) {
  return !line.price_USD && line.price_basis.empty() && is_bought(line, rented);
}

bool lacks_power(const BillLine& line) { return !line.power_W && line.power_basis.empty(); }

std::string in_words(const BillLine& line) {
  const std::string count = text_number(std::abs(line.count));
  if (line.name == kUnknownMemory) return count + " " + line.name;
  return fmt::format("{} x {}{}", count, line.name, line.count < 0 ? " taken out" : "");
}

}  // namespace gpufeed
