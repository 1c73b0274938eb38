// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/base/labels/label.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/part_id.h"

namespace gpufeed {

/// How a number came to be known, best first.
enum class Basis { measured, calibrated, datasheet, estimate };
template <>
struct EnumNames<Basis> {
  static constexpr std::array<std::string_view, 4> names{"measured", "calibrated", "datasheet",
                                                         "estimate"};
};

struct Provenance {
  std::string source;  ///< document, page or measurement
  Basis basis = Basis::estimate;
  bool by_user = false;  ///< the user's word for this run, in the place of the entry's

  bool operator==(const Provenance&) const = default;
};

/// Whether it was found out or set, rather than taken as usual.
inline bool is_stated(const Provenance& known) {
  return known.basis != Basis::estimate || known.by_user;
}

/// What every catalog entry has. `name` is its file's name without `.toml`, or the place of an
/// inline table.
struct Entry {
  std::string name;
  std::string title;
  Provenance provenance;                                  ///< of every key without its own
  std::map<std::string, Provenance, std::less<>> of_key;  ///< keys that carry their own
  std::string like = {};  ///< whose values it takes; empty: nobody's

  const Provenance& provenance_of(std::string_view key) const {
    const auto it = of_key.find(key);
    return it == of_key.end() ? provenance : it->second;
  }
};

/// `source` and `basis` are read by the loader beside these keys, for the entry and for any value
/// written as `{ value = ..., source = "...", basis = "..." }`; and `like`, of an entry's own file.
template <class Visit>
constexpr void entry_fields(Visit&& visit) {
  visit(key("title", &Entry::title, "the product's full name").needed());
}

/// What a purchase costs and draws; unknown where the entry does not say.
struct Purchase {
  std::optional<Money> price;
  std::optional<std::int64_t> price_year;
  std::optional<Power> power;
  std::optional<std::int64_t> released;
  std::optional<std::int64_t> last_sold;
  std::string not_sold;  ///< why nobody sells it; empty: it is, or was, for sale
  bool quoted = false;   ///< the price is the buyer's own quote
};

inline constexpr auto kPriceKey =
    key("price", &Purchase::price, "price of one; needs price_year").between({0}, {1e8});
inline constexpr auto kPriceYearKey =
    key("price_year", &Purchase::price_year, "year of the price").between(1990, 2100);

template <class Visit>
constexpr void purchase_fields(Visit&& visit) {
  using namespace literals;
  visit(kPriceKey);
  visit(kPriceYearKey);
  visit(key("power", &Purchase::power, "power drawn at full load").between(0_W, 1e6_W));
  visit(
      key("released", &Purchase::released, "year in which it was first sold").between(1990, 2100));
  visit(key("last_sold", &Purchase::last_sold,
            "year in which it was last sold new; default: it still is, or nobody knows")
            .between(1990, 2100));
  visit(key("not_sold", &Purchase::not_sold,
            "why it cannot be bought by itself, such as \"lent with an instance of a cloud\"; "
            "default: it can"));
}

/// What breaks; unknown where the entry does not say.
struct Breaks {
  std::optional<Seconds> mtbf;
};

template <class Visit>
constexpr void breaks_fields(Visit&& visit) {
  using namespace literals;
  visit(key("mtbf", &Breaks::mtbf,
            "mean time between failures of one that end the job which uses it; default: not known")
            .between(1_h, Seconds{1e12})
            .defined());
}

/// A catalog entry as the user named it; the loader sets `entry`. `where` serves later messages.
template <class T>
struct Ref {
  std::string name;
  Location where;
  std::shared_ptr<const T> entry;

  const T* operator->() const { return entry.get(); }
  const T& operator*() const { return *entry; }
  explicit operator bool() const { return entry != nullptr; }
};

/// Another file, as the user's file names it: relative to its own folder.
struct FileRef {
  std::string path;
  Location where;
};

/// A part of the same scenario, as its user calls it.
struct PartRef {
  Label id;
  Location where;
  std::optional<PartId> part = {};  ///< which one that is; the loader finds it

  /// Whether its key is.
  bool given() const { return id != Label(); }
  /// Once a scenario is loaded and its key is given.
  PartId operator*() const { return part.value(); }
  bool is(PartKind kind) const { return part && part->kind == kind; }
};

}  // namespace gpufeed
