// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/catalog_prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "reports/writers/layout.h"
#include "sim/base/today.h"
#include "sim/load/load.h"
#include "sim/load/purchase/known_prices.h"
#include "sim/load/purchase/price_laws.h"
#include "ui/cli/catalog_list.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

struct Month {
  std::int64_t year = 0;
  std::int64_t month = 0;
};

/// "18mo" or "2y" in months.
std::optional<std::int64_t> months_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  constexpr std::int64_t kMost = 1200;
  if (problem != std::errc{} || number < 0 || number > kMost) return {};
  if (unit == "mo") return number;
  if (unit == "y") return 12 * number;
  return {};
}

/// "2026-11".
std::optional<Month> month_in(std::string_view text) {
  Month month;
  const char* const end = text.data() + text.size();
  const auto [dash, bad_year] = std::from_chars(text.data(), end, month.year);
  if (bad_year != std::errc{} || dash == end || *dash != '-') return {};
  const auto [rest, bad_month] = std::from_chars(dash + 1, end, month.month);
  if (bad_month != std::errc{} || rest != end) return {};
  if (month.year < 1990 || month.year > 2100 || month.month < 1 || month.month > 12) return {};
  return month;
}

Month this_month() {
  const std::chrono::year_month_day day = today();
  return {static_cast<int>(day.year()), static_cast<unsigned>(day.month())};
}

std::string rows(const std::vector<KnownPrice>& prices, const Month& now) {
  std::size_t kinds = 0, names = 0, whats = 0;
  for (const auto& one : prices) {
    kinds = std::max(kinds, one.kind.size() + 2);
    names = std::max(names, one.name.size() + 2);
    whats = std::max(whats, one.what.size() + 2);
  }
  std::string out;
  for (const auto& one : prices) {
    const std::string line = fmt::format(
        "{}  {:>6}  {:<{}}{:<{}}{:<{}}{:>14}  {:<10}  ", one.year,
        fmt::format("{} mo", std::max<std::int64_t>(0, months_old(one, now.year, now.month))),
        one.kind, kinds, one.name, names, one.what, whats,
        text_number(one.amount.value, 6) + " USD", name_of(one.basis));
    out += line + title_in(one.source, line.size(), columns_of_output()) + "\n";
  }
  return out;
}

/// "24 (44 %)".
std::string share(std::int64_t part, std::int64_t all) {
  if (all == 0) return "-";
  return fmt::format("{} ({} %)", part, (100 * part + all / 2) / all);
}

/// How many of what is sold have a price of a document, and how far off the others may be.
std::string summary(const std::vector<PriceShare>& shares, const PriceLaws& laws) {
  const auto row = [](const auto&... cells) {
    return fmt::format("{:<16}{:>5}  {:>12}  {:>12}  {:<26}{}\n", cells...);
  };
  std::string out = "\n" + row("kind", "sold", "documented", fmt::format("since {}", kLately),
                               "estimates hold within", "no price");
  for (const PriceShare& one : shares) {
    const auto law = laws.find(one.kind);
    const bool has_estimates = one.documented + one.unpriced < one.sold;
    out += row(one.kind, one.sold, share(one.documented, one.sold),
               share(one.documented_lately, one.sold_lately),
               law != laws.end() && has_estimates
                   ? fmt::format("{} to {} times", text_number(1 / law->second->within, 2),
                                 text_number(law->second->within, 2))
                   : "-",
               one.unpriced);
  }
  return out;
}

}  // namespace

int catalog_prices(const Arguments& arguments) {
  Options options("catalog prices",
                  "Lists the prices and rents of the catalog, the oldest first: year, how many "
                  "months have passed since its end, entry, amount, and how it is known; then, by "
                  "kind, how many of those sold have a price of a document.",
                  "gpufeed catalog prices --older 18mo");
  std::string kind;
  std::optional<std::string> older, as_of, quotes;
  std::vector<std::string> folders;
  options.optional_operand("KIND", kind,
                           fmt::format("only of this kind: {}", fmt::join(catalog_kinds(), ", ")));
  options.value("--older", "AGE", older,
                "only those whose year ended longer ago, such as 18mo or 2y: they want a look");
  options.value("--as-of", "YEAR-MONTH", as_of, "reckon from there; default: this month");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  options.value("--prices", "FILE", quotes, kPricesHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (!kind.empty() && !std::ranges::count(catalog_kinds(), kind))
    throw options.error(
        fmt::format("there is no kind \"{}\"; {}", kind, suggestion(kind, catalog_kinds())));
  const auto months = older ? months_in(*older) : std::optional<std::int64_t>();
  if (older && !months)
    throw options.error(fmt::format("--older {}: give an age such as 18mo or 2y", *older));
  const auto given = as_of ? month_in(*as_of) : std::optional<Month>();
  if (as_of && !given)
    throw options.error(
        fmt::format("--as-of {}: give a year and a month, such as 2026-11", *as_of));
  const Month now = given ? *given : this_month();
  Diagnostics problems;
  auto prices = known_prices(catalog_with(folders, quotes), problems);
  std::erase_if(prices, [&](const KnownPrice& one) {
    return (!kind.empty() && one.kind != kind) ||
           (months && (one.amount.value == 0 || months_old(one, now.year, now.month) <= *months));
  });
  print(rows(prices, now));
  if (!older) {
    auto shares = price_shares(catalog_with(folders, quotes), problems);
    std::erase_if(shares, [&](const PriceShare& one) { return !kind.empty() && one.kind != kind; });
    if (!shares.empty())
      print(summary(shares, price_laws_in(catalog_with(folders, quotes), problems)));
  }
  if (prices.empty())
    complain(older ? "no price is that old\n" : "nothing of this kind has a price\n");
  problems.throw_if_any();
  return kGood;
}

}  // namespace gpufeed::cli
