// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/generation.h"

namespace gpufeed {

/// Of what a coefficient of a price is: 1 where it is so, or a logarithm.
enum class PriceTerm {
  of_servers,
  of_desktops,
  cores,  ///< ln of their number
  generation,
  disk,
  server_flash,
  other_flash,
  terabytes,  ///< ln of the TB of flash or disk inside
  any,
  gigabits  ///< ln of the Gb/s of all ports
};
template <>
struct EnumNames<PriceTerm> {
  static constexpr auto names = words_of<PriceTerm>({{PriceTerm::of_servers, "of-servers"},
                                                     {PriceTerm::of_desktops, "of-desktops"},
                                                     {PriceTerm::cores, "cores"},
                                                     {PriceTerm::generation, "generation"},
                                                     {PriceTerm::disk, "disk"},
                                                     {PriceTerm::server_flash, "server-flash"},
                                                     {PriceTerm::other_flash, "other-flash"},
                                                     {PriceTerm::terabytes, "terabytes"},
                                                     {PriceTerm::any, "any"},
                                                     {PriceTerm::gigabits, "gigabits"}});
};

struct PriceCoefficient {
  PriceTerm of = PriceTerm::any;
  std::vector<Generation> generations;
  std::optional<std::int64_t> year;
  double coefficient = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = PriceCoefficient;
    visit(key("of", &C::of, "its term").needed());
    visit(key("generations", &C::generations, "of GPUs, where it is of these"));
    visit(key("year", &C::year, "where its price is of this year or later; default: of any")
              .between(1990, 2100));
    visit(key("coefficient", &C::coefficient, "of ln(price in USD)").needed());
  }
};

/// What an empty chassis holds, the first that is so.
enum class ChassisClass {
  many_modules,
  switched_modules,
  meshed_modules,
  modules,
  small_module_board,
  many_cards,
  cards_on_two_sockets,
  no_cards,
  desktop,
  workstation
};
template <>
struct EnumNames<ChassisClass> {
  static constexpr auto names =
      words_of<ChassisClass>({{ChassisClass::many_modules, "many-modules"},
                              {ChassisClass::switched_modules, "switched-modules"},
                              {ChassisClass::meshed_modules, "meshed-modules"},
                              {ChassisClass::modules, "modules"},
                              {ChassisClass::small_module_board, "small-module-board"},
                              {ChassisClass::many_cards, "many-cards"},
                              {ChassisClass::cards_on_two_sockets, "cards-on-two-sockets"},
                              {ChassisClass::no_cards, "no-cards"},
                              {ChassisClass::desktop, "desktop"},
                              {ChassisClass::workstation, "workstation"}});
};

struct ChassisPrice {
  ChassisClass of = ChassisClass::workstation;
  Money price;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("of", &ChassisPrice::of, "which chassis").needed());
    visit(key("price", &ChassisPrice::price, "of one, empty").needed());
  }
};

/// How prices of a kind of product are estimated that no document tells, and how far the price of
/// one may be from its estimate: of processors, GPUs, drives and network cards the factor holds at
/// least 80 % of those of which a document tells the price, each left out of the fit; of others it
/// is judged.
///
///     price = unit exp(sum_i coefficient_i term_i)
struct PriceLaw : Entry {
  static constexpr std::string_view kKind = "price-law";
  double within = 1;
  std::vector<PriceCoefficient> coefficients;
  std::vector<ChassisPrice> chassis;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using L = PriceLaw;
    entry_fields(visit);
    visit(key("within", &L::within, "an estimate may be this many times too low, or too high")
              .needed());
    visit(key("coefficients", &L::coefficients,
              "of ln(price), the least squares over documented prices; none: each is judged"));
    visit(key("chassis", &L::chassis, "of chassis: what each class costs"));
  }
};

/// By the kind of product.
using PriceLaws = std::map<std::string, std::shared_ptr<const PriceLaw>, std::less<>>;

}  // namespace gpufeed
