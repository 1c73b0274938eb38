// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/files/confinement.h"
#include "sim/base/nearest.h"
#include "sim/load/csv/price_list.h"
#include "sim/load/read/entry_cache.h"

namespace gpufeed {

/// A value that takes the place of one of an entry.
struct OwnEntryValue {
  std::string key;
  std::string value;  ///< as TOML writes it
  Location where;     ///< what says so
};
/// By kind and name of the entry.
using OwnValues = std::map<std::pair<std::string, std::string>, std::vector<OwnEntryValue>>;

/// Where products and workloads are known: folders that hold KIND/NAME.toml. The first folder that
/// knows a name wins.
class Catalog {
 public:
  /// All their entries count as read (run_files.h).
  explicit Catalog(std::vector<std::filesystem::path> roots);

  /// The file of an entry.
  std::optional<std::filesystem::path> find(std::string_view kind, std::string_view name) const;
  /// All names of a kind, sorted, each once.
  Names names(std::string_view kind) const;

  /// The same catalog, of which an entry is read once, by whichever thread comes first. Changes of
  /// its files are not seen any more, nor are files that are new.
  Catalog remembering() const;
  /// The same catalog, for scenarios of strangers: a file that they name must lie in `folder` or in
  /// a folder of the catalog.
  /// \param named  folders of the catalog that strangers name: they add nothing, and an entry in
  ///               one must lie there once links are followed, or whatever looks for it throws
  ///               InputError
  Catalog confined_to(const std::filesystem::path& folder,
                      const std::vector<std::filesystem::path>& named = {}) const;
  /// The same catalog with the buyer's own prices in the place of its entries'; what was remembered
  /// before is read anew.
  Catalog with_prices(PriceList prices) const;
  const PriceList& prices() const { return *prices_; }
  /// The same catalog with a user's own values in the place of its entries'. What it remembers,
  /// any other one with the same values of the same catalog remembers, too.
  Catalog with_own(OwnValues own) const;
  const OwnValues& own() const { return *own_; }
  /// The same catalog, of which nothing is shared: for processes that are forked while other
  /// threads use this one.
  Catalog apart() const;
  /// Where the files must lie that are named by a path.
  const Confinement& confinement() const { return *confinement_; }

  /// Null where nothing is remembered.
  const std::shared_ptr<EntryCache>& cache() const { return cache_; }

 private:
  void refuse_outsider(const std::filesystem::path& root, const std::filesystem::path& file) const;
  std::optional<std::filesystem::path> look_for(std::string_view kind, std::string_view name) const;
  Names look_for_all(std::string_view kind) const;

  std::vector<std::filesystem::path> roots_;
  std::shared_ptr<EntryCache> cache_;
  std::shared_ptr<const PriceList> prices_ = std::make_shared<PriceList>();
  std::shared_ptr<const OwnValues> own_ = std::make_shared<OwnValues>();
  std::vector<std::filesystem::path> strangers_;  ///< roots that strangers name
  std::shared_ptr<const Confinement> confinement_ = std::make_shared<Confinement>();
};

/// Reads the buyer's prices, `parse_prices`, for anything in the catalog that can be bought.
/// \throws InputError  with every problem found
PriceList load_prices(const std::filesystem::path& file, const Catalog& catalog);

/// Every kind of entry, in the order in which `gpufeed catalog list` shows them.
const Names& catalog_kinds();

}  // namespace gpufeed
