// SPDX-License-Identifier: Apache-2.0
#include "sim/model/purchase/price_rule.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/model/catalog/chassis.h"

namespace gpufeed {
namespace {

using namespace literals;

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

/// \param value  of a term
template <class Value>
PriceTerms terms_of(double unit, const PriceLaw& law, const Value& value) {
  PriceTerms out{unit, {}};
  for (const PriceCoefficient& one : law.coefficients) out.terms.push_back(value(one));
  return out;
}

}  // namespace

std::optional<PriceTerms> price_terms(const Cpu& cpu, const PriceLaw& law) {
  const bool of_desktops = cpu.memory_channels && *cpu.memory_channels <= 2;
  return terms_of(1, law, [&](const PriceCoefficient& one) {
    if (one.of == PriceTerm::cores) return std::log(static_cast<double>(cpu.cores));
    return one_if(one.of == (of_desktops ? PriceTerm::of_desktops : PriceTerm::of_servers));
  });
}

std::optional<PriceTerms> price_terms(const Gpu& gpu, const PriceLaw& law) {
  if (!gpu.generation) return {};
  const auto is_of = [&](const PriceCoefficient& one) {
    return std::ranges::count(one.generations, *gpu.generation) > 0;
  };
  if (std::ranges::none_of(law.coefficients, is_of)) return {};
  return terms_of(gpu.memory / 1_GB, law,
                  [&](const PriceCoefficient& one) { return one_if(is_of(one)); });
}

std::optional<PriceTerms> price_terms(const Drive& drive, const PriceLaw& law) {
  constexpr Seconds kFastestFlash{30e-6};  // less is storage-class memory
  const bool is_disk = drive.medium == Medium::disk;
  if (!is_disk && drive.read_latency.value < kFastestFlash.value) return {};
  const bool of_servers = drive.endurance_class || goes_into_servers(drive.form);
  const PriceTerm is = is_disk      ? PriceTerm::disk
                       : of_servers ? PriceTerm::server_flash
                                    : PriceTerm::other_flash;
  return terms_of(1, law, [&](const PriceCoefficient& one) {
    if (one.of == PriceTerm::terabytes) return std::log(inside(drive) * (drive.capacity / 1_TB));
    const bool in_its_years = !one.year || drive.price_year.value_or(0) >= *one.year;
    return one_if(one.of == is && in_its_years);
  });
}

std::optional<PriceTerms> price_terms(const Nic& nic, const PriceLaw& law) {
  const double all = nic.port_bandwidth.value * 8 / 1e9 * static_cast<double>(nic.ports);
  return terms_of(1, law, [&](const PriceCoefficient& one) {
    return one.of == PriceTerm::gigabits ? std::log(all) : one_if(one.of == PriceTerm::any);
  });
}

Money price_by_rule(const PriceTerms& terms, const PriceLaw& law) {
  double exponent = 0;
  for (std::size_t i = 0; i < terms.terms.size(); ++i)
    exponent += law.coefficients.at(i).coefficient * terms.terms[i];
  return rounded(terms.unit * std::exp(exponent));
}

ChassisClass class_of(const Chassis& chassis) {
  using enum ChassisClass;
  constexpr std::int64_t kSmallBoard = 4, kLargeBoard = 8, kManyCards = 8, kDesktopModules = 4;
  const std::int64_t on_boards = count_of(chassis, SlotKind::module);
  const std::int64_t cards = count_of(chassis, SlotKind::card, 2);
  if (on_boards > kLargeBoard) return many_modules;
  if (on_boards > kSmallBoard && !chassis.nvswitches.empty()) return switched_modules;
  if (on_boards > kSmallBoard && chassis.mesh > 0) return meshed_modules;
  if (on_boards > kSmallBoard) return modules;
  if (on_boards > 0) return small_module_board;
  if (cards >= kManyCards) return many_cards;
  if (cards > 0 && chassis.sockets > 1) return cards_on_two_sockets;
  if (cards == 0) return no_cards;
  const bool has_chipset = !chassis.switches.empty();
  return has_chipset && chassis.memory_slots.value_or(0) <= kDesktopModules ? desktop : workstation;
}

std::optional<Money> price_by_rule(const Chassis& chassis, const PriceLaw& law) {
  const auto found = std::ranges::find(law.chassis, class_of(chassis), &ChassisPrice::of);
  if (found == law.chassis.end()) return {};
  return found->price;
}

}  // namespace gpufeed
