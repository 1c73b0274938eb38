// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sim/load/read/reader.h"

namespace gpufeed {

/// ", such as A, B or C": the three entries of the catalog that fit and are least far away; empty
/// where none fits. Files that cannot be read are passed over.
/// \param distance  nothing where an entry does not fit
template <class T, class Distance>
std::string such_as(const Catalog& catalog, Distance distance) {
  Diagnostics ignored;
  Reader reader(catalog, "", ignored);
  std::vector<std::pair<double, std::string>> found;
  for (const auto& name : catalog.names(T::kKind)) {
    const auto file = catalog.find(T::kKind, name);
    const auto entry = file ? reader.entry_of<T>(*file) : nullptr;
    if (!entry) continue;
    if (const std::optional<double> far = distance(*entry)) found.emplace_back(*far, name);
  }
  std::ranges::sort(found);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i)
    text += (i == 0 ? ", such as " : ", ") + found[i].second;
  return text;
}

}  // namespace gpufeed
