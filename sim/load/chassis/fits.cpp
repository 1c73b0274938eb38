// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/fits.h"

#include <algorithm>
#include <set>

namespace gpufeed {
namespace {

bool is_pcie(const Plug& plug) { return plug.link && plug.link->kind() == LinkFamily::pcie; }

/// Bays for 3.5-inch drives take 2.5-inch ones, too; the plug of NVMe drives is another.
bool fits_bay(DriveForm bay, DriveForm drive) {
  return bay == drive || (bay == DriveForm::lff && drive == DriveForm::sff);
}

bool for_nvme(DriveForm form) { return form != DriveForm::sff && form != DriveForm::lff; }

bool same_plug(const Slot& slot, const Plug& plug) {
  return !slot.link || slot.link->name == plug.link.name ||
         (is_pcie(plug) && of_one_family(*slot.link, plug.link));
}

bool any_slot(const Chassis& chassis, SlotKind kind) {
  return std::ranges::count(chassis.slots, kind, &Slot::takes) > 0;
}

std::string forms_of(const Chassis& chassis) {
  std::set<std::string> forms;
  for (const auto& slot : chassis.slots)
    for (const DriveForm form : slot.forms) forms.emplace(name_of(form));
  return fmt::format("{}", fmt::join(forms, ", "));
}

std::string boards_of(const Chassis& chassis) {
  std::set<std::string> boards;
  for (const auto& slot : chassis.slots)
    if (slot.takes == SlotKind::module) boards.insert(slot.board.empty() ? "its own" : slot.board);
  return fmt::format("{}", fmt::join(boards, ", "));
}

std::int64_t widest_slot(const Chassis& chassis) {
  std::int64_t widest = 0;
  for (const auto& slot : chassis.slots)
    if (slot.takes == SlotKind::card) widest = std::max(widest, slot.width);
  return widest;
}

}  // namespace

bool fits(const Slot& slot, const Gpu& gpu) {
  if (slot.takes == SlotKind::module)
    return gpu.form != GpuForm::card && same_plug(slot, gpu) &&
           (!gpu.board || slot.board.empty() || *gpu.board == slot.board);
  return slot.takes == SlotKind::card && gpu.form != GpuForm::module &&
         gpu.slots.value_or(1) <= slot.width;
}

bool fits(const Slot& slot, const Nic& nic) {
  switch (nic.form) {
    case NicForm::ocp:
      return slot.takes == SlotKind::ocp;
    case NicForm::onboard:
      return slot.takes == SlotKind::onboard;
    case NicForm::card:
      break;
  }
  return slot.takes == SlotKind::card;
}

bool fits(const Slot& slot, const Drive& drive) {
  if (drive.form == DriveForm::add_in_card) return slot.takes == SlotKind::card;
  if (slot.takes != SlotKind::bay) return false;
  // A port for SATA serves no SAS drive; one for SAS serves both.
  if (slot.link && *slot.link && (*slot.link)->kind() == LinkFamily::sata && drive.link &&
      drive.link->kind() != LinkFamily::sata)
    return false;
  return std::ranges::any_of(slot.forms, [&](DriveForm bay) {
    return drive.form ? fits_bay(bay, *drive.form) : for_nvme(bay) == is_pcie(drive);
  });
}

std::string unsaid(const Slot& slot, const Gpu& gpu) {
  if (!gpu.form) return "whether it is a card or a module";
  if (slot.takes == SlotKind::module) return gpu.board ? "" : "which board it goes on";
  return gpu.slots || slot.width > 1 ? "" : "how many slots it covers";
}

std::string unsaid(const Slot&, const Nic&) { return ""; }

std::string unsaid(const Slot&, const Drive& drive) {
  return drive.form ? "" : "which bay it fits";
}

std::string misfit(const Chassis& chassis, const Gpu& gpu) {
  const bool modules = any_slot(chassis, SlotKind::module);
  if (!modules && widest_slot(chassis) == 0)
    return fmt::format("{} is a GPU, and {} has no place for any", gpu.name, chassis.name);
  if (gpu.form == GpuForm::card && modules)
    return fmt::format("{} is a card for a PCIe slot, and {} takes modules on a board ({})",
                       gpu.name, chassis.name, boards_of(chassis));
  if (gpu.form == GpuForm::card)
    return fmt::format("{} covers {} slots, and those of {} hold cards of {} at most", gpu.name,
                       gpu.slots.value_or(1), chassis.name, widest_slot(chassis));
  if (!modules)
    return fmt::format(
        "{} is a module on a board of its own ({}), and {} takes cards in PCIe slots", gpu.name,
        gpu.board.value_or("of its kind"), chassis.name);
  for (const auto& slot : chassis.slots)
    if (slot.takes == SlotKind::module && !same_plug(slot, gpu))
      return fmt::format("{} plugs into {}, and the GPU board of {} has {}", gpu.name,
                         gpu.link.name, chassis.name, slot.link->name);
  return fmt::format("{} goes on a board of kind {}, and that of {} is {}", gpu.name,
                     gpu.board.value_or("unknown"), chassis.name, boards_of(chassis));
}

std::string misfit(const Chassis& chassis, const Nic& nic) {
  if (nic.form == NicForm::ocp)
    return fmt::format("{} goes into a slot for OCP cards, and {} has none", nic.name,
                       chassis.name);
  if (nic.form == NicForm::onboard)
    return fmt::format("{} is part of a main board, and that of {} has none such", nic.name,
                       chassis.name);
  return fmt::format("{} is a card for a PCIe slot, and {} has none", nic.name, chassis.name);
}

std::string misfit(const Chassis& chassis, const Drive& drive) {
  const std::string what =
      drive.form ? fmt::format("is of form {}", name_of(*drive.form))
                 : std::string(is_pcie(drive) ? "is an NVMe drive" : "is a SATA or SAS drive");
  if (drive.form == DriveForm::add_in_card)
    return fmt::format("{} is a card for a PCIe slot, and {} has none", drive.name, chassis.name);
  if (!any_slot(chassis, SlotKind::bay))
    return fmt::format("{} {}, and {} has no bays", drive.name, what, chassis.name);
  for (const auto& slot : chassis.slots)
    if (drive.form && std::ranges::count(slot.forms, *drive.form) > 0 && slot.link)
      return fmt::format("{} plugs into {}, and the bays of {} have {}", drive.name,
                         drive.link.name, chassis.name, slot.link->name);
  return fmt::format("{} {}, and the bays of {} take {}", drive.name, what, chassis.name,
                     forms_of(chassis));
}

bool of_one_family(const Ref<Link>& one, const Ref<Link>& other) {
  return one && other && one->kind() == other->kind() &&
         (one->kind() != LinkFamily::other || one.name == other.name);
}

}  // namespace gpufeed
