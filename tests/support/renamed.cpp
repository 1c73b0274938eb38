// SPDX-License-Identifier: Apache-2.0
#include "tests/support/renamed.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/model/catalog/chassis.h"
#include "sim/model/find_part.h"

namespace gpufeed::systems {
namespace {

/// Names that say something else than what the part is.
std::string other_name(PartId part) {
  switch (part.kind) {
    case PartKind::socket:
      return fmt::format("gpu{}", part.number);
    case PartKind::pcie_switch:
      return fmt::format("ssd{} write", part.number);
    case PartKind::gpu:
      return fmt::format("cpu{} memory", part.number);
    case PartKind::nic:
      return fmt::format("say \"{}\"", part.number);
    case PartKind::drive:
      return fmt::format("nic{} port", part.number);
    case PartKind::nvswitch:
      return "between nodes";
    case PartKind::volume:
      return fmt::format("store.nas.{}", part.number);
    case PartKind::store:
      return fmt::format("cpu{}", part.number);
    case PartKind::fabric:
      break;
  }
  return "unused";
}

class Renamer {
 public:
  void rename(Scenario& scenario) {
    rename_parts(scenario);
    visit(scenario.system);
    if (scenario.as_sold) {
      Ref<System> sold{"sold", {}, scenario.as_sold};
      visit(sold);
      scenario.as_sold = sold.entry;
    }
    std::visit([&](auto& keys) { members(keys); }, scenario.workload.of_kind);
    if (auto* computes = scenario.workload.find<ComputesModel>())
      for (StepLine& line : computes->step_lines) line.gpu = other_entry("gpu", line.gpu);
    Named<Store> stores;
    for (std::size_t i = 0; i < scenario.store.size(); ++i) {
      Store store = scenario.store.at(i);
      members(store);
      stores[other_name({PartKind::store, i})] = std::move(store);
    }
    scenario.store = std::move(stores);
    for (PartRef* ref : {&scenario.data.at, &scenario.loader.placement}) visit(*ref);
    if (scenario.data.staging) visit(scenario.data.staging->from);
    if (scenario.checkpoint) visit(scenario.checkpoint->at);
  }

 private:
  static void rename_parts(Scenario& scenario) {
    System system = *scenario.system;
    const auto all = [](auto& parts, PartKind kind) {
      for (std::size_t i = 0; i < parts.size(); ++i) parts[i].id = Label(other_name({kind, i}));
    };
    all(system.sockets, PartKind::socket);
    all(system.switches, PartKind::pcie_switch);
    all(system.gpus, PartKind::gpu);
    all(system.nics, PartKind::nic);
    all(system.drives, PartKind::drive);
    all(system.nvswitches, PartKind::nvswitch);
    all(system.volumes, PartKind::volume);
    scenario.system.entry = std::make_shared<const System>(std::move(system));
  }

  /// What was first is last in the alphabet, and the other way round.
  std::string other_entry(std::string_view kind, const std::string& name) {
    auto& names = entries_[std::string(kind)];
    const auto [known, fresh] = names.try_emplace(name);
    if (fresh) {
      const char first = name.empty() ? 'm' : name.front();
      known->second =
          fmt::format("{}.\"{} pcie sata\"", static_cast<char>('a' + 'z' - first), names.size());
    }
    return known->second;
  }

  template <class T>
  void members(T& value) {
    for_each_member(value, [&](const auto&, auto& member) { visit(member); });
  }

  template <class M>
  void visit(M& value) {
    if constexpr (std::same_as<M, PartRef>) {
      if (value.part) value.id = Label(other_name(*value.part));
    } else if constexpr (HasFields<M> && !HasKinds<M>) {
      members(value);
    }
  }
  template <class M>
  void visit(std::optional<M>& value) {
    if (value) visit(*value);
  }
  template <class M>
  void visit(std::vector<M>& list) {
    for (M& one : list) visit(one);
  }
  template <class T>
  void visit(Ref<T>& ref) {
    if (!ref) return;
    ref.name = other_entry(T::kKind, ref.name);
    auto& known = copies_[ref.entry.get()];
    if (!known) {
      auto copy = std::make_shared<T>(*ref.entry);
      copy->name = ref.name;
      members(*copy);
      known = copy;
    }
    ref.entry = std::static_pointer_cast<const T>(known);
  }

  std::map<std::string, std::map<std::string, std::string>> entries_;  ///< by kind
  std::map<const void*, std::shared_ptr<const void>> copies_;
};

}  // namespace

Scenario renamed(Scenario scenario) {
  Renamer().rename(scenario);
  return scenario;
}

}  // namespace gpufeed::systems
