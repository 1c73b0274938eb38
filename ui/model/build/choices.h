// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/load/load.h"

namespace gpufeed::ui {

/// A product that a part could be, with what matters when choosing.
struct Choice {
  std::string name;
  std::string title;
  std::string rate;  ///< with its unit, as all below; empty: not known
  std::string size;
  std::optional<double> rate_value;
  std::optional<double> size_value;
  std::optional<double> price_USD;
  std::optional<int> price_year;
  std::optional<int> released;
  bool fits_nowhere = false;  ///< nobody sells it, or it has no form
  std::string filled_with;    ///< of a "server": name and title of the GPUs that it is built with
};

/// What the columns of a kind's choices hold: "read rate" and "capacity" of a drive.
struct ChoiceColumns {
  std::string rate;
  std::string size;
  bool is_bought = true;  ///< networks and data sets are not: they have no price and no year
};
ChoiceColumns columns_of(const std::string& kind);

/// All products of a kind, by name. What the catalog has wrong is left out. A "server" is a
/// chassis, or "CHASSIS + GPU": one with as many of these GPUs as it takes.
std::vector<Choice> choices_of(const Catalog& catalog, const std::string& kind);

/// Those whose name or title has all words of `search`, whatever the case. Of servers those with
/// GPUs where the search is for these; else a chassis stands for all that it could be filled with.
std::vector<const Choice*> found_in(const std::vector<Choice>& choices, const std::string& search);

/// Whether one may take the place of product `now`: what fits nowhere replaces only its like.
bool may_replace(const Choice& choice, const std::string& now, const std::vector<Choice>& choices);

enum class ChoiceOrder { title, rate, size, price, year };
/// Puts them in order; those that do not say it are last either way.
void sort_choices(std::vector<const Choice*>& choices, ChoiceOrder by, bool descending);

/// The choices of all kinds, read in the background.
class ChoiceLists {
 public:
  explicit ChoiceLists(Catalog catalog);
  ~ChoiceLists();
  ChoiceLists(const ChoiceLists&) = delete;
  ChoiceLists& operator=(const ChoiceLists&) = delete;

  /// Null until they are read. What it points to stays.
  const std::vector<Choice>* of(const std::string& kind) const;
  void finish();

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Choice>> known_;
  std::thread thread_;
};

}  // namespace gpufeed::ui
