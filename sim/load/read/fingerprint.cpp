// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/fingerprint.h"

#include <fmt/format.h>

#include <set>

#include "sim/base/files/read_file.h"
#include "sim/base/numbers/fnv.h"

namespace gpufeed {
namespace {

void add_file(Fnv& hash, std::string_view kind, const std::filesystem::path& file) {
  Diagnostics unreadable;  // whoever needs the entry is told
  hash.add(kind);
  hash.add(file.filename().string());
  hash.add(read_text_file(file, kMaxTextSize, unreadable).value_or(""));
}

}  // namespace

std::string fingerprint(const Catalog& catalog) {
  Fnv hash;
  std::set<std::string> seen;
  for (const auto& kind : catalog_kinds())
    for (const auto& name : catalog.names(kind)) {
      const auto file = *catalog.find(kind, name);
      seen.insert(file.lexically_normal().string());
      add_file(hash, kind, file);
    }
  if (catalog.cache())
    for (const auto& [kind, file] : catalog.cache()->keys())
      if (!seen.contains(file)) add_file(hash, kind, file);
  for (const auto& [name, quote] : catalog.prices()) {
    hash.add(name);
    hash.add(fmt::format("{} {}", quote.price.value, quote.year));
  }
  return hash.text();
}

}  // namespace gpufeed
