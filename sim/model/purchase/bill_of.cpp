// SPDX-License-Identifier: Apache-2.0
#include "sim/model/purchase/bill_of.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/model/catalog/chassis.h"
#include "sim/model/purchase/lines.h"

namespace gpufeed {
namespace {

void add_memory(Bill& bill, const Socket& socket) {
  using namespace literals;
  const auto& modules = socket.memory_kind ? socket.memory_kind : socket.model->memory;
  if (modules && *modules)
    return add_line(bill, line_of(*modules, socket.memory / (*modules)->priced_module));
  BillLine line;
  line.kind = Memory::kKind;
  line.name = kUnknownMemory;
  line.count = socket.memory / 1_GiB;
  add_line(bill, std::move(line));
}

/// Boards are bought, of which an entry describes one GPU: its power is that GPU's.
void add_gpus(Bill& bill, const std::vector<Device<Gpu>>& gpus) {
  std::set<std::string> counted;
  for (const auto& gpu : gpus) {
    if (!gpu.board.empty() && !counted.insert(gpu.board).second) continue;
    const auto dies = static_cast<double>(gpu.model->dies_per_board);
    BillLine board = line_of(gpu.model, gpu.board.empty() ? 1 / dies : 1);
    if (board.power_W) *board.power_W *= dies;
    add_line(bill, std::move(board));
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
  add_line(bill, std::move(line));
}

Bill parts_of(const System& system) {
  Bill bill;
  for (const auto& socket : system.sockets) add_line(bill, line_of(socket.model, 1));
  for (const auto& socket : system.sockets) add_memory(bill, socket);
  add_gpus(bill, system.gpus);
  for (const auto& part : system.switches) add_line(bill, line_of(part.model, 1));
  for (const auto& part : system.nics) add_nic(bill, part.model);
  for (const auto& part : system.drives) add_line(bill, line_of(part.model, 1));
  return bill;
}

class Machine {
 public:
  /// \param as_sold  null where its parts were not changed since
  Machine(const Ref<System>& system, const System* as_sold)
      : name_(system.name),
        system_(*system),
        as_sold_(as_sold),
        whole_(system_.price || system_.power || !as_sold ? system_ : *as_sold),
        priced_(whole_.price.has_value()),
        powered_(whole_.power.has_value()) {}

  Bill make() {
    if (priced_ || powered_) whole();
    if (!priced_ || !powered_) chassis();
    const Bill now = parts_of(system_);
    const Bill sold = as_sold_ ? parts_of(*as_sold_) : now;
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
    BillLine line = line_of(whole_, 1);
    if (&whole_ == &system_) line.name = name_;
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
    if (priced_) leave_out_price(line, kIncluded);
    if (powered_) leave_out_power(line, kIncluded);
    bill_.push_back(std::move(line));
  }

  /// What a chassis has built in is in its price.
  void in_chassis(BillLine line) {
    leave_out_price(line, kIncluded);
    leave_out_power(line, kIncluded);
    bill_.push_back(std::move(line));
  }

  void parts(BillLine line, double sold) {
    const double all = line.count;
    const double added = priced_ || powered_ ? std::max(0.0, all - sold) : all;
    if (added < all) {
      BillLine kept = line;
      kept.count = all - added;
      if (priced_) leave_out_price(kept, kIncluded);
      if (powered_) leave_out_power(kept, kIncluded);
      bill_.push_back(std::move(kept));
    }
    line.count = added;
    if (added > 0) bill_.push_back(std::move(line));
  }

  void taken_out(BillLine line, double left) {
    if (line.count <= left) return;
    line.count = left - line.count;
    leave_out_price(line, kTakenOut);
    bill_.push_back(std::move(line));
  }

  const std::string& name_;
  const System& system_;
  const System* const as_sold_;
  const System& whole_;  ///< of which price and power are told: this one, or what it was sold as
  const bool priced_;
  const bool powered_;
  Bill bill_;
};

}  // namespace

std::vector<BillLine> bill_of_servers(const ServersOfStore& store, const std::string& name) {
  Bill bill = Machine(*store.server, nullptr).make();
  for (BillLine& line : bill) {
    line.count *= static_cast<double>(*store.servers);
    line.store = name;
  }
  return bill;
}

std::vector<BillLine> bill_of(const Scenario& scenario) {
  Bill bill = Machine(scenario.system, scenario.as_sold.get()).make();
  for (auto& line : bill) line.count *= static_cast<double>(scenario.nodes);
  for (auto& line : network_of(scenario)) bill.push_back(std::move(line));
  for (std::size_t i = 0; i < scenario.store.size(); ++i) {
    const Store& store = scenario.store.at(i);
    if (store.of_servers && !store.rent_per_hour)
      for (auto& line : bill_of_servers(store, scenario.store.name(i)))
        add_line(bill, std::move(line));
    else
      add_line(bill, store_line(scenario, i));
  }
  for (BillLine& line : bill) {
    const auto law = scenario.price_laws.find(line.kind);
    if (line.price_USD && line.price_basis == name_of(Basis::estimate) &&
        law != scenario.price_laws.end())
      line.price_within = law->second->within;
  }
  return bill;
}

}  // namespace gpufeed
