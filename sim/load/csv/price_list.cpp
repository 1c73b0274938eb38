// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/price_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "sim/load/csv/csv.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {
namespace {

enum Column { kName, kPrice, kYear, kColumns };
constexpr Words<kColumns> kNames =
    words_of<Column>({{kName, "name"}, {kPrice, "price"}, {kYear, "year"}});

/// "Price (USD)" is "price": capitals, and what brackets say of the unit, do not count.
std::string plain_heading(std::string_view text) {
  std::string out(text.substr(0, text.find('(')));
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  while (out.ends_with(' ') || out.ends_with('\t')) out.pop_back();
  return out;
}

/// "$1,299.00" as "1299.00": what spreadsheets write of dollars.
std::string plain_dollars(std::string text) {
  if (!text.starts_with('$')) return text;
  std::erase(text, ',');
  return text.substr(1);
}

class PriceParser {
 public:
  PriceParser(std::string_view text, const std::string& file, const Names& known, Diagnostics& out)
      : lines_(text), file_(file), known_(known), out_(out) {}

  PriceList parse() {
    if (!next()) {
      out_.error(ProblemCode::unusable_file, {file_, 0, 0},
                 "the file is empty; its first line must name the columns name, price and year");
      return {};
    }
    const std::size_t before = out_.count();
    read_header();
    if (out_.count() > before) return {};
    constexpr std::size_t kMostProblems = 20;
    while (out_.count() < before + kMostProblems && next()) read_quote();
    if (out_.count() == before && prices_.empty())
      out_.error(ProblemCode::unusable_file, {file_, 0, 0}, "there are no prices below the header");
    return std::move(prices_);
  }

 private:
  bool next() {
    while (lines_.next())
      if (!lines_.fields().front().text.starts_with('#')) return true;
    return false;
  }

  template <class... Args>
  void error(std::size_t column, fmt::format_string<Args...> format, Args&&... args) {
    out_.error({file_, lines_.line(), static_cast<int>(column)}, format,
               std::forward<Args>(args)...);
  }

  void read_header() {
    const auto& fields = lines_.fields();
    columns_ = fields.size();
    for (std::size_t i = 0; i < columns_; ++i) {
      const auto it = std::ranges::find(kNames, plain_heading(fields[i].text));
      if (it == kNames.end()) continue;  // a column of the buyer's own
      auto& place = place_[static_cast<std::size_t>(it - kNames.begin())];
      if (place) error(fields[i].column, "column \"{}\" stands twice", *it);
      place = i;
    }
    for (std::size_t i = 0; i < kColumns; ++i)
      if (!place_[i])
        error(1,
              "column \"{}\" is missing; the first line must name the columns name, price and "
              "year; found {}",
              kNames[i], header());
  }

  std::string header() const {
    std::string all;
    for (const auto& field : lines_.fields())
      all += (all.empty() ? "" : ", ") + shown_field(field.text);
    return all;
  }

  const CsvField& field(Column column) const { return lines_.fields()[*place_[column]]; }

  void read_quote() {
    if (lines_.fields().size() != columns_)
      return error(1, "the line has {} fields, the first line {}", lines_.fields().size(),
                   columns_);
    const std::size_t before = out_.count();
    const CsvField& name = field(kName);
    const std::string text(name.text);
    if (!std::ranges::count(known_, text))
      error(name.column, "nothing in the catalog that is sold is called {}; {}",
            shown_field(name.text), suggestion(text, known_));
    const Quote quote{price(), year(), {file_, lines_.line(), static_cast<int>(name.column)}};
    if (out_.count() > before) return;
    const auto [first, added] = prices_.try_emplace(text, quote);
    if (!added)
      error(name.column, "{} has a price in line {} already", text, first->second.where.line);
  }

  Money price() {
    const CsvField& one = field(kPrice);
    std::string text = plain_dollars(std::string(one.text));
    if (text.find_first_not_of("0123456789.") == std::string::npos) text += " USD";
    const auto price = parse_quantity<MoneyUnit>(text);
    if (price && kPriceKey.allows(*price)) return *price;
    error(one.column,
          "price must be US dollars from 0 to 100000000, such as 1299 or 1299 USD; "
          "found {}",
          shown_field(one.text));
    return {};
  }

  std::int64_t year() {
    const CsvField& one = field(kYear);
    std::int64_t year = 0;
    const char* const end = one.text.data() + one.text.size();
    const auto [rest, problem] = std::from_chars(one.text.data(), end, year);
    if (problem == std::errc{} && rest == end && kPriceYearKey.allows(year)) return year;
    error(one.column, "year must be a whole number from {} to {}; found {}", kPriceYearKey.min,
          kPriceYearKey.max, shown_field(one.text));
    return 0;
  }

  CsvLines lines_;
  const std::string& file_;
  const Names& known_;
  Diagnostics& out_;
  std::size_t columns_ = 0;
  std::array<std::optional<std::size_t>, kColumns> place_;
  PriceList prices_;
};

}  // namespace

PriceList parse_prices(std::string_view text, const std::string& name, const Names& known,
                       Diagnostics& out) {
  return PriceParser(text, name, known, out).parse();
}

void quote(const PriceList& prices, Entry& entry, Purchase& purchase) {
  const auto found = prices.find(entry.name);
  if (found == prices.end()) return;
  const Quote& one = found->second;
  purchase.price = one.price;
  purchase.price_year = one.year;
  purchase.quoted = true;
  for (const char* key : {"price", "price_year"})
    entry.of_key[key] = {fmt::format("quoted to the buyer: {}:{}", one.where.file, one.where.line),
                         Basis::datasheet};
}

}  // namespace gpufeed
