// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/read/reader.h"

namespace gpufeed {

/// Every entry of a kind that can be read, in the order of the names.
template <class T>
std::vector<std::pair<std::string, std::shared_ptr<const T>>> entries_of(const Catalog& catalog) {
  Diagnostics ignored;
  Reader reader(catalog, "", ignored);
  std::vector<std::pair<std::string, std::shared_ptr<const T>>> entries;
  for (const auto& name : catalog.names(T::kKind))
    if (const auto file = catalog.find(T::kKind, name))
      if (auto entry = reader.entry_of<T>(*file)) entries.emplace_back(name, std::move(entry));
  return entries;
}

/// Whether one can still be bought, new.
inline bool is_for_sale(const Purchase& product) {
  return product.quoted || (product.not_sold.empty() && !product.last_sold);
}

}  // namespace gpufeed
