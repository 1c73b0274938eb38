// SPDX-License-Identifier: Apache-2.0
#include "sim/model/purchase/price_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/model/catalog/chassis.h"
#include "sim/model/network/network.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using namespace literals;

// More than two memory channels, fewer, ln cores.
constexpr std::array kCpu{4.323, 2.992, 1.100};
// A GB of memory by generation: ln USD.
constexpr std::array<std::pair<std::string_view, double>, 7> kGenerations{{
    {"NVIDIA Pascal", 4.286},
    {"NVIDIA Volta", 5.905},
    {"NVIDIA Ampere", 4.869},
    {"NVIDIA Ada", 4.618},
    {"NVIDIA Hopper", 5.728},
    {"NVIDIA Blackwell", 5.119},
    {"AMD CDNA", 4.357},
}};
// Disks, flash for servers, other flash, ln TB of flash or disk inside.
constexpr std::array kDrive{3.804, 5.362, 4.835, 0.760};
// Any, ln of all ports' Gb/s.
constexpr std::array kNic{2.185, 0.918};

constexpr auto kGpu = [] {
  std::array<double, kGenerations.size()> levels{};
  for (std::size_t i = 0; i < levels.size(); ++i) levels.at(i) = kGenerations.at(i).second;
  return levels;
}();

double one_if(bool is) { return is ? 1 : 0; }

std::int64_t count_of(const Chassis& chassis, SlotKind kind, std::int64_t least_width = 1) {
  std::int64_t count = 0;
  for (const Slot& slot : chassis.slots)
    if (slot.takes == kind && slot.width >= least_width) count += slot.count;
  return count;
}

/// What is inside over what is usable: drives that are written more keep a sixth of their flash
/// back.
double inside(const Drive& drive) {
  const bool is_written =
      drive.endurance_class && *drive.endurance_class != Endurance::read_intensive;
  return is_written ? 1.2 : 1;  // sold with 6.4 TB where others have 7.68
}

/// Forms for which desktops have no place.
bool goes_into_servers(const std::optional<DriveForm>& form) {
  using enum DriveForm;
  constexpr std::array kForms{u2, e1s, e1l, e3s, e3l};
  return form && std::ranges::count(kForms, *form) > 0;
}

Money rounded(double price) {
  constexpr int kDigits = 3;
  const double step = std::pow(10.0, std::floor(std::log10(price)) - (kDigits - 1));
  return Money{std::round(price / step) * step};
}

}  // namespace

PriceTerms price_terms(const Cpu& cpu) {
  const bool of_desktops = cpu.memory_channels && *cpu.memory_channels <= 2;
  return {1, {one_if(!of_desktops), one_if(of_desktops), std::log(static_cast<double>(cpu.cores))}};
}

std::optional<PriceTerms> price_terms(const Gpu& gpu) {
  PriceTerms terms{gpu.memory / 1_GB, std::vector<double>(kGenerations.size(), 0)};
  for (std::size_t i = 0; i < kGenerations.size(); ++i)
    if (gpu.generation && gpu.generation->starts_with(kGenerations.at(i).first)) {
      terms.terms.at(i) = 1;
      return terms;
    }
  return {};
}

std::optional<PriceTerms> price_terms(const Drive& drive) {
  constexpr Seconds kFastestFlash{30e-6};  // less is storage-class memory
  const bool is_disk = drive.medium == Medium::disk;
  if (!is_disk && drive.read_latency.value < kFastestFlash.value) return {};
  const bool of_servers = !is_disk && (drive.endurance_class || goes_into_servers(drive.form));
  return PriceTerms{1,
                    {one_if(is_disk), one_if(of_servers), one_if(!is_disk && !of_servers),
                     std::log(inside(drive) * (drive.capacity / 1_TB))}};
}

PriceTerms price_terms(const Nic& nic) {
  const double all = nic.port_bandwidth.value * 8 / 1e9 * static_cast<double>(nic.ports);
  return {1, {1, std::log(all)}};
}

std::span<const double> price_coefficients(std::string_view kind) {
  if (kind == Cpu::kKind) return kCpu;
  if (kind == Gpu::kKind) return kGpu;
  if (kind == Drive::kKind) return kDrive;
  if (kind == Nic::kKind) return kNic;
  return {};
}

Money price_by_rule(std::string_view kind, const PriceTerms& terms) {
  const std::span<const double> coefficients = price_coefficients(kind);
  double exponent = 0;
  for (std::size_t i = 0; i < terms.terms.size(); ++i) exponent += coefficients[i] * terms.terms[i];
  return rounded(terms.unit * std::exp(exponent));
}

Money price_by_rule(const Chassis& chassis) {
  constexpr std::int64_t kSmallBoard = 4, kLargeBoard = 8, kManyCards = 8, kDesktopModules = 4;
  const std::int64_t modules = count_of(chassis, SlotKind::module);
  const std::int64_t cards = count_of(chassis, SlotKind::card, 2);
  if (modules > kLargeBoard) return 60000_USD;
  if (modules > kSmallBoard && !chassis.nvswitches.empty()) return 45000_USD;
  if (modules > kSmallBoard && chassis.mesh > 0) return 35000_USD;  // the board is bought with it
  if (modules > kSmallBoard) return 15000_USD;
  if (modules > 0) return 10000_USD;
  if (cards >= kManyCards) return 9000_USD;
  if (cards > 0 && chassis.sockets > 1) return 4500_USD;
  if (cards == 0) return 3000_USD;
  const bool has_chipset = !chassis.switches.empty();
  return has_chipset && chassis.memory_slots.value_or(0) <= kDesktopModules ? 800_USD : 2200_USD;
}

std::optional<PriceRange> range_of_estimates(std::string_view kind) {
  struct OfKind {
    std::string_view kind;
    double factor;
  };
  static constexpr std::array kFactors{
      OfKind{Cpu::kKind, 1.7},  OfKind{Gpu::kKind, 2.2},  OfKind{Drive::kKind, 1.7},
      OfKind{Nic::kKind, 2},    OfKind{Memory::kKind, 2}, OfKind{Chassis::kKind, 3},
      OfKind{Array::kKind, 3},  OfKind{Cable::kKind, 2},  OfKind{NetworkSwitch::kKind, 2},
      OfKind{System::kKind, 2},
  };
  const auto found = std::ranges::find(kFactors, kind, &OfKind::kind);
  if (found == kFactors.end()) return {};
  return PriceRange{1 / found->factor, found->factor};
}

}  // namespace gpufeed
