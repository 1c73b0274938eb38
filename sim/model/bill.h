// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

// What a line's price_basis and power_basis may say beside the words of Basis.
inline constexpr std::string_view kQuoted = "quoted";         ///< by a seller to the buyer
inline constexpr std::string_view kIncluded = "included";     ///< in the figure of the whole system
inline constexpr std::string_view kOfParts = "of its parts";  ///< the system's, on their lines
inline constexpr std::string_view kTakenOut = "taken out";  ///< paid for with the system, not used
inline constexpr std::string_view kRented = "rented";       ///< by the hour, beside what is bought

inline constexpr std::string_view kInRent = "in the rent";  ///< of the machines or the service

inline constexpr std::string_view kUnknownMemory = "GiB of memory";  ///< a name: counted by GiB

/// So many of one product.
struct BillLine {
  std::string kind;
  std::string name;
  double count = 0;
  std::optional<double> price_USD;
  std::optional<std::int64_t> price_year;
  std::string price_basis;
  std::string price_source;
  std::optional<double> price_within;
  std::optional<double> power_W;
  std::string power_basis;
  std::string power_source;
  std::optional<double> rent_per_hour_USD;
  std::optional<std::int64_t> rent_year;
  std::string rent_basis;
  std::string rent_source;
  std::string store;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("kind", &BillLine::kind, "the catalog's kind of product; or fabric"));
    visit(key("name", &BillLine::name, "the product, as the catalog calls it"));
    visit(key("count", &BillLine::count,
              "how many: GPUs by boards, memory by modules of the priced size, a store's blades as "
              "part of the priced number; below 0: of the system as sold, but taken out"));
    visit(key("price_USD", &BillLine::price_USD, "of one; null: not known, or included"));
    visit(key("price_year", &BillLine::price_year, "year of the price"));
    visit(
        key("price_basis", &BillLine::price_basis,
            "how the price is known; quoted: by a seller; included: in that of the system; of its "
            "parts: on their lines; taken out: paid for with the system; rented: by the hour, "
            "rent_per_hour_USD; in the rent: of what it comes with; empty: not known"));
    visit(key("price_source", &BillLine::price_source, "where it is known from"));
    visit(
        key("price_within", &BillLine::price_within,
            "an estimate may be this many times too low, or too high; null: it is none, or nobody "
            "knows"));
    visit(key("power_W", &BillLine::power_W, "of one at full load; null: not known, or included"));
    visit(key(
        "power_basis", &BillLine::power_basis,
        "how the power is known; included and of its parts: as for the price; empty: not known"));
    visit(key("power_source", &BillLine::power_source, "where it is known from"));
    visit(key("rent_per_hour_USD", &BillLine::rent_per_hour_USD,
              "of one, of stores that are rented; null: it is not, or nobody knows"));
    visit(key("rent_year", &BillLine::rent_year, "of the rent; null: quoted in the scenario"));
    visit(key("rent_basis", &BillLine::rent_basis, "how the rent is known; empty: not rented"));
    visit(key("rent_source", &BillLine::rent_source, "where it is known from"));
    visit(key("store", &BillLine::store, "whose servers it is part of; empty: of no store's"));
  }
};

/// Whether it counts in what is bought: of machines that are rented, only stores beside them do,
/// unless they are rented, too.
bool is_bought(const BillLine& line, bool rented);
/// Whether its price or its rent counts and is not known; power likewise.
bool lacks_price(const BillLine& line, bool rented);
bool lacks_power(const BillLine& line);
/// Whether it was taken out of a system as sold and nobody knows what it draws: the power of the
/// system still has it in it.
bool keeps_power(const BillLine& line);

/// "8 x nvidia-h100-sxm5-80gb", "512 GiB of memory", "2 x intel-p4510-8tb taken out".
std::string in_words(const BillLine& line);

}  // namespace gpufeed
