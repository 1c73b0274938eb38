// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/chassis/request.h"

namespace gpufeed {

/// The three entries of the catalog that fit and are least far away. Files that cannot be read, and
/// what nobody sells, are passed over.
/// \param distance  nothing where an entry does not fit
template <class T, class Distance>
Names nearest_entries(const Catalog& catalog, Distance distance) {
  constexpr std::size_t kMost = 3;
  Diagnostics ignored;
  Reader reader(catalog, "", ignored);
  std::vector<std::pair<double, std::string>> found;
  for (const auto& name : catalog.names(T::kKind)) {
    const auto entry = reader.entry_named<T>(name);
    if (!entry || !(entry->quoted || entry->not_sold.empty())) continue;
    if (const std::optional<double> far = distance(*entry)) found.emplace_back(*far, name);
  }
  std::ranges::sort(found);
  if (found.size() > kMost) found.resize(kMost);
  Names names;
  for (auto& one : found) names.push_back(std::move(one.second));
  return names;
}

/// ", such as A, B, C"; empty where there are none.
std::string such_as(const Names& names);

/// What `key` of the request would say with `count` of `instead` in the place of a product; with
/// these, too, where it does not ask for that. None of them: it is left out.
Fix ask_for(const Request& request, std::string_view key, const std::string& product,
            std::int64_t count, const std::string& instead);

/// The same product in another number, or other products in the same number, as fixes of what does
/// not fit.
void add_count(Problem& problem, const Request& request, std::string_view key,
               const std::string& product, std::int64_t count);
void add_products(Problem& problem, const Request& request, std::string_view key,
                  const std::string& product, std::int64_t count, const Names& instead);
void add_chassis(Problem& problem, const Request& request, const Names& chassis);

}  // namespace gpufeed
